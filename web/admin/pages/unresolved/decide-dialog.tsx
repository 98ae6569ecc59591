/** Asks a second person to decide whether a transaction was executed. */
import type { JSX } from 'preact'
import { call } from '../../api/call.ts'
import { Dialog } from '../../kit/dialog.tsx'
import { SelectField } from '../../kit/form/fields.tsx'
import { Form } from '../../kit/form/form.tsx'
import { useForm } from '../../kit/form/use-form.ts'
import { toast } from '../../kit/toasts.tsx'
import { minorOf } from '../../kit/values/amount.ts'
import { moneyText } from '../../kit/values/money-text.ts'
import { ExecutionFields, executionFaults, GroundsFields, groundsFaults, initialExecution } from './decision-fields.tsx'
import type { UnresolvedOutcome } from './unresolved.ts'

interface DecideDialogProps {
  readonly outcome: UnresolvedOutcome
  readonly onDone: () => void
  readonly onClose: () => void
}

const decisions = [
  { value: 'executed', text: 'It was executed' },
  { value: 'not-executed', text: 'It was not executed' },
] as const

export function DecideDialog({ outcome, onDone, onClose }: DecideDialogProps): JSX.Element {
  const { merchantId, paymentId, transactionId, type, amountMinor, currency, amountDecimals: decimals } = outcome
  const form = useForm({
    initial: { decision: 'executed' as 'executed' | 'not-executed', ...initialExecution(outcome) },
    check: (values) => ({
      ...(values.decision === 'executed' ? executionFaults(values, outcome) : {}),
      ...groundsFaults(values),
    }),
    paths: { amount: 'amountMinor' },
    send: ({ decision, reference, amount, date, reason, evidence }) =>
      call('POST /merchants/:merchantId/payments/:paymentId/outcome', {
        params: { merchantId, paymentId },
        body:
          decision === 'executed'
            ? {
                transactionId,
                decision,
                reference,
                amountMinor: minorOf(amount, currency, decimals) ?? '',
                date,
                reason,
                evidence,
              }
            : { transactionId, decision, reason, evidence },
      }),
    onDone: () => {
      toast('The decision is waiting for approval.')
      onDone()
      onClose()
    },
    guards: false,
  })
  return (
    <Dialog title="Decide outcome" onClose={onClose}>
      <Form form={form} act="Request approval" onCancel={onClose}>
        <p>
          First ask the acquirer about the {type} of {moneyText({ minor: amountMinor, currency, decimals })}. A second
          person approves the decision; then ledger entries are written and the merchant receives a callback.
        </p>
        <SelectField label="Decision" options={decisions} at={form.at('decision')} />
        {form.values.decision === 'executed' && (
          <ExecutionFields
            currency={currency}
            amount={form.at('amount')}
            reference={form.at('reference')}
            date={form.at('date')}
          />
        )}
        <GroundsFields reason={form.at('reason')} evidence={form.at('evidence')} />
      </Form>
    </Dialog>
  )
}
