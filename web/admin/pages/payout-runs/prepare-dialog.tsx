/** Prepares a run of the newest statements in a currency; a second person approves it. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { call } from '../../api/call.ts'
import { useReading } from '../../api/use-reading.ts'
import { Dialog } from '../../kit/dialog.tsx'
import { FieldRow, SelectField, TextArea, TextField } from '../../kit/form/fields.tsx'
import { Form } from '../../kit/form/form.tsx'
import { useForm } from '../../kit/form/use-form.ts'
import { Empty, ReadResult } from '../../kit/states.tsx'
import { toast } from '../../kit/toasts.tsx'
import { moneyText } from '../../kit/values/money-text.ts'
import { Link } from '../../router/link.tsx'
import { chosenOf, Obstacles, type Payable, PayableChoice, type PayableCurrency, totalOf } from './payable-choice.tsx'

interface PrepareDialogProps {
  readonly onDone: () => void
  readonly onClose: () => void
}

export function PrepareDialog({ onDone, onClose }: PrepareDialogProps): JSX.Element {
  const wanted = useSignal<string | undefined>(undefined)
  const read = useReading('GET /payout-runs/payable', { query: { currency: wanted.value } })
  const choose = (currency: string): void => {
    wanted.value = currency
  }
  return (
    <Dialog title="Prepare payout run" shape="wide" onClose={onClose}>
      <ReadResult read={read} lines={6}>
        {(answer) => {
          const of = answer.currencies.find(({ currency }) => currency === answer.currency)
          return of === undefined ? (
            <NoCurrency />
          ) : (
            <div class="form">
              <CurrencyChoice answer={answer} onChoose={choose} />
              {answer.payable.length === 0 ? (
                <>
                  <Empty title={`Nothing can be paid out in ${of.currency}.`}>
                    <p>
                      To be paid, a merchant needs a bank account and an unpaid latest statement with an amount to pay
                      out.
                    </p>
                  </Empty>
                  <Obstacles answer={answer} of={of} isOpen onLeave={onClose} />
                </>
              ) : (
                <PrepareForm key={of.currency} {...{ answer, of, onDone, onClose }} onRefused={read.reload} />
              )}
            </div>
          )
        }}
      </ReadResult>
    </Dialog>
  )
}

const NoCurrency = (): JSX.Element => (
  <Empty title="Nothing can be paid out.">
    <p>
      <Link to="/statements">Close a period</Link>, and enter the bank accounts of merchants under{' '}
      <Link to="/price-lists">Price lists</Link>.
    </p>
  </Empty>
)

interface CurrencyChoiceProps {
  readonly answer: Payable
  readonly onChoose: (currency: string) => void
}

function CurrencyChoice({ answer: { currency, currencies }, onChoose }: CurrencyChoiceProps): JSX.Element {
  const options = currencies.map(({ currency: value, payable, totalMinor: minor, decimals }) => ({
    value,
    text: `${value}: ${payable === 0 ? 'nothing payable' : moneyText({ minor, currency: value, decimals })}`,
  }))
  const at = { id: 'payable-currency', value: currency ?? '', set: onChoose, error: null }
  return <SelectField label="Currency" options={options} at={at} />
}

interface PrepareFormProps extends PrepareDialogProps {
  readonly answer: Payable
  readonly of: PayableCurrency
  /** The selection may be out of date. */
  readonly onRefused: () => void
}

interface Values {
  readonly left: readonly string[]
  readonly executeOn: string
  readonly holder: string
  readonly number: string
  readonly bic: string
  readonly reason: string
}

function PrepareForm({ answer, of, onDone, onClose, onRefused }: PrepareFormProps): JSX.Element {
  const { payable } = answer
  const { currency, from } = of
  const form = useForm<Values, unknown>({
    initial: {
      left: [],
      executeOn: '',
      holder: from?.holder ?? '',
      number: from?.number ?? '',
      bic: from?.bic ?? '',
      reason: '',
    },
    check: ({ left, executeOn, holder, number, reason }) => ({
      left: chosenOf(payable, left).length === 0 ? 'Select at least one merchant.' : null,
      executeOn: executeOn === '' ? 'Enter the execution date.' : null,
      holder: holder.trim() === '' ? 'Enter the account holder.' : null,
      number: number.trim() === '' ? 'Enter your IBAN or account number.' : null,
      reason: reason.trim() === '' ? 'Enter a reason.' : null,
    }),
    paths: { left: 'merchantIds', holder: 'from.holder', number: 'from.number', bic: 'from.bic' },
    send: async ({ left, executeOn, holder, number, bic, reason }) => {
      const chosen = chosenOf(payable, left)
      const result = await call('POST /payout-runs', {
        body: {
          currency,
          merchantIds: chosen.map(({ merchantId }) => merchantId),
          totalMinor: totalOf(chosen),
          executeOn,
          from: { holder, number, bic: bic.trim() === '' ? null : bic },
          reason,
        },
      })
      if (!result.ok) onRefused()
      return result
    },
    onDone: () => {
      toast('Run prepared. It now needs approval by a second person.')
      onDone()
      onClose()
    },
    guards: false,
  })
  return (
    <Form form={form} act="Request approval" onCancel={onClose}>
      <PayableChoice payable={payable} of={of} at={form.at('left')} />
      <FieldRow>
        <TextField label="Execution date" type="date" at={form.at('executeOn')} />
        <TextField
          label="Holder of your account"
          hint={from === null ? undefined : `As in the last run in ${currency}.`}
          at={form.at('holder')}
        />
      </FieldRow>
      <FieldRow>
        <TextField label="Your IBAN or account number" mono at={form.at('number')} />
        <TextField label="Your bank’s BIC" optional mono at={form.at('bic')} />
      </FieldRow>
      <TextArea label="Reason" rows={2} at={form.at('reason')} />
      <Obstacles answer={answer} of={of} isOpen={false} onLeave={onClose} />
    </Form>
  )
}
