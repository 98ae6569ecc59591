/** Payment links and the sessions opened by them. Chapter 70 §8. */
import type { JsonObject } from '../../contracts/json.ts'
import type { PaymentLinks } from '../../contracts/session-ports.ts'
import type { PaymentLinkRecord } from '../../contracts/session-records.ts'
import { insertion, json } from '../database/insertion.ts'
import { type Nothing, type Queryable, query, sql } from '../database/pool.ts'

interface LinkRow extends Omit<PaymentLinkRecord, 'mode' | 'isCancelled' | 'metadata'> {
  readonly test: boolean
  readonly cancelledAt: Date | null
  readonly metadata: JsonObject | null
}

const columns = `merchant_id as "merchantId", id, code, test, amount_minor as "amountMinor", currency, description,
     order_number as "orderNumber", uses, language, metadata, expires_at as "expiresAt", cancelled_at as "cancelledAt",
     session_id as "sessionId", created_by as "createdBy", created_at as "createdAt"`

// biome-ignore format: a table is read in columns.
const linkInsertion = insertion<PaymentLinkRecord>('payment_links', [
  ['merchant_id',  (link) => link.merchantId],
  ['id',           (link) => link.id],
  ['code',         (link) => link.code],
  ['test',         (link) => link.mode === 'test'],
  ['amount_minor', (link) => link.amountMinor],
  ['currency',     (link) => link.currency],
  ['description',  (link) => link.description],
  ['order_number', (link) => link.orderNumber],
  ['uses',         (link) => link.uses],
  ['language',     (link) => link.language],
  ['metadata',     (link) => json(link.metadata)],
  ['expires_at',   (link) => link.expiresAt],
  ['created_by',   (link) => link.createdBy],
  ['created_at',   (link) => link.createdAt],
])

const addLink = sql<Nothing, readonly unknown[]>('payment-link.add', linkInsertion.text(1))
const findByCode = sql<LinkRow, readonly [string]>(
  'payment-link.with-code',
  `select ${columns} from payment_links where code = $1`,
)
const findLink = sql<LinkRow, readonly [string, string]>(
  'payment-link.find',
  `select ${columns} from payment_links where merchant_id = $1 and id = $2`,
)
const listLinks = sql<LinkRow, readonly [readonly string[] | null, string | null, number]>(
  'payment-link.list',
  `select ${columns} from payment_links where ($1::uuid[] is null or merchant_id = any($1)) and ($2::uuid is null or id < $2)
   order by id desc limit $3`,
)
const cancelLink = sql<{ id: string }, readonly [string, string, Date]>(
  'payment-link.cancel',
  'update payment_links set cancelled_at = $3 where merchant_id = $1 and id = $2 and cancelled_at is null returning id',
)
const addSession = sql<Nothing, readonly [string, string, string, Date]>(
  'payment-link.add-session',
  'insert into payment_link_sessions (merchant_id, session_id, link_id, opened_at) values ($1, $2, $3, $4)',
)
const replaceSession = sql<{ id: string }, readonly [string, string, string | null]>(
  'payment-link.replace-session',
  `update payment_links set session_id = $2 where id = $1 and session_id is not distinct from $3 and cancelled_at is null returning id`,
)
const listSessions = sql<{ sessionId: string }, readonly [string, number]>(
  'payment-link.sessions',
  'select session_id as "sessionId" from payment_link_sessions where link_id = $1 order by opened_at desc limit $2',
)
const countPaid = sql<{ linkId: string; paid: number }, readonly [readonly string[]]>(
  'payment-link.count-paid',
  `select s.link_id as "linkId", count(*)::int as paid
   from payment_link_sessions s join payments p on p.merchant_id = s.merchant_id and p.session_id = s.session_id
   where s.link_id = any($1::uuid[])
     and (p.status in ('SETTLED', 'REVERSAL', 'REFUND', 'VOID', 'CHARGEBACK') or p.status = 'PENDING' and p.holds)
   group by s.link_id`,
)

interface LinkPayment {
  readonly id: string
  readonly status: string
  readonly amountMinor: bigint
  readonly amountDecimals: number
  readonly currency: string
  readonly payerEmail: string | null
  readonly createdAt: Date
}

const paymentsOfSessions = sql<LinkPayment, readonly [string, readonly string[], number]>(
  'payment-link.payments',
  `select id, status, amount_minor as "amountMinor", amount_decimals as "amountDecimals", currency, payer_email as "payerEmail",
     created_at as "createdAt"
   from payments where merchant_id = $1 and session_id = any($2::uuid[]) order by id desc limit $3`,
)

/** Sessions of a link whose payments are shown; a link for many payments may have more. */
const sessionsAtMost = 1000

export const paymentLinkStore = (on: Queryable) => ({
  ...linksOf(on),
  add: async (link: PaymentLinkRecord): Promise<void> => {
    await query(on, addLink, linkInsertion.values(link))
  },
  find: async (merchantId: string, id: string): Promise<PaymentLinkRecord | null> =>
    linkFrom((await query(on, findLink, [merchantId, id]))[0]),
  /** Newest first; null for all merchants. */
  list: async (merchantIds: readonly string[] | null, before: string | null, limit: number) =>
    (await query(on, listLinks, [merchantIds, before, limit])).flatMap((row) => linkFrom(row) ?? []),
  /** False if it was cancelled before. */
  cancel: async ({ merchantId, id }: PaymentLinkRecord, at: Date): Promise<boolean> =>
    (await query(on, cancelLink, [merchantId, id, at])).length === 1,
  /** By the link's id; links without a successful payment are left out. */
  readPaidCounts: async (linkIds: readonly string[]): Promise<ReadonlyMap<string, number>> =>
    new Map((await query(on, countPaid, [linkIds])).map(({ linkId, paid }) => [linkId, paid])),
  listPayments: async ({ merchantId, id }: PaymentLinkRecord, limit: number): Promise<readonly LinkPayment[]> => {
    const sessions = await query(on, listSessions, [id, sessionsAtMost])
    return query(on, paymentsOfSessions, [merchantId, sessions.map(({ sessionId }) => sessionId), limit])
  },
})

const linksOf = (on: Queryable): PaymentLinks => ({
  withCode: async (code) => linkFrom((await query(on, findByCode, [code]))[0]),
  countPaid: async ({ id }) => (await query(on, countPaid, [[id]]))[0]?.paid ?? 0,
  addSession: async ({ merchantId, id }, sessionId, at) => {
    await query(on, addSession, [merchantId, sessionId, id, at])
  },
  replaceSession: async ({ id, sessionId: before }, sessionId) =>
    (await query(on, replaceSession, [id, sessionId, before])).length === 1,
})

function linkFrom(row: LinkRow | undefined): PaymentLinkRecord | null {
  if (!row) return null
  const { test, cancelledAt, ...link } = row
  return { ...link, mode: test ? 'test' : 'live', isCancelled: cancelledAt !== null }
}
