/**
 * What became of a transaction, asked of Stripe.
 *
 * An intent whose id is known is fetched. Otherwise the intents of the time since the transaction was written are listed, and the metadata
 * tell ours. That the acquirer never got the request is said only of a list that was read to its end: the search of Stripe is not used,
 * since it lags behind. Captures, refunds and cancellations are found at the payment's intent.
 */
import { z } from 'zod'
import type { Answer, Outcome, StatusQuery } from '../connector.ts'
import { notExecuted } from '../outcome.ts'
import { ofAnother, outcomeOf, refundOutcomeOf, unreadable } from './answer.ts'
import type { StripeWire } from './credentials.ts'
import { unknown } from './failure.ts'
import { factsOf, type Intent, readIntent } from './intent.ts'
import { type Refund, readRefund } from './refund.ts'

const neverArrived: Answer = { result: 'never-arrived' }

export async function lookUp(query: StatusQuery, wire: StripeWire): Promise<Answer> {
  switch (query.operation) {
    case 'sale':
    case 'authorize':
      return lookUpCharge(query, query.operation, wire)
    case 'capture':
      return onIntent(query, wire, (intent) => captureAnswer(intent, query.transactionId))
    case 'refund':
      return lookUpRefund(query, wire)
    case 'reverse':
    case 'void':
      return onIntent(query, wire, (intent) =>
        intent.status === 'canceled' ? approvedOn(intent) : lookUpRefund(query, wire),
      )
    default:
      return { result: 'cannot-be-asked' }
  }
}

async function lookUpCharge(
  { transactionId, reference, amountMinor, createdAt }: StatusQuery,
  operation: 'sale' | 'authorize',
  wire: StripeWire,
): Promise<Answer> {
  const expected = { transactionId, operation }
  if (reference !== null) {
    const fetched = await fetchIntent(reference, wire)
    return fetched.kind === 'intent' ? outcomeOf(fetched.intent, expected) : fetched.outcome
  }
  const path = amountMinor === 0n ? '/v1/setup_intents' : '/v1/payment_intents'
  const expand = amountMinor === 0n ? 'data.latest_attempt' : 'data.latest_charge'
  for (const [from, to] of periodsSince(createdAt, wire.now())) {
    const query = `${path}?limit=100&created[gte]=${from}&created[lte]=${to}&expand[0]=${expand}`
    const found = await findInList(query, wire, (item) => {
      const intent = readIntent(item)
      return intent?.metadata.transaction_id === transactionId ? intent : null
    })
    if (found.kind === 'found') return outcomeOf(found.item, expected)
    if (found.kind === 'incomplete') return unknown(found.reason)
    if (!isNear(found.at, wire.now())) return unknown('The clock of the acquirer differs from ours.')
  }
  return neverArrived
}

/** Otherwise the intent may lie outside the time that was asked for. */
const isNear = (theirs: number, ours: Date): boolean => Math.abs(theirs - ours.getTime()) < (skew * 1000) / 2

/** How far the clocks may differ, in seconds. */
const skew = 300
/** Ends of the periods after the first, in seconds since the transaction: usually it is found in the first, which is short. */
const periodEnds = [600, 3600, 86_400, Number.POSITIVE_INFINITY]

/** From the transaction until now, in seconds: a request may have been sent again long after the transaction was written. */
function periodsSince(createdAt: Date, now: Date): readonly (readonly [from: number, to: number])[] {
  const begin = Math.floor(createdAt.getTime() / 1000)
  const end = Math.max(begin, Math.floor(now.getTime() / 1000)) + skew
  const periods: (readonly [number, number])[] = []
  let from = begin - skew
  for (const seconds of periodEnds) {
    if (from > end) break
    const to = Math.min(begin + seconds, end)
    periods.push([from, to])
    from = to + 1
  }
  return periods
}

