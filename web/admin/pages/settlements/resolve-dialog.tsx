/** The request to resolve a difference, which a second person approves. */
import type { JSX } from 'preact'
import { call } from '../../api/call.ts'
import { useReading } from '../../api/use-reading.ts'
import { Dialog } from '../../kit/dialog.tsx'
import { CheckField, TextArea, TextField } from '../../kit/form/fields.tsx'
import { Form } from '../../kit/form/form.tsx'
import { useForm } from '../../kit/form/use-form.ts'
import { toast } from '../../kit/toasts.tsx'
import { Day } from '../../kit/values/date-time.tsx'
import { KeyValues } from '../../kit/values/key-values.tsx'
import { may } from '../../session/session.ts'
import { DifferenceSum } from './difference-sum.tsx'
import { type Difference, differenceTexts } from './settlement.ts'

interface ResolveDialogProps {
  readonly difference: Difference
  readonly onDone: () => void
  readonly onClose: () => void
}

export function ResolveDialog({ difference, onDone, onClose }: ResolveDialogProps): JSX.Element {
  const { id } = difference
  const form = useForm({
    initial: { note: '', correct: false, records: false, reasonCode: '' },
    check: ({ note }) => ({ note: note.trim() === '' ? 'Enter how the difference was explained.' : null }),
    send: ({ note, correct, records, reasonCode }) => {
      const chargeback = records ? { reasonCode: reasonCode.trim() || null } : null
      const body = { note, correct: correct && !records, chargeback }
      return call('POST /settlements/differences/:differenceId/resolve', { params: { differenceId: id }, body })
    },
    onDone: () => {
      toast('The resolution is waiting for approval.')
      onDone()
      onClose()
    },
    guards: false,
  })
  return (
    <Dialog title="Resolve difference" onClose={onClose}>
      <Facts of={difference} />
      <Form form={form} act="Request approval" onCancel={onClose}>
        <TextArea label="Note" rows={3} at={form.at('note')} />
        {isMissingChargeback(difference) && (
          <CheckField
            label="Record chargeback"
            hint="Takes the amount from the merchant, reports it to the merchant, and opens the dispute, as if the acquirer had notified us."
            at={form.at('records')}
          />
        )}
        {form.at('records').value ? (
          <TextField
            label="Reason code"
            hint="As the acquirer states it, such as 1212 Fraud. Leave it empty if you do not know it."
            at={form.at('reasonCode')}
          />
        ) : (
          <CheckField
            label="Post the difference"
            hint="Books the amount to the account of differences, so that it is no longer owed or expected."
            at={form.at('correct')}
          />
        )}
      </Form>
    </Dialog>
  )
}

/** What is resolved: several differences of a day look alike. */
function Facts({ of }: { readonly of: Difference }): JSX.Element {
  const { merchantId, paymentId } = of
  const sum = (minor: string | null) => (minor === null ? 'None' : <DifferenceSum of={of} minor={minor} />)
  return (
    <KeyValues
      rows={[
        ['Difference', differenceTexts[of.kind] ?? of.kind],
        merchantId !== null &&
          paymentId !== null &&
          may('payments.read') && ['Payment', <Payment merchantId={merchantId} paymentId={paymentId} />],
        ['Expected', sum(of.oursMinor)],
        ['Reported', sum(of.theirsMinor)],
        ['Day', <Day of={of.day} />],
        ['MID', of.midName ?? of.midId],
        of.payout !== null && ['Payout', of.payout],
        of.ref !== null && ['Row', of.ref],
      ]}
    />
  )
}

/** Its order number; if it cannot be read, its id. */
function Payment(params: { readonly merchantId: string; readonly paymentId: string }): JSX.Element {
  const { value, fault } = useReading('GET /merchants/:merchantId/payments/:paymentId', { params })
  if (value !== null) return <>{value.payment.orderId}</>
  return fault === null ? <span class="skeleton-line" /> : <span class="mono">{params.paymentId}</span>
}

/** Other rows have a payment of ours, which has its chargeback already, or none at all. */
const isMissingChargeback = ({ kind, rowKind, paymentId }: Difference): boolean =>
  kind === 'missing-here' && rowKind === 'chargeback' && paymentId !== null
