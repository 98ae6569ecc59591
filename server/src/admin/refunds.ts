/** Refunds and voids at the panel. A refund above the limit waits for a second person. Chapter 50 §8. */
import type { JsonObject, PaymentRecord } from '../records.ts'
import type { ApprovalRow } from '../store/approvals.ts'
import { invalid, notFound } from './admin-refused.ts'
import { type Asker, askApproval } from './approvals.ts'
import type { Panel } from './panel.ts'
import { resultOf } from './payment-commands.ts'

export interface RefundWish {
  readonly payment: PaymentRecord
  /** Undefined is all that is left. */
  readonly amountMinor: bigint | undefined
  readonly reason: string
}

/** The result as the audit log and the panel show it, or the request that waits. */
export type Refunded = { readonly result: JsonObject } | { readonly approval: ApprovalRow }

export async function refund(panel: Panel, asker: Asker, wish: RefundWish): Promise<Refunded> {
  const { payment, amountMinor, reason } = wish
  const limit = panel.refundLimits.of(payment.currency, panel.configuration.cryptoCurrencies())
  // With what went back before: small refunds one after the other are not a way around the limit.
  const total = payment.refundedMinor + (amountMinor ?? leftOf(payment))
  if (limit === null || total <= limit) return { result: await make(panel, payment, amountMinor, null) }
  if (reason === '') throw invalid('reason', 'Say why: a second person decides about this amount.')
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
  return make(panel, payment, typeof amountMinor === 'string' ? BigInt(amountMinor) : undefined, id)
}

async function make(
  { operations }: Panel,
  payment: PaymentRecord,
  amountMinor: bigint | undefined,
  useId: string | null,
): Promise<JsonObject> {
  const performed = await operations.creditvoid({ payment, amountMinor, parameters: undefined, useId })
  return resultOf(performed)
}

/** Before anything was captured all of the hold is given back, afterwards what was captured and not yet refunded. */
const leftOf = ({ authorisedMinor, capturedMinor, refundedMinor, amountMinor }: PaymentRecord): bigint =>
  capturedMinor > 0n ? capturedMinor - refundedMinor : authorisedMinor > 0n ? authorisedMinor : amountMinor
