/**
 * CyberSource's answers in our words. An answer that does not state the result is `unknown`, without a reference: then the transaction is
 * looked up and reversed by our own id.
 */
import { z } from 'zod'
import type { Outcome } from '../connector.ts'
import { notExecuted, refusedSend } from '../outcome.ts'
import type { WireReply } from '../wire.ts'
import { fromCybersourceAmount } from './currencies.ts'
import { declineOf } from './declines.ts'
import { fact, factsIn, factsOf, issuerSchema, processorSchema } from './facts.ts'
import type { Request } from './request.ts'

const answerSchema = z.object({
  id: z.string().regex(/^\w{1,60}$/),
  status: z.string(),
  clientReferenceInformation: factsIn({ code: fact }),
  errorInformation: factsIn({ reason: fact }),
  processorInformation: processorSchema,
  issuerInformation: issuerSchema,
  orderInformation: factsIn({ amountDetails: factsIn({ authorizedAmount: fact }) }),
})

export type CybersourceAnswer = z.infer<typeof answerSchema>

/** What an answer must repeat to be about the transaction that was sent; a reference of null is not compared. */
interface Expected extends Pick<Request, 'amount' | 'currency'> {
  readonly reference: string | null
}

/** What an answer came to: read, or already an outcome. */
type Reading =
  | { readonly kind: 'answer'; readonly answer: CybersourceAnswer }
  | { readonly kind: 'outcome'; readonly outcome: Outcome }

export function readAnswer(reply: WireReply, { reference }: Pick<Expected, 'reference'>): Reading {
  if (reply.status !== 201) return { kind: 'outcome', outcome: toRefusal(reply) }
  const { data: answer } = answerSchema.safeParse(reply.json())
  if (!answer) return { kind: 'outcome', outcome: unknown('The answer of the acquirer could not be read.') }
  const { code = reference } = answer.clientReferenceInformation ?? {}
  if (reference !== null && code !== reference)
    return { kind: 'outcome', outcome: unknown('The answer of the acquirer is about another transaction.') }
  return { kind: 'answer', answer }
}

/** The statuses that say yes, by what was asked. */
const accepted = {
  payment: new Set(['AUTHORIZED']),
  // Both are in the next batch; CyberSource says no more about them.
  capture: new Set(['PENDING', 'TRANSMITTED']),
  refund: new Set(['PENDING', 'TRANSMITTED']),
  credit: new Set(['PENDING', 'AUTHORIZED', 'TRANSMITTED', 'COMPLETED']),
  reversal: new Set(['REVERSED']),
  void: new Set(['VOIDED', 'CANCELLED']),
} as const satisfies Readonly<Record<string, ReadonlySet<string>>>

type Step = keyof typeof accepted

export function toOutcome(step: Step, reply: WireReply, expected: Expected): Outcome {
  const reading = readAnswer(reply, expected)
  return reading.kind === 'outcome' ? reading.outcome : outcomeOf(step, reading.answer, expected)
}

export function outcomeOf(step: Step, answer: CybersourceAnswer, { amount, currency }: Expected): Outcome {
  const statuses: ReadonlySet<string> = accepted[step]
  if (statuses.has(answer.status)) {
    const { authorizedAmount } = answer.orderInformation?.amountDetails ?? {}
    const isOther = step === 'payment' && authorizedAmount !== undefined && !isSame(authorizedAmount, amount, currency)
    return isOther ? unknown('The acquirer approved another amount.') : { result: 'approved', facts: factsOf(answer) }
  }
  switch (answer.status) {
    case 'DECLINED':
    case 'FAILED':
      return toDecline(answer)
    // The issuer wants a telephone call, and holds nothing.
    case 'AUTHORIZED_PENDING_REVIEW':
      return toDecline(answer)
    case 'PENDING_AUTHENTICATION':
      return toDecline({ ...answer, errorInformation: { reason: 'PENDING_AUTHENTICATION' } })
    default:
      return unknown('The acquirer has not decided.')
  }
}

const isSame = (one: string, other: string, currency: string): boolean =>
  fromCybersourceAmount(one, currency) === fromCybersourceAmount(other, currency)

export function toDecline(answer: CybersourceAnswer): Outcome {
  const { reason, declineClass } = declineOf(answer.errorInformation?.reason, answer.processorInformation?.responseCode)
  return { result: 'declined', reason, declineClass, facts: factsOf(answer) }
}

const errorSchema = z.object({
  status: z.string(),
  reason: z.string().regex(/^[A-Z_]{1,60}$/),
  details: z.array(z.object({ field: z.string().regex(/^[\w.[\]]{1,100}$/) })).catch([]),
})

interface Refusal {
  readonly reason: string
  /** Which fields CyberSource did not like. */
  readonly fields: readonly string[]
}

/** Null unless CyberSource says that it did nothing because the request was not possible. */
export function refusalIn(reply: WireReply): Refusal | null {
  if (reply.status !== 400 && reply.status !== 404) return null
  const { data: error } = errorSchema.safeParse(reply.json())
  const isRefusal = error && (error.status === 'INVALID_REQUEST' || error.status === 'NOT_FOUND')
  return isRefusal ? { reason: error.reason, fields: error.details.map(({ field }) => field) } : null
}

/** The processor may have executed it, or CyberSource has seen its reference before. */
const doubtful: ReadonlySet<string> = new Set(['PROCESSOR_UNAVAILABLE', 'DUPLICATE_REQUEST'])

const notAllowed: ReadonlySet<string> = new Set([
  'AUTH_ALREADY_REVERSED',
  'CAPTURE_ALREADY_VOIDED',
  'EXCEEDS_AUTH_AMOUNT',
  'MISSING_AUTH',
  'NOT_VOIDABLE',
  'TRANSACTION_ALREADY_REVERSED_OR_SETTLED',
  'TRANSACTION_ALREADY_SETTLED',
])

function toRefusal(reply: WireReply): Outcome {
  const { status } = reply
  if (status === 401 || status === 403) return refusedSend('The acquirer refused the credentials')
  if (status === 429) return refusedSend('The acquirer takes no more requests at the moment')
  const refusal = refusalIn(reply)
  if (!refusal) return unknown(`The acquirer answered ${status}.`)
  const { reason, fields } = refusal
  const isRepeated = fields.includes('clientReferenceInformation.transactionId')
  if (doubtful.has(reason) || isRepeated) return unknown(`The acquirer answered ${status}, ${reason}.`)
  if (notAllowed.has(reason)) return notExecuted('The acquirer does not allow this in the state of the payment')
  if (status === 404) return notExecuted('The acquirer does not know the payment')
  return notExecuted(`The acquirer refused the request: ${[reason, ...fields].join(', ')}`)
}

export const unknown = (reason: string): Extract<Outcome, { result: 'unknown' }> => ({
  result: 'unknown',
  reason,
  facts: {},
})

export const notPossible: Outcome = notExecuted('The acquirer cannot take this payment method or this exact amount')
