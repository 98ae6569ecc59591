/** Refunds at the panel. A refund above the limit waits for a second person. Chapter 50 §8. */
import type { JsonObject, PaymentRecord } from '../../contracts/records.ts'
import type { ApprovalRow } from '../../store/people/approvals.ts'
import { invalid, notFound } from '../admin-refused.ts'
import { askApproval, type Requester } from '../approvals/approvals.ts'
import type { PanelContext } from '../panel-context.ts'
import { resultOf } from './payment-commands.ts'
import { isWithinLimit } from './refund-limit.ts'

interface PanelRefund {
  readonly payment: PaymentRecord
  /** Undefined refunds all that is left. */
  readonly amountMinor: bigint | undefined
  readonly reason: string
}

/** The result for the audit log and the panel, or the pending request. */
type RefundResult =
  | { readonly kind: 'refunded'; readonly result: JsonObject }
  | { readonly kind: 'waiting'; readonly approval: ApprovalRow }

export async function refund(context: PanelContext, asker: Requester, wish: PanelRefund): Promise<RefundResult> {
  const { payment, amountMinor, reason } = wish
  // The limit applies to the total of all refunds, so that several small refunds, one after another or at once, do not circumvent it.
  const isWithin = isWithinLimit(context, payment.currency, payment.refundedMinor + (amountMinor ?? leftOf(payment)))
  if (isWithin) {
    const result = await makeRefund(context, { payment, amountMinor, useId: null, asRead: true })
    return { kind: 'refunded', result }
  }
  if (reason === '') throw invalid('reason', 'Enter a reason. This amount needs approval.')
  const { merchantId, id } = payment
  const approval = await askApproval(context, asker, {
    kind: 'refund',
    merchantId,
    subject: `payment ${id}`,
    request: { paymentId: id, amountMinor: amountMinor === undefined ? null : String(amountMinor) },
    reason,
  })
  return { kind: 'waiting', approval }
}

/** The approval's id is the request's id, so that a repetition after a crash makes one refund. */
export async function makeApprovedRefund(
  context: PanelContext,
  { id, merchantId, request }: ApprovalRow,
): Promise<JsonObject> {
  const { paymentId, amountMinor } = request
  const earlierRefund = await context.operations.recall(merchantId ?? '', id)
  if (earlierRefund !== null) return resultOf(earlierRefund)
  const payment = typeof paymentId === 'string' ? await context.operations.find(merchantId ?? '', paymentId) : null
  if (payment === null) throw notFound()
  const amount = typeof amountMinor === 'string' ? BigInt(amountMinor) : undefined
  return makeRefund(context, { payment, amountMinor: amount, useId: id, asRead: false })
}

type CreditvoidRequest = Omit<Parameters<PanelContext['operations']['creditvoid']>[0], 'parameters'>

const makeRefund = async ({ operations }: PanelContext, request: CreditvoidRequest): Promise<JsonObject> =>
  resultOf(await operations.creditvoid({ ...request, parameters: undefined }))

/** Before a capture the whole hold is released; afterwards, what was captured and not yet refunded. */
const leftOf = ({ authorisedMinor, capturedMinor, refundedMinor, amountMinor }: PaymentRecord): bigint =>
  capturedMinor > 0n ? capturedMinor - refundedMinor : authorisedMinor > 0n ? authorisedMinor : amountMinor
