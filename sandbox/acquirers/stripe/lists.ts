/** The questions that Stripe answers: single objects, and lists with pages, newest first. */
import { isObject } from '#domain/json.ts'
import type { Reply } from '../../kit/reply.ts'
import type { Call } from '../../kit/routes.ts'
import type { Notice } from '../kit/books.ts'
import { now } from '../kit/clock.ts'
import { missing } from './errors.ts'
import type { IntentRecord, Records } from './records.ts'
import { showIntent, showRefund } from './views.ts'

export function answerIntent(
  kind: IntentRecord['object'],
  account: string,
  { parameters, query }: Call,
  records: Records,
): Reply {
  const intent = records.find(kind, account, parameters[0] ?? '')
  return intent ? { status: 200, body: showIntent(intent, isExpanded(query)) } : missing(kind)
}

export function listIntents(kind: IntentRecord['object'], account: string, { query }: Call, records: Records): Reply {
  const from = Number(query.get('created[gte]') ?? 0)
  const to = Number(query.get('created[lte]') ?? Number.MAX_SAFE_INTEGER)
  const intents = records.list(kind, account).filter(({ created }) => created >= from && created <= to)
  return pageOf(intents, query, (intent) => showIntent(intent, isExpanded(query)))
}

export function listRefunds(account: string, { query }: Call, records: Records): Reply {
  const intent = query.get('payment_intent')
  const from = Number(query.get('created[gte]') ?? 0)
  const refunds = records
    .list('refund', account)
    .filter((refund) => (intent === null || refund.intent === intent) && refund.created >= from)
  return pageOf(refunds, query, showRefund)
}

/** Every event is a notice, whether it was delivered or not. Stripe keeps those of 30 days. */
export function listEvents(account: string, { query }: Call, notices: readonly Notice[]): Reply {
  const types = [...query].filter(([name]) => name.startsWith('types[')).map(([, type]) => type)
  const oldest = Math.floor(now().getTime() / 1000) - 30 * 86_400
  const from = Math.max(oldest, Number(query.get('created[gte]') ?? 0))
  const events = notices
    .filter((notice) => notice.account === account)
    .map(({ content }) => content)
    .filter(isEvent)
    .filter(({ type, created }) => created >= from && (types.length === 0 || types.includes(type)))
  return pageOf(events.toReversed(), query, (event) => event)
}

interface ListedEvent {
  readonly id: string
  readonly type: string
  readonly created: number
}

const isEvent = (content: unknown): content is ListedEvent =>
  isObject(content) && typeof content['id'] === 'string' && typeof content['created'] === 'number'

const isExpanded = (query: URLSearchParams): boolean =>
  [...query].some(([name, value]) => name.startsWith('expand[') && /latest_(?:charge|attempt)$/.test(value))

function pageOf<T extends { readonly id: string }>(
  all: readonly T[],
  query: URLSearchParams,
  show: (item: T) => unknown,
): Reply {
  const limit = Math.min(Math.max(Number(query.get('limit') ?? 10), 1), 100)
  const after = query.get('starting_after')
  const begin = after === null ? 0 : all.findIndex(({ id }) => id === after) + 1
  const data = all.slice(begin, begin + limit).map(show)
  return { status: 200, body: { object: 'list', has_more: begin + limit < all.length, data } }
}
