/**
 * The events feed on PostgreSQL: callbacks in the order of the transactions that wrote them.
 *
 * A page ends before the oldest transaction that is still open. Everything before it is either visible to the page's snapshot or was rolled
 * back, so that a reader who continues behind the page misses nothing, however late a transaction commits.
 */
import type { EventFeed, FeedPosition, FeedRow } from '../../contracts/event-feed.ts'
import { isDistributed } from '../database/buckets.ts'
import { type Queryable, query, sql } from '../database/pool.ts'

export const callbackFeed = (pool: Queryable): EventFeed => ({
  isOffered: async () => !(await isDistributed(pool)),
  readEpoch: async () => (await query(pool, readEpoch, []))[0]?.epoch ?? '0',
  startAt: async (merchantId, oldestId) => {
    const [row] = await query(pool, findStart, [merchantId, oldestId])
    return row ? { writtenIn: row.written_in, id: oldestId } : null
  },
  listRowsAfter: async (merchantId, after, limit) =>
    (await query(pool, readPage, [merchantId, after.writtenIn, after.id, limit])).map(rowOf),
  listLastRows: async (merchantId, after, limit) =>
    (await query(pool, readLast, [merchantId, after.writtenIn, after.id, limit])).map(rowOf),
})

// Positions of an earlier history mean nothing after a restore: the end of the recovery begins another one.
const readEpoch = sql<{ epoch: string }, readonly []>(
  'callback-feed.epoch',
  `select coalesce(floor(extract(epoch from recovered_at) * 1000)::bigint, 0)::text as epoch from instance`,
)

const findStart = sql<{ written_in: string }, readonly [merchantId: string, oldestId: string]>(
  'callback-feed.start',
  'select written_in::text as written_in from callbacks where merchant_id = $1 and id >= $2 order by id limit 1',
)

interface PageRow {
  readonly written_in: string
  readonly id: string
  readonly payment_id: string
  readonly sequence: number
  readonly content_type: string
  readonly body: string
  readonly state: FeedRow['state']
  readonly created_at: Date
  readonly test: boolean
}

type PageValues = readonly [merchantId: string, writtenIn: string, id: string, limit: number]

const pageText = (order: string): string =>
  `with page as materialized (
     select written_in, id, payment_id, sequence, content_type, body, state, created_at from callbacks
     where merchant_id = $1 and (written_in, id) > ($2::text::xid8, $3::uuid)
       and written_in < pg_snapshot_xmin(pg_current_snapshot())
     order by ${order} limit $4
   )
   select page.written_in::text as written_in, page.id, page.payment_id, page.sequence, page.content_type, page.body, page.state,
     page.created_at, p.test
   from page join payments p on p.merchant_id = $1 and p.id = page.payment_id
   order by page.written_in, page.id`

const readPage = sql<PageRow, PageValues>('callback-feed.page', pageText('written_in, id'))
const readLast = sql<PageRow, PageValues>('callback-feed.last', pageText('written_in desc, id desc'))

const rowOf = (row: PageRow): FeedRow => ({
  position: positionOf(row),
  id: row.id,
  paymentId: row.payment_id,
  sequence: row.sequence,
  contentType: row.content_type,
  body: row.body,
  state: row.state,
  createdAt: row.created_at,
  mode: row.test ? 'test' : 'live',
})

const positionOf = ({ written_in, id }: PageRow): FeedPosition => ({ writtenIn: written_in, id })
