/**
 * Stripe's words into ours.
 *
 * An answer that does not state the result is `unknown`: a status it may add one day, a proxy's page, an intent that is not ours.
 */
import type { AcquirerFacts, Outcome } from '../connector.ts'
import type { WireReply } from '../wire.ts'
import { declineOf } from './declines.ts'
import { toFailure, unknown } from './failure.ts'
import { factsOf, type Intent, readIntent } from './intent.ts'
import { type Refund, readRefund } from './refund.ts'

type FirstOperation = 'sale' | 'authorize'

interface Expected {
  readonly transactionId: string
  readonly operation: FirstOperation
}

/** The answer to a charge. */
export function toOutcome(reply: WireReply, expected: Expected): Outcome {
  if (reply.status !== 200) return toFailure(reply, expected.transactionId)
  const intent = readIntent(reply.json())
  return intent ? outcomeOf(intent, expected) : unreadable()
}

/** A proxy that mixes up its connections hands out the answer to another request, which says nothing about this one. */
export function outcomeOf(intent: Intent, { transactionId, operation }: Expected): Outcome {
  if (intent.metadata.transaction_id !== transactionId) return ofAnother()
  const facts = factsOf(intent)
  switch (intent.status) {
    case 'succeeded':
      return { result: 'approved', facts }
    case 'requires_capture':
      if (operation === 'authorize') return { result: 'approved', facts }
      return { result: 'unknown', reason: 'The acquirer holds the amount and has not taken it.', facts }
    case 'requires_action':
      return toPayerStep(intent, facts)
    case 'requires_payment_method':
      return toDecline(intent, facts)
    case 'canceled':
      return { result: 'declined', reason: cancellationOf(intent), declineClass: 'hard', facts }
    case 'processing':
      return { result: 'unknown', reason: 'The acquirer has not decided yet.', facts }
    default:
      return { result: 'unknown', reason: 'The acquirer gave a status that is not known.', facts }
  }
}

function toPayerStep({ id, redirectUrl }: Intent, facts: AcquirerFacts): Outcome {
  if (!redirectUrl) return { result: 'unknown', reason: 'The acquirer names no page for the payer.', facts }
  return {
    result: 'payer-step',
    step: 'REDIRECT',
    url: redirectUrl,
    method: 'GET',
    params: {},
    state: { intent: id },
    facts,
  }
}

function toDecline({ error }: Intent, facts: AcquirerFacts): Outcome {
  if (!error) return { result: 'unknown', reason: 'The acquirer names no reason.', facts }
  if (error.type !== 'card_error' && !error.code?.endsWith('_authentication_failure'))
    return { result: 'declined', reason: 'Processing error', declineClass: 'technical', facts }
  return { result: 'declined', ...declineOf(error), facts }
}

/** Stripe ends an intent by itself when the payer did not act in time. */
const cancellationOf = ({ cancellationReason }: Intent): string =>
  ['abandoned', 'automatic', 'expired'].includes(cancellationReason ?? '') ? 'Expired' : 'Cancelled at the acquirer'

export function toRefundOutcome(reply: WireReply, transactionId: string): Outcome {
  if (reply.status !== 200) return toFailure(reply, null)
  const refund = readRefund(reply.json())
  if (!refund) return unreadable()
  return refund.metadata.transaction_id === transactionId ? refundOutcomeOf(refund) : ofAnother()
}

export function refundOutcomeOf({ id, status, failureReason, arn }: Refund): Outcome {
  const facts = { reference: id, ...(arn && { arn }) }
  switch (status) {
    case 'succeeded':
      return { result: 'approved', facts }
    case 'pending':
    case 'requires_action':
      return { result: 'waiting', facts }
    case 'failed':
    case 'canceled':
      return { result: 'declined', reason: failureReason, declineClass: 'hard', facts }
    default:
      return { result: 'unknown', reason: 'The acquirer gave a status that is not known.', facts }
  }
}

export function toCaptureOutcome(reply: WireReply, transactionId: string): Outcome {
  if (reply.status !== 200) return toFailure(reply, null)
  const intent = readIntent(reply.json())
  if (!intent) return unreadable()
  if (intent.metadata.capture_transaction_id !== transactionId) return ofAnother()
  const facts = factsOf(intent)
  if (intent.status === 'succeeded') return { result: 'approved', facts }
  return { result: 'unknown', reason: `The payment at the acquirer is ${intent.status}.`, facts }
}

export const unreadable = (): Outcome => unknown('The answer of the acquirer could not be read.')
export const ofAnother = (): Outcome => unknown('The answer of the acquirer is about another transaction.')
