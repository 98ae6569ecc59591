/**
 * Checkout.com's answers in our words. An answer that does not state the result is `unknown`: a status that it may add one day, a proxy's error
 * page, an error of its own.
 */
import { z } from 'zod'
import type { Outcome } from '../connector.ts'
import { notExecuted, refusedSend } from '../outcome.ts'
import type { WireReply } from '../wire.ts'
import { declineClassOf, declineReasonOf } from './declines.ts'
import { factsOf, type Payment, paymentSchema } from './payment.ts'

/** What an answer must repeat to be about the transaction that was sent. */
interface Expected {
  readonly reference: string
  /** In Checkout.com's units. */
  readonly amount: bigint | null
  /** Checkout.com's id of the payment, where it is known already. */
  readonly id?: string
}

const succeeded: ReadonlySet<number> = new Set([200, 201, 202])

export function toPaymentOutcome(reply: WireReply, expected: Expected): Outcome {
  if (!succeeded.has(reply.status)) return toRefusal(reply, refusedSend('The acquirer refused the credentials'))
  const parsed = paymentSchema.safeParse(reply.json())
  if (!parsed.success) return unknown('The answer of the acquirer could not be read.')
  return outcomeOf(parsed.data, expected)
}

/** A payment that was asked about. */
export function outcomeOf(payment: Payment, { reference, amount, id }: Expected): Outcome {
  const isAnother = (payment.reference ?? reference) !== reference || (id !== undefined && payment.id !== id)
  if (isAnother) return unknown('The answer of the acquirer is about another transaction.')
  const facts = factsOf(payment)
  if (taken.has(payment.status)) {
    if (payment.approved === false) return unknown('The answer of the acquirer contradicts itself.')
    if (amount !== null && BigInt(payment.amount ?? amount) !== amount)
      return unknown('The acquirer approved another amount.')
    return { result: 'approved', facts }
  }
  switch (payment.status) {
    case 'Declined':
      return toDecline(payment)
    case 'Canceled':
      return { result: 'declined', reason: 'Cancelled by payer', declineClass: 'hard', facts }
    case 'Expired':
      return { result: 'declined', reason: 'Expired', declineClass: 'hard', facts }
    case 'Pending':
      return toPending(payment)
    default:
      return { ...unknown('The acquirer has not decided yet.'), facts }
  }
}

/** The first step of the payment was approved, whatever happened to its money since. */
const taken: ReadonlySet<string> = new Set([
  'Authorized',
  'Card Verified',
  'Deferred Capture',
  'Captured',
  'Partially Captured',
  'Refunded',
  'Partially Refunded',
  'Voided',
  'Paid',
])

function toDecline(payment: Payment): Outcome {
  const { response_code: code, response_summary: summary } = payment.response_code
    ? payment
    : (payment.actions?.[0] ?? {})
  return {
    result: 'declined',
    reason: declineReasonOf(code, summary),
    declineClass: declineClassOf(code),
    facts: factsOf(payment),
  }
}

/**
 * A payment that waits for the payer names its page, where Checkout.com authenticates and then decides by itself; a payout has none and is
 * finished by the recipient's bank.
 */
function toPending(payment: Payment): Outcome {
  const facts = factsOf(payment)
  const url = payment._links?.redirect?.href
  if (url === undefined) return { result: 'waiting', facts }
  return { result: 'payer-step', step: 'REDIRECT', url, method: 'GET', params: {}, facts }
}

const acceptedSchema = z.object({ action_id: z.string().min(1).max(100), reference: z.string().nullish() })

/** A capture, refund or reversal is taken now and decided later. */
export function toActionOutcome(reply: WireReply, { reference }: Pick<Expected, 'reference'>): Outcome {
  if (!succeeded.has(reply.status)) return toRefusal(reply, notExecuted(notAllowed))
  const parsed = acceptedSchema.safeParse(reply.json())
  if (!parsed.success) return unknown('The answer of the acquirer could not be read.')
  if ((parsed.data.reference ?? reference) !== reference)
    return unknown('The answer of the acquirer is about another transaction.')
  return { result: 'waiting', facts: { reference: parsed.data.action_id } }
}

const errorSchema = z.object({
  error_type: z.string(),
  error_codes: z.array(z.string().regex(/^[a-z0-9_.]{1,80}$/)).catch([]),
})

export const notAllowed = 'The acquirer does not allow this in the state of the payment'

/** Checkout.com says these before it has executed anything. `forbidden`: what 403 means. */
export function toRefusal(reply: WireReply, forbidden: Outcome): Outcome {
  const { status } = reply
  if (status === 401) return refusedSend('The acquirer refused the credentials')
  if (status === 403) return forbidden
  if (status === 429) return refusedSend('The acquirer takes no more requests at the moment')
  if (status === 404 && isCheckouts(reply)) return notExecuted('The acquirer does not know the payment')
  const { error_type: type, error_codes: codes = [] } = errorSchema.safeParse(reply.json()).data ?? {}
  if (status === 422 && type === 'request_invalid')
    return notExecuted(`The acquirer refused the request${codes.length > 0 ? `: ${codes.join(', ')}` : ''}`)
  return unknown(`The acquirer answered ${status}${type === undefined ? '' : `, ${codes[0] ?? 'without a code'}`}.`)
}

/** Its answers without a body are told from a proxy's by the header that every answer of its API has. */
const isCheckouts = ({ headers }: WireReply): boolean => headers['cko-request-id'] !== undefined

export const unknown = (reason: string): Extract<Outcome, { result: 'unknown' }> => ({
  result: 'unknown',
  reason,
  facts: {},
})
