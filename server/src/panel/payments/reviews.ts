/** Payments that a rule holds for review: listed, accepted and rejected. Chapter 70 §7. */
import type { Mode } from '#domain/merchant.ts'
import type { PaymentRecord } from '../../contracts/records.ts'
import type { ReviewDecision } from '../../contracts/risk-ports.ts'
import { inTransaction } from '../../store/database/transaction.ts'
import { reviewStore, type WaitingReview } from '../../store/payments/reviews.ts'
import type { Grant } from '../access/permissions.ts'
import { AdminRefused } from '../admin-refused.ts'
import { note } from '../audit/audit.ts'
import type { Actor } from '../context.ts'
import type { PanelContext } from '../panel-context.ts'
import { resultOf } from './payment-commands.ts'

interface ReviewPage {
  readonly mode: Mode
  readonly after: string
  readonly limit: number
}

export async function listReviewsFor(
  { pool, configuration }: PanelContext,
  { merchants }: Grant,
  { mode, after, limit }: ReviewPage,
): Promise<readonly (WaitingReview & { readonly midName: string })[]> {
  const waiting = await reviewStore(pool).listWaiting(merchants === 'all' ? null : [...merchants], mode, after, limit)
  return waiting.map((one) => ({ ...one, midName: configuration.mid(one.midId ?? '')?.name ?? '' }))
}

interface ReviewWish {
  readonly decision: ReviewDecision
  readonly reason: string
}

/**
 * The decision is written before it is carried out: it can be made once, and if the process dies in between, deciding the same again
 * completes it.
 */
export async function decideReview(
  context: PanelContext,
  actor: Actor,
  payment: PaymentRecord,
  { decision, reason }: ReviewWish,
) {
  const { pool, clock, operations } = context
  if (!payment.routing?.review || payment.status !== 'PENDING')
    throw new AdminRefused('conflict', { message: 'The payment is not in review.' })
  await inTransaction(pool, async (client) => {
    const written = { decision, reason, by: actor.label, at: clock.now() }
    if (await reviewStore(client).decide(payment, written))
      return note(client, clock, actor, {
        action: `payment.review-${decision}`,
        subject: `payment ${payment.id}`,
        merchantId: payment.merchantId,
        after: { reason },
      })
    if ((await reviewStore(client).findDecision(payment)) !== decision)
      throw new AdminRefused('conflict', { message: 'Another person has decided otherwise.' })
  })
  const request = { payment, amountMinor: undefined, parameters: undefined, useId: null }
  if (decision === 'rejected') return { result: resultOf(await operations.creditvoid(request)) }
  return { result: capturesAtOnce(context, payment) ? resultOf(await operations.capture(request)) : null }
}

/** An amount that the merchant asked to hold, or holds by the mode of its MID, stays held until the merchant captures it. */
function capturesAtOnce({ configuration }: PanelContext, { midId, routing }: PaymentRecord): boolean {
  const mid = configuration.mid(midId ?? '')
  const isHeldByMid = mid?.paymentMode === 'DMS' && !mid.autoCaptureHours
  return routing?.review?.isSale === true && !isHeldByMid
}
