/** PayPal's captures, authorisations, refunds and errors into outcomes. */
import type { AcquirerFacts, Outcome } from '../connector.ts'
import { notExecuted, refusedSend } from '../outcome.ts'
import type { WireReply } from '../wire.ts'
import { declineOf } from './declines.ts'
import { factsOf } from './facts.ts'
import { meaningOf } from './issues.ts'
import { errorSchema, oauthErrorSchema, type Payment, type PaypalOrder, paymentSchema } from './resources.ts'

export type PaymentKind = 'capture' | 'authorization' | 'refund'

/** The result of the request that created the payment, by the payment's status. A capture that was refunded later had been executed. */
// biome-ignore format: a table is read in columns.
const meanings: Readonly<Record<PaymentKind, Readonly<Record<string, 'approved' | 'declined' | 'waiting'>>>> = {
  capture: {
    COMPLETED: 'approved', PARTIALLY_REFUNDED: 'approved', REFUNDED: 'approved', PENDING: 'waiting',
    DECLINED: 'declined', FAILED: 'declined',
  },
  authorization: {
    CREATED: 'approved', CAPTURED: 'approved', PARTIALLY_CAPTURED: 'approved', PENDING: 'waiting',
    DENIED: 'declined', VOIDED: 'declined', EXPIRED: 'declined',
  },
  refund: {
    COMPLETED: 'approved', PENDING: 'waiting', CANCELLED: 'declined', FAILED: 'declined',
  },
}

/** `open` names what is asked about later; by default the payment itself. */
export function paymentOutcome(
  kind: PaymentKind,
  payment: Payment,
  { order, open = payment.id }: { readonly order?: PaypalOrder; readonly open?: string } = {},
): Outcome {
  const facts = factsOf(payment, order)
  switch (meanings[kind][payment.status]) {
    case 'approved':
      return { result: 'approved', facts }
    case 'declined': {
      if (kind === 'refund') return { result: 'declined', reason: 'The refund failed', declineClass: 'hard', facts }
      const { response_code, payment_advice_code } = payment.processor_response ?? {}
      return { result: 'declined', ...declineOf(response_code, payment_advice_code), facts }
    }
    case 'waiting':
      return { result: 'waiting', facts: { ...facts, reference: open } }
    default:
      return unknown('The acquirer has not decided yet.', { ...facts, reference: open })
  }
}

/** The answer about a capture or a refund that carries our reference as its invoice number. */
export function toPaymentOutcome(kind: PaymentKind, reply: WireReply, reference: string): Outcome {
  if (!isSuccess(reply)) return toFailure(reply)
  const parsed = paymentSchema.safeParse(reply.json())
  if (!parsed.success) return unknown(unreadable)
  const { invoice_id: invoice, id } = parsed.data
  // A short answer to a repeated request has only id and status: it is asked about by that id.
  if (invoice === undefined) return unknown('The acquirer has not decided yet.', { reference: id })
  return invoice === reference ? paymentOutcome(kind, parsed.data) : unknown(ofAnother)
}

export const unreadable = 'The answer of the acquirer could not be read.'
export const ofAnother = 'The answer of the acquirer is about another transaction.'

export const isSuccess = ({ status }: WireReply): boolean => status === 200 || status === 201

export const unknown = (reason: string, facts: AcquirerFacts = {}): Outcome => ({ result: 'unknown', reason, facts })

/** Null unless PayPal itself says so: proxies answer 404 as well. */
export function issueOf(reply: WireReply): string | null {
  const error = errorSchema.safeParse(reply.json()).data
  const issue = error && (error.details.find((detail) => detail.issue !== undefined)?.issue ?? error.name)
  return issue !== undefined && /^[A-Z0-9_]{3,64}$/.test(issue) ? issue : null
}

/** As PayPal explains the issue, for people; the issue where it does not. Null as of `issueOf`. */
export function sentenceOf(reply: WireReply): string | null {
  const issue = issueOf(reply)
  if (issue === null) return null
  const { message, details = [] } = errorSchema.safeParse(reply.json()).data ?? {}
  const detail = details.find((one) => one.issue !== undefined)
  return (detail ? detail.description : message) || issue
}

/** PayPal looks at none of these requests further; a 422 is decided by its issue. */
const unexecuted: ReadonlySet<number> = new Set([400, 404, 415])

export function toFailure(reply: WireReply): Outcome {
  const { status } = reply
  if ((status === 401 || status === 403) && isOfPaypal(reply))
    return refusedSend('The acquirer refused the credentials')
  if (status === 429 && isOfPaypal(reply)) return refusedSend('The acquirer is overloaded')
  const issue = issueOf(reply)
  if (issue === null) return unknown(`The acquirer answered ${status}.`)
  if (unexecuted.has(status)) return notExecuted(issue)
  if (status !== 422) return unknown(`The acquirer answered ${status}, ${issue}.`)
  const meaning = meaningOf(issue)
  switch (meaning.kind) {
    case 'declined':
      return { result: 'declined', ...meaning.decline, facts: {} }
    case 'open':
      return unknown(`The acquirer answered ${status}, ${issue}.`)
    case 'fault':
      return notExecuted(issue)
  }
}

const isOfPaypal = (reply: WireReply): boolean =>
  errorSchema.safeParse(reply.json()).success || oauthErrorSchema.safeParse(reply.json()).success
