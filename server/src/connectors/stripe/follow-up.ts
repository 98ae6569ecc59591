/** Captures, refunds and the release of a hold. All name the intent of the payment's first step. */
import type { FollowUp, Outcome } from '../connector.ts'
import { notExecuted } from '../outcome.ts'
import { formBody } from '../wire.ts'
import { ofAnother, toCaptureOutcome, toRefundOutcome, unreadable } from './answer.ts'
import type { StripeWire } from './credentials.ts'
import { toStripeAmount } from './currencies.ts'
import { intentIn, toFailure } from './failure.ts'
import { factsOf, type Intent, readIntent } from './intent.ts'
import { fetchIntent } from './lookup.ts'
import { cancelOf, captureOf, refundOf } from './request.ts'

interface Target {
  readonly kind: 'target'
  readonly intent: string
  readonly amount: number
}

interface NoTarget {
  readonly kind: 'none'
  readonly outcome: Outcome
}

/** Returns the target of the request, or the reason why it cannot be sent. */
function targetOf({ first, amountMinor, currency }: FollowUp): Target | NoTarget {
  const amount = toStripeAmount(amountMinor, currency)
  if (amount === null) return noTarget('The acquirer cannot be asked for exactly this amount')
  if (first.reference === null) return noTarget('The acquirer’s reference of the payment is not known')
  if (first.reference.startsWith('seti_')) return noTarget('A verification of the card holds no money')
  return { kind: 'target', intent: first.reference, amount }
}

const noTarget = (reason: string): NoTarget => ({ kind: 'none', outcome: notExecuted(reason) })

export async function capture(followUp: FollowUp, wire: StripeWire): Promise<Outcome> {
  const target = targetOf(followUp)
  if (target.kind === 'none') return target.outcome
  const path = `/v1/payment_intents/${encodeURIComponent(target.intent)}/capture`
  const reply = await wire.post(path, formBody(captureOf(followUp, target.amount)), keyOf(followUp))
  return toCaptureOutcome(reply, followUp.transactionId)
}

export async function refund(followUp: FollowUp, wire: StripeWire): Promise<Outcome> {
  const target = targetOf(followUp)
  return target.kind === 'none' ? target.outcome : sendRefund('refund', followUp, { target, wire })
}

type Repayment = 'refund' | 'reverse' | 'void'

async function sendRefund(
  operation: Repayment,
  followUp: FollowUp,
  { target: { intent, amount }, wire }: { readonly target: Target; readonly wire: StripeWire },
): Promise<Outcome> {
  const body = refundOf(followUp, { intent, amount, operation })
  const reply = await wire.post('/v1/refunds', formBody(body), keyOf(followUp))
  return toRefundOutcome(reply, followUp.transactionId)
}

/**
 * Reversal and void. A hold is released by cancelling its intent. Stripe cannot cancel what was captured: then it is refunded, which
 * Stripe sends to the issuer as a reversal as long as the payment is not cleared.
 */
export async function release(operation: 'reverse' | 'void', followUp: FollowUp, wire: StripeWire): Promise<Outcome> {
  const target = targetOf(followUp)
  if (target.kind === 'none') return target.outcome
  const fetched = await fetchIntent(target.intent, wire)
  if (fetched.kind === 'unknown') return fetched.outcome
  const { intent } = fetched
  if (intent.metadata.transaction_id !== followUp.first.transactionId) return ofAnother()
  return intent.status === 'succeeded'
    ? sendRefund(operation, followUp, { target, wire })
    : cancel(followUp, target, wire)
}

async function cancel(followUp: FollowUp, { intent: id }: Target, wire: StripeWire): Promise<Outcome> {
  const path = `/v1/payment_intents/${encodeURIComponent(id)}/cancel`
  const reply = await wire.post(path, formBody(cancelOf()), keyOf(followUp))
  // A hold that ended meanwhile, by its time or in the dashboard, cannot be cancelled again; the error shows the intent.
  const intent = reply.status === 200 ? readIntent(reply.json()) : reply.status === 400 ? intentIn(reply) : null
  if (intent && isCanceled(intent, followUp)) return { result: 'approved', facts: factsOf(intent) }
  return reply.status === 200 ? unreadable() : toFailure(reply, null)
}

const isCanceled = ({ status, metadata }: Intent, { first }: FollowUp): boolean =>
  status === 'canceled' && metadata.transaction_id === first.transactionId

const keyOf = ({ transactionId }: FollowUp) => ({ idempotencyKey: transactionId })
