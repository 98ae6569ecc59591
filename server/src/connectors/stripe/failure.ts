/**
 * Stripe's errors into ours: https://docs.stripe.com/api/errors.
 *
 * A card error is the issuer's decline. An invalid request was refused before anything was executed. An idempotency error says that another
 * request under the same key arrived before, so that the outcome is that of the other one and unknown here.
 */
import { z } from 'zod'
import type { Outcome } from '../connector.ts'
import { notExecuted, refusedSend } from '../outcome.ts'
import type { WireReply } from '../wire.ts'
import { declineOf } from './declines.ts'
import { factsOf, type Intent, readIntent } from './intent.ts'

const failureSchema = z.object({
  error: z.object({
    type: z.string(),
    code: z.string().nullish(),
    decline_code: z.string().nullish(),
    advice_code: z.string().nullish(),
    network_decline_code: z.string().nullish(),
    payment_intent: z.unknown().optional(),
    setup_intent: z.unknown().optional(),
  }),
})

type Failure = z.infer<typeof failureSchema>['error']

export const unknown = (reason: string): Outcome => ({ result: 'unknown', reason, facts: {} })

/** Interprets an answer that is no success. `transactionId` identifies the intent that the request made; null if it made none. */
export function toFailure(reply: WireReply, transactionId: string | null): Outcome {
  const { status } = reply
  if (status === 429) return refusedSend('The acquirer received too many requests')
  const failure = failureSchema.safeParse(reply.json()).data?.error
  if (!failure) return unknown(`The acquirer answered ${status}.`)
  switch (status) {
    case 401:
    case 403:
      return refusedSend('The acquirer refused the credentials')
    case 402:
      return toDecline(failure, transactionId)
    case 400:
    case 404:
      return failure.type === 'invalid_request_error'
        ? notExecuted(refusalOf(failure))
        : unknown(`The acquirer answered ${status}, ${failure.type}.`)
    default:
      return unknown(`The acquirer answered ${status}.`)
  }
}

/** The intent that an error is about, such as one that is not in the state that the request needs. */
export function intentIn(reply: WireReply): Intent | null {
  const failure = failureSchema.safeParse(reply.json()).data?.error
  return readIntent(failure?.payment_intent ?? failure?.setup_intent)
}

function toDecline(failure: Failure, transactionId: string | null): Outcome {
  if (failure.type !== 'card_error') return unknown(`The acquirer answered 402, ${failure.type}.`)
  const { payment_intent, setup_intent } = failure
  const shown = payment_intent ?? setup_intent
  const { declineClass, reason } = declineOf(failure)
  // The number itself was refused, before there was an intent.
  if (shown === undefined || shown === null) return { result: 'declined', reason, declineClass, facts: {} }

  const intent = readIntent(shown)
  if (!intent) return unknown('The answer of the acquirer could not be read.')
  if (transactionId !== null && intent.metadata.transaction_id !== transactionId)
    return unknown('The answer of the acquirer is about another transaction.')
  // At a capture the hold stays as it was.
  if (transactionId !== null && intent.status !== 'requires_payment_method')
    return unknown(`The acquirer answered a decline, and the payment is ${intent.status}.`)
  return { result: 'declined', reason, declineClass, facts: factsOf({ ...intent, error: failure }) }
}

/** Stripe's own sentence may quote the request, so that the code speaks. */
function refusalOf({ code }: Failure): string {
  const known = code ? refusals[code] : undefined
  if (known) return known
  return code && /^[a-z0-9_]{1,60}$/.test(code)
    ? `The acquirer refused the request: ${code}`
    : 'The acquirer refused the request'
}

const refusals: Readonly<Record<string, string>> = {
  amount_too_large: 'The amount is above the limit of the acquirer',
  amount_too_small: 'The amount is below the minimum of the acquirer',
  balance_insufficient: 'The balance at the acquirer does not cover the refund',
  capture_charge_authorization_expired: 'The hold has expired',
  charge_already_captured: 'The payment is captured already',
  charge_already_refunded: 'The payment is refunded already',
  charge_disputed: 'The payment is disputed',
  charge_expired_for_capture: 'The hold has expired',
  payment_intent_unexpected_state: 'The payment at the acquirer is in another state',
  refund_disputed_payment: 'The payment is disputed',
  resource_missing: 'The acquirer does not know the payment',
  testmode_charges_only: 'The acquirer account takes test payments only',
}
