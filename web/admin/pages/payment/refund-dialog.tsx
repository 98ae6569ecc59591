/** Refunds a payment or releases a hold. A refund above the limit needs the approval of a second person. */
import type { JSX } from 'preact'
import { type Answer, call, textAt } from '../../api/call.ts'
import { Dialog } from '../../kit/dialog.tsx'
import { TextArea, TextField } from '../../kit/form/fields.tsx'
import { Form } from '../../kit/form/form.tsx'
import { useForm } from '../../kit/form/use-form.ts'
import { Notice } from '../../kit/states.tsx'
import { toast } from '../../kit/toasts.tsx'
import { amountFault, minorOf, typedAmount } from '../../kit/values/amount.ts'
import { moneyText } from '../../kit/values/money-text.ts'
import type { CommandProps } from './command-props.ts'
import { isRelease, needsSecondPerson, placeOf, refundableOf } from './details.ts'
import { toastOutcome } from './toast-outcome.ts'

type RefundAnswer = Answer<'POST /merchants/:merchantId/payments/:paymentId/refund'>

const isWaiting = (answer: RefundAnswer): answer is Extract<RefundAnswer, { readonly approvalId: string }> =>
  textAt(answer, 'approvalId') !== ''

export function RefundDialog({ details, onDone, onClose }: CommandProps): JSX.Element {
  const { payment, offers } = details
  const { currency, amountDecimals: decimals } = payment
  const left = refundableOf(payment)
  const sum = (minor: bigint): string => moneyText({ minor, currency, decimals })
  const done = (answer: RefundAnswer): void => {
    if (isWaiting(answer)) toast('The refund is waiting for approval.')
    else toastOutcome(answer.result, payment)
    onDone()
    onClose()
  }
  const form = useForm({
    initial: { amount: typedAmount(String(left), currency, decimals), reason: '' },
    check: ({ amount, reason }) => {
      const minor = minorOf(amount, currency, decimals)
      const isSecond = minor !== null && needsSecondPerson(payment, offers, BigInt(minor))
      return {
        amount: amountFault(amount, currency, left, decimals),
        reason: isSecond && reason.trim() === '' ? 'Enter a reason. This amount needs approval.' : null,
      }
    },
    paths: { amount: 'amountMinor' },
    send: ({ amount, reason }) => {
      const amountMinor = minorOf(amount, currency, decimals) ?? ''
      const body = { reason: reason.trim(), ...(BigInt(amountMinor) === left ? {} : { amountMinor }) }
      return call('POST /merchants/:merchantId/payments/:paymentId/refund', { params: placeOf(payment), body })
    },
    onDone: done,
    guards: false,
  })
  const typed = minorOf(form.values.amount, currency, decimals)
  const isSecond = typed !== null && needsSecondPerson(payment, offers, BigInt(typed))
  return (
    <Dialog title={isRelease(payment) ? 'Release hold' : 'Refund payment'} onClose={onClose}>
      <Form form={form} act={actOf(isSecond, isRelease(payment))} danger onCancel={onClose}>
        <p>
          {isRelease(payment)
            ? `The full hold of ${sum(left)} is released. Nothing can be captured afterwards.`
            : `Up to ${sum(left)} can be refunded. A refund cannot be undone.`}
        </p>
        <TextField
          label={`Amount in ${currency}`}
          inputMode="decimal"
          hint={offers.partialRefund ? undefined : 'Only the full amount can be refunded.'}
          disabled={!offers.partialRefund}
          at={form.at('amount')}
        />
        {isSecond && (
          <Notice tone="warn">
            Refunds above {sum(BigInt(offers.refundLimitMinor ?? 0))} in total need approval by a second person. Nothing
            is refunded until then.
          </Notice>
        )}
        <TextArea label="Reason" rows={3} optional={!isSecond} at={form.at('reason')} />
      </Form>
    </Dialog>
  )
}

function actOf(isSecond: boolean, release: boolean): string {
  if (isSecond) return 'Request approval'
  return release ? 'Release' : 'Refund'
}
