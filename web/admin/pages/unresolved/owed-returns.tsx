/** Money that the service could not give back, listed until two people have recorded its return. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { call } from '../../api/call.ts'
import { useReading } from '../../api/use-reading.ts'
import { Button } from '../../kit/button.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { Form } from '../../kit/form/form.tsx'
import { useForm } from '../../kit/form/use-form.ts'
import { Section } from '../../kit/page.tsx'
import { toast } from '../../kit/toasts.tsx'
import { minorOf } from '../../kit/values/amount.ts'
import { DateTime } from '../../kit/values/date-time.tsx'
import { Money } from '../../kit/values/money.tsx'
import { Link } from '../../router/link.tsx'
import { may } from '../../session/session.ts'
import { ExecutionFields, executionFaults, GroundsFields, groundsFaults, initialExecution } from './decision-fields.tsx'
import type { OwedReturn } from './unresolved.ts'

/** Nothing is shown while there is none, which is the usual case. */
export function OwedReturns({ merchantId }: { readonly merchantId: string }): JSX.Element | null {
  const read = useReading('GET /unresolved', { query: { limit: 1, ...(merchantId === '' ? {} : { merchantId }) } })
  const recording = useSignal<OwedReturn | null>(null)
  const returns = read.value?.returns ?? []
  if (returns.length === 0) return null
  return (
    <Section title="Manual refunds due">
      <ul class="offending">
        {returns.map((one) => (
          <li key={one.alertId}>
            <Link to={`/merchants/${one.merchantId}/payments/${one.paymentId}`}>{one.orderId}</Link>,{' '}
            <Money minor={one.amountMinor} currency={one.currency} decimals={one.amountDecimals} />, {one.midName},{' '}
            <DateTime at={one.raisedAt} />: {one.text}{' '}
            {one.approvalId !== null && <Link to="/approvals?state=waiting">Waiting for approval</Link>}
            {one.approvalId === null && may('payments.decide') && (
              <Button
                small
                onClick={() => {
                  recording.value = one
                }}
              >
                Record return
              </Button>
            )}
          </li>
        ))}
      </ul>
      {recording.value && (
        <ReturnDialog
          owed={recording.value}
          onDone={read.reload}
          onClose={() => {
            recording.value = null
          }}
        />
      )}
    </Section>
  )
}

interface ReturnDialogProps {
  readonly owed: OwedReturn
  readonly onDone: () => void
  readonly onClose: () => void
}

function ReturnDialog({ owed, onDone, onClose }: ReturnDialogProps): JSX.Element {
  const { merchantId, paymentId, alertId, currency, amountDecimals } = owed
  const form = useForm({
    initial: initialExecution(owed),
    check: (values) => ({ ...executionFaults(values, owed), ...groundsFaults(values) }),
    paths: { amount: 'amountMinor' },
    send: ({ amount, ...rest }) =>
      call('POST /merchants/:merchantId/payments/:paymentId/give-back', {
        params: { merchantId, paymentId },
        body: { ...rest, alertId, amountMinor: minorOf(amount, currency, amountDecimals) ?? '' },
      }),
    onDone: () => {
      toast('The record is waiting for approval.')
      onDone()
      onClose()
    },
    guards: false,
  })
  return (
    <Dialog title="Record return" onClose={onClose}>
      <Form form={form} act="Request approval" onCancel={onClose}>
        <p>Give the money back at the acquirer first. A second person approves this record of it.</p>
        <ExecutionFields
          currency={currency}
          amount={form.at('amount')}
          reference={form.at('reference')}
          date={form.at('date')}
        />
        <GroundsFields reason={form.at('reason')} evidence={form.at('evidence')} />
      </Form>
    </Dialog>
  )
}
