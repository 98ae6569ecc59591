/** Refunds at the panel. One above the limit waits for a second person. Chapter 50 §8. */
import type { JsonObject, PaymentRecord } from '../../contracts/records.ts'
import type { ApprovalRow } from '../../store/people/approvals.ts'
import { invalid, notFound } from '../admin-refused.ts'
import { type Asker, askApproval } from '../approvals/approvals.ts'
import type { Panel } from '../panel.ts'
import { resultOf } from './payment-commands.ts'
import { isWithinLimit } from './refund-limit.ts'

interface RefundWish {
  readonly payment: PaymentRecord
  /** Undefined is all that is left. */
  readonly amountMinor: bigint | undefined
  readonly reason: string
}

/** The result as the audit log and the panel show it, or the request that waits. */
type Refunded = { readonly result: JsonObject } | { readonly approval: ApprovalRow }

export async function refund(panel: Panel, asker: Asker, wish: RefundWish): Promise<Refunded> {
  const { payment, amountMinor, reason } = wish
  // With what went back before: small refunds one after the other are not a way around the limit, nor are those at the same moment.
  const isWithin = isWithinLimit(panel, payment.currency, payment.refundedMinor + (amountMinor ?? leftOf(payment)))
  if (isWithin) return { result: await make(panel, { payment, amountMinor, useId: null, asRead: true }) }
  if (reason === '') throw invalid('reason', 'Enter a reason. This amount needs approval.')
  const { merchantId, id } = payment
  const approval = await askApproval(panel, asker, {
    kind: 'refund',
    merchantId,
    subject: `payment ${id}`,
    request: { paymentId: id, amountMinor: amountMinor === undefined ? null : String(amountMinor) },
    reason,
  })
  return { approval }
}

/** The approval's id is that of the request: made twice after a crash, it is one refund. */
export async function makeApprovedRefund(panel: Panel, { id, merchantId, request }: ApprovalRow): Promise<JsonObject> {
  const { paymentId, amountMinor } = request
  const made = await panel.operations.recall(merchantId ?? '', id)
  if (made !== null) return resultOf(made)
  const payment = typeof paymentId === 'string' ? await panel.operations.find(merchantId ?? '', paymentId) : null
  if (payment === null) throw notFound()
  const amount = typeof amountMinor === 'string' ? BigInt(amountMinor) : undefined
  return make(panel, { payment, amountMinor: amount, useId: id, asRead: false })
}

type Made = Omit<Parameters<Panel['operations']['creditvoid']>[0], 'parameters'>

const make = async ({ operations }: Panel, made: Made): Promise<JsonObject> =>
  resultOf(await operations.creditvoid({ ...made, parameters: undefined }))

/** Before anything was captured all of the hold is given back, afterwards what was captured and not yet refunded. */
const leftOf = ({ authorisedMinor, capturedMinor, refundedMinor, amountMinor }: PaymentRecord): bigint =>
  capturedMinor > 0n ? capturedMinor - refundedMinor : authorisedMinor > 0n ? authorisedMinor : amountMinor
