/** One payout run: its items, its file for the bank, and how it is marked paid by hand. */
import type { JSX } from 'preact'
import { type Answer, call } from '../../api/call.ts'
import { useReading } from '../../api/use-reading.ts'
import { Badge } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { DataTable, pageOfRows } from '../../kit/data-table.tsx'
import { Drawer } from '../../kit/dialog.tsx'
import { TextField } from '../../kit/form/fields.tsx'
import { Form } from '../../kit/form/form.tsx'
import { useForm } from '../../kit/form/use-form.ts'
import { Section } from '../../kit/page.tsx'
import { saveFile } from '../../kit/save-file.ts'
import { ReadResult } from '../../kit/states.tsx'
import { toast, toastFault } from '../../kit/toasts.tsx'
import { Day } from '../../kit/values/date-time.tsx'
import { KeyValues } from '../../kit/values/key-values.tsx'
import { Money } from '../../kit/values/money.tsx'
import { may } from '../../session/session.ts'
import { accountText } from './account-text.ts'
import { Holder } from './holder.tsx'
import { stateTexts, stateTones } from './run.ts'

interface RunDrawerProps {
  readonly runId: string
  readonly onChanged: () => void
  readonly onClose: () => void
}

export function RunDrawer({ runId, onChanged, onClose }: RunDrawerProps): JSX.Element {
  const read = useReading('GET /payout-runs/:runId', { params: { runId } })
  return (
    <Drawer title="Payout run" onClose={onClose}>
      <ReadResult read={read} lines={5}>
        {(details) => (
          <RunDetails
            details={details}
            onDone={() => {
              read.reload()
              onChanged()
            }}
          />
        )}
      </ReadResult>
    </Drawer>
  )
}

interface RunDetailsProps {
  readonly details: Answer<'GET /payout-runs/:runId'>
  readonly onDone: () => void
}

function RunDetails({ details, onDone }: RunDetailsProps): JSX.Element {
  const { id, state, currency, decimals, list } = details
  const isWritten = state === 'sent' || state === 'paid'
  const download = async (): Promise<void> => {
    const result = await call('GET /payout-runs/:runId/file', { params: { runId: id } })
    if (!result.ok) return toastFault(result.fault)
    saveFile(result.value, 'application/xml;charset=utf-8')
  }
  return (
    <>
      <KeyValues
        rows={[
          [
            'State',
            <Badge key="state" tone={stateTones[state]}>
              {stateTexts[state]}
            </Badge>,
          ],
          ['Total', <Money key="total" minor={details.totalMinor} currency={currency} decimals={decimals} />],
          ['Execution', <Day key="day" of={details.executeOn} />],
          ['From', <Holder key="from" name={details.holder} />],
          ['From account', accountText(details.number)],
          ['Prepared by', details.preparedByName ?? details.madeBy],
          details.approvedByName !== null && ['Approved by', details.approvedByName],
        ]}
      />
      {isWritten && may('payouts.write') && (
        <p>
          <Button onClick={() => void download()}>Download file for the bank</Button>
        </p>
      )}
      <DataTable
        caption="Items"
        list={pageOfRows(list)}
        keyOf={(item) => item.id}
        columns={[
          { title: 'Merchant', cell: ({ merchantTitle }) => merchantTitle },
          {
            title: 'Amount',
            end: true,
            cell: ({ amountMinor }) => <Money minor={amountMinor} currency={currency} decimals={decimals} />,
          },
          { title: 'To', cell: ({ holder }) => <Holder name={holder} /> },
          { title: 'Account', cell: ({ number }) => accountText(number) },
          { title: 'Paid', cell: ({ paidOn }) => <Day of={paidOn} />, whole: true },
        ]}
      />
      {state === 'sent' && may('payouts.write') && <PaidForm runId={id} onDone={onDone} />}
    </>
  )
}

function PaidForm({ runId, onDone }: { readonly runId: string; readonly onDone: () => void }): JSX.Element {
  const form = useForm({
    initial: { paidOn: '' },
    check: ({ paidOn }) => ({ paidOn: paidOn === '' ? 'Enter the day on which the bank paid.' : null }),
    send: ({ paidOn }) => call('POST /payout-runs/:runId/paid', { params: { runId }, body: { paidOn } }),
    onDone: () => {
      toast('Run marked as paid.')
      onDone()
    },
    guards: false,
  })
  return (
    <Section title="Mark as paid">
      <Form form={form} act="Mark all as paid">
        <TextField
          label="Paid on"
          type="date"
          hint="Use this if there is no bank statement to import."
          at={form.at('paidOn')}
        />
      </Form>
    </Section>
  )
}