function captureAnswer(intent: Intent, transactionId: string): Answer {
  const isOurs = intent.metadata.capture_transaction_id === transactionId
  switch (intent.status) {
    case 'requires_capture':
      return neverArrived
    case 'succeeded':
      return isOurs ? approvedOn(intent) : notExecuted('The hold was captured by another command')
    case 'canceled':
      return notExecuted('The hold was released before the capture')
    default:
      return unknown(`The payment at the acquirer is ${intent.status}.`)
  }
}

const approvedOn = (intent: Intent): Answer => ({ result: 'approved', facts: factsOf(intent) })

/** A refund of ours has our transaction in its metadata; the list of an intent's refunds is short. */
async function lookUpRefund({ transactionId, first }: StatusQuery, wire: StripeWire): Promise<Answer> {
  if (first.reference === null) return unknown('The acquirer’s reference of the payment is not known.')
  const query = `/v1/refunds?limit=100&payment_intent=${encodeURIComponent(first.reference)}`
  const found = await findInList<Refund>(query, wire, (item) => {
    const refund = readRefund(item)
    return refund?.metadata.transaction_id === transactionId ? refund : null
  })
  switch (found.kind) {
    case 'found':
      return refundOutcomeOf(found.item)
    case 'incomplete':
      return unknown(found.reason)
    case 'absent':
      return neverArrived
  }
}

async function onIntent(
  { first }: StatusQuery,
  wire: StripeWire,
  answer: (intent: Intent) => Answer | Promise<Answer>,
): Promise<Answer> {
  if (first.reference === null) return unknown('The acquirer’s reference of the payment is not known.')
  const fetched = await fetchIntent(first.reference, wire)
  if (fetched.kind === 'unknown') return fetched.outcome
  const { intent } = fetched
  return intent.metadata.transaction_id === first.transactionId ? answer(intent) : ofAnother()
}

type Fetched =
  | { readonly kind: 'intent'; readonly intent: Intent }
  | { readonly kind: 'unknown'; readonly outcome: Outcome }

/** An error tells about the question and not about the transaction. */
export async function fetchIntent(id: string, wire: StripeWire): Promise<Fetched> {
  const reply = await wire.get(intentPath(id))
  if (reply.status !== 200)
    return { kind: 'unknown', outcome: unknown(`The acquirer answered the question with ${reply.status}.`) }
  const intent = readIntent(reply.json())
  return intent ? { kind: 'intent', intent } : { kind: 'unknown', outcome: unreadable() }
}

const intentPath = (id: string): string =>
  id.startsWith('seti_')
    ? `/v1/setup_intents/${encodeURIComponent(id)}?expand[0]=latest_attempt`
    : `/v1/payment_intents/${encodeURIComponent(id)}?expand[0]=latest_charge`

const listSchema = z.object({
  object: z.literal('list'),
  has_more: z.boolean(),
  data: z.array(z.looseObject({ id: z.string().min(1) })),
})

type Search<Item> =
  | { readonly kind: 'found'; readonly item: Item }
  /** `at`: when the acquirer answered, by its own clock; not a number where it did not say. */
  | { readonly kind: 'absent'; readonly at: number }
  | { readonly kind: 'incomplete'; readonly reason: string }

/** 10 000 entries; above that the transaction stays unknown, and an operator decides. */
const mostPages = 100

async function findInList<Item>(
  query: string,
  wire: StripeWire,
  match: (item: unknown) => Item | null,
): Promise<Search<Item>> {
  let after = ''
  for (let page = 0; page < mostPages; page++) {
    const reply = await wire.get(query + after)
    const list = reply.status === 200 ? listSchema.safeParse(reply.json()).data : undefined
    if (!list) return { kind: 'incomplete', reason: `The acquirer answered the question with ${reply.status}.` }
    for (const entry of list.data) {
      const item = match(entry)
      if (item !== null) return { kind: 'found', item }
    }
    const last = list.data.at(-1)
    if (!list.has_more) return { kind: 'absent', at: Date.parse(reply.headers.date ?? '') }
    if (!last) break
    after = `&starting_after=${encodeURIComponent(last.id)}`
  }
  return { kind: 'incomplete', reason: 'The list of the acquirer could not be read to its end.' }
}
