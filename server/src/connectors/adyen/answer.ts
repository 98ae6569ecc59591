/**
 * Adyen's answers in our words. Only a result code or a documented error is an outcome; anything else is `unknown`: a state of a later API
 * version, a proxy's page, an error of Adyen's own.
 */
import { z } from 'zod'
import type { Outcome } from '../connector.ts'
import { notExecuted, refusedSend } from '../outcome.ts'
import type { WireReply } from '../wire.ts'
import { classOfCode } from './declines.ts'
import { factsOf, readAdditionalData } from './facts.ts'

interface Expected {
  /** The reference that we gave the request. */
  readonly reference: string
  /** The reference of the payment, where the request was about one that Adyen knows. */
  readonly paymentPspReference?: string | null
}

const actionSchema = z.object({
  type: z.literal('redirect'),
  url: z.url({ protocol: /^https?$/ }),
  method: z.enum(['GET', 'POST']).catch('GET'),
  data: z.record(z.string(), z.string()).optional(),
})

const paymentSchema = z.object({
  // Some payer's pages begin before Adyen has a reference of the payment.
  pspReference: z.string().min(1).optional(),
  resultCode: z.string(),
  merchantReference: z.string().optional(),
  refusalReason: z.string().optional(),
  refusalReasonCode: z.string().optional(),
  additionalData: z.unknown().optional(),
  action: z.unknown().optional(),
})

type PaymentAnswer = z.infer<typeof paymentSchema>

/** The answer to `/payments/details`. That it was refused, such as a forged return of the payer, says nothing about the payment. */
export function toCompletedOutcome(reply: WireReply, expected: Expected): Outcome {
  const outcome = toPaymentOutcome(reply, expected)
  return outcome.result === 'not-executed' ? { ...outcome, result: 'unknown' } : outcome
}

/** The answer to `/payments`. */
export function toPaymentOutcome(reply: WireReply, { reference }: Expected): Outcome {
  if (reply.status !== 200) return toRefusal(reply)
  const parsed = paymentSchema.safeParse(reply.json())
  if (!parsed.success) return unknown('The answer of the acquirer could not be read.')
  const { merchantReference = reference } = parsed.data
  if (merchantReference !== reference) return unknown('The answer of the acquirer is about another transaction.')
  return toResult(parsed.data)
}

function toResult(answer: PaymentAnswer): Outcome {
  const { resultCode, refusalReason, refusalReasonCode, pspReference } = answer
  if (pspReference === undefined) {
    if (resultCode === 'RedirectShopper') return toPayerStep(answer, {})
    return unknown('The answer of the acquirer names no payment.')
  }
  const facts = factsOf(pspReference, readAdditionalData(answer.additionalData))
  switch (resultCode) {
    case 'Authorised':
      return { result: 'approved', facts }
    case 'Refused':
      return {
        result: 'declined',
        reason: refusalReason || 'Refused',
        declineClass: classOfCode(refusalReasonCode),
        facts,
      }
    case 'Error': {
      const declineClass = classOfCode(refusalReasonCode)
      return {
        result: 'declined',
        reason: refusalReason || 'Error at the acquirer',
        declineClass: declineClass === 'unknown' ? 'technical' : declineClass,
        facts,
      }
    }
    case 'Cancelled':
      // No other MID may be tried against the payer's will.
      return { result: 'declined', reason: 'Cancelled by payer', declineClass: 'hard', facts }
    case 'Pending':
    case 'Received':
      return { result: 'waiting', facts }
    case 'RedirectShopper':
      return toPayerStep(answer, facts)
    default:
      return unknown(`The acquirer answered with the result ${wordOf(resultCode)}.`)
  }
}

function toPayerStep({ action }: PaymentAnswer, facts: Outcome['facts']): Outcome {
  const parsed = actionSchema.safeParse(action)
  if (!parsed.success) return { ...unknown('The answer of the acquirer names no page for the payer.'), facts }
  const { url, method, data = {} } = parsed.data
  return { result: 'payer-step', step: 'REDIRECT', url, method, params: method === 'POST' ? data : {}, facts }
}

const modificationSchema = z.object({
  pspReference: z.string().min(1),
  status: z.literal('received'),
  reference: z.string().optional(),
  paymentPspReference: z.string().optional(),
})

/** Captures, refunds and reversals are taken here and decided later, by a notification. */
export function toModificationOutcome(reply: WireReply, expected: Expected): Outcome {
  if (reply.status !== 201) return toRefusal(reply)
  const parsed = modificationSchema.safeParse(reply.json())
  if (!parsed.success) return unknown('The answer of the acquirer could not be read.')
  const { pspReference, reference = expected.reference, paymentPspReference } = parsed.data
  const isOther = paymentPspReference !== undefined && paymentPspReference !== expected.paymentPspReference
  if (reference !== expected.reference || isOther)
    return unknown('The answer of the acquirer is about another transaction.')
  return { result: 'waiting', facts: { reference: pspReference } }
}

/** Adyen has taken the technical cancel. Should the payment turn out to be executed all the same, its notification says so. */
export function toUndoOutcome(reply: WireReply, expected: Expected): Outcome {
  const outcome = toModificationOutcome(reply, expected)
  if (outcome.result === 'waiting') return { result: 'not-executed', reason: 'Cancelled at the acquirer', facts: {} }
  // The cancel was refused, which says nothing about the payment.
  return outcome.result === 'not-executed' ? { ...outcome, result: 'unknown' } : outcome
}

const errorSchema = z.object({ status: z.int(), errorCode: z.string(), errorType: z.string() })

/** Adyen says these before anything is executed. 704 means that the first request under the key is still being worked on. */
function toRefusal(reply: WireReply): Outcome {
  const { status } = reply
  if (status === 429) return refusedSend('The acquirer takes no more requests at the moment')
  const parsed = errorSchema.safeParse(reply.json())
  if (!parsed.success || parsed.data.status !== status) return unknown(`The acquirer answered ${status}.`)
  const { errorCode, errorType } = parsed.data
  if (status === 401 || status === 403) return refusedSend('The acquirer refused the credentials')
  const isRefused = (status === 400 || status === 422) && errorType !== 'internal' && errorCode !== '704'
  const words = `error ${wordOf(errorCode)}`
  return isRefused
    ? notExecuted(`The acquirer refused the request, ${words}`)
    : unknown(`The acquirer answered ${status}, ${words}.`)
}

/** A word of Adyen's, as far as it is one: an answer may quote the request. */
const wordOf = (text: string): string => (/^[A-Za-z0-9_]{1,40}$/.test(text) ? text : 'unreadable')

const unknown = (reason: string): Outcome & { readonly result: 'unknown' } => ({ result: 'unknown', reason, facts: {} })
