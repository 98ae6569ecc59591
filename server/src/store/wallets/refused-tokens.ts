/** "Refused wallet tokens": the check record of every refused token. Chapter 40 §15. */
import type { Mode } from '#domain/merchant.ts'
import type { Ids } from '../../contracts/ports.ts'
import type { CheckRecord } from '../../wallets/tokens/opened-token.ts'
import { columnsOf } from '../database/columns.ts'
import { json } from '../database/insertion.ts'
import { type Pool, query, sql } from '../database/pool.ts'

export interface RefusedToken {
  readonly requestId: string
  readonly merchantId: string
  readonly mode: Mode
  readonly orderId: string | null
  readonly protocol: string
  readonly at: Date
  readonly record: CheckRecord
}

/** All given criteria must match; without any, the newest are found. */
export interface RefusedTokenSearch {
  readonly requestId?: string
  readonly merchantId?: string
  /** Null for all merchants. */
  readonly merchantIds?: readonly string[] | null
  readonly orderId?: string
  readonly since?: Date
  readonly until?: Date
  /** The request id of the last token on the previous page. */
  readonly before?: string
  readonly limit?: number
}

interface Columns {
  merchant_id: string
  request_id: string
  side: Mode
  order_id: string | null
  protocol: string
  at: Date
  record: CheckRecord
}

// biome-ignore format: a list of names.
const refusedColumns = columnsOf<Columns>()([
  'merchant_id', 'request_id', 'side', 'order_id', 'protocol', 'at', 'record',
])

const standardLimit = 100
const highestLimit = 1000

const addRefused = sql<
  Record<never, never>,
  readonly [string, string, string, string, string | null, string, Date, string | null]
>(
  'refused-token.add',
  `insert into refused_wallet_tokens (merchant_id, id, request_id, side, order_id, protocol, at, record)
   values ($1, $2, $3, $4, $5, $6, $7, $8)`,
)
const findRefused = sql<
  Columns,
  readonly [string | null, readonly string[] | null, string | null, Date | null, Date | null, number, string | null]
>(
  'refused-token.find',
  `select ${refusedColumns()} from refused_wallet_tokens
   where ($1::text is null or request_id = $1) and ($2::uuid[] is null or merchant_id = any($2))
     and ($3::text is null or order_id = $3) and ($4::timestamptz is null or at >= $4)
     and ($5::timestamptz is null or at < $5)
     and ($7::text is null or (at, id) < (
       select last.at, last.id from refused_wallet_tokens last where last.request_id = $7 order by last.at desc, last.id desc limit 1
     ))
   order by at desc, id desc limit $6`,
)
const purgeRefused = sql<{ id: string }, readonly [Date]>(
  'refused-token.purge',
  'delete from refused_wallet_tokens where at < $1 returning id',
)

export const refusedTokenStore = (pool: Pool, ids: Ids) => ({
  add: async ({ merchantId, requestId, mode, orderId, protocol, at, record }: RefusedToken): Promise<void> => {
    await query(pool, addRefused, [merchantId, ids.next(), requestId, mode, orderId, protocol, at, json(record)])
  },
  /** The newest first. */
  find: async (search: RefusedTokenSearch): Promise<readonly RefusedToken[]> => {
    const { requestId = null, merchantId, orderId = null, since = null, until = null, before = null } = search
    const merchantIds = merchantId === undefined ? (search.merchantIds ?? null) : [merchantId]
    const limit = Math.min(search.limit ?? standardLimit, highestLimit)
    const rows = await query(pool, findRefused, [requestId, merchantIds, orderId, since, until, limit, before])
    return rows.map((row) => ({
      requestId: row.request_id,
      merchantId: row.merchant_id,
      mode: row.side,
      orderId: row.order_id,
      protocol: row.protocol,
      at: row.at,
      record: row.record,
    }))
  },
  /** Returns how many were deleted. */
  purge: async (before: Date): Promise<number> => (await query(pool, purgeRefused, [before])).length,
})
