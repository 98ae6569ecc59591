/** Closed statements. They are never changed; a unique index admits one statement per first day. */
import type { StatementSums } from '#domain/pricing/statement.ts'
import { type PoolClient, type Queryable, query, sql } from '../database/pool.ts'

export interface StatementRow extends StatementSums {
  readonly merchantId: string
  readonly currency: string
  readonly firstDay: string
  readonly lastDay: string
  readonly id: string
  readonly openingMinor: bigint
  readonly closingMinor: bigint
  /** What is kept in reserve at the end. */
  readonly reserveMinor: bigint
  readonly madeBy: string
  readonly madeAt: Date
}

const columns = `merchant_id as "merchantId", currency, first_day::text as "firstDay", last_day::text as "lastDay", id,
  opening_minor as "openingMinor", sales_minor as "salesMinor", refunds_minor as "refundsMinor", chargebacks_minor as "chargebacksMinor",
  payouts_minor as "payoutsMinor", fees_minor as "feesMinor", held_minor as "heldMinor", released_minor as "releasedMinor",
  corrections_minor as "correctionsMinor", paid_out_minor as "paidOutMinor", closing_minor as "closingMinor", reserve_minor as "reserveMinor",
  made_by as "madeBy", made_at as "madeAt"`

const lockMerchant = sql<Record<never, never>, readonly [string]>(
  'statement.lock',
  `select pg_advisory_xact_lock(hashtextextended('statement ' || $1, 0))`,
)
const latestOfMerchant = sql<StatementRow, readonly [string]>(
  'statement.latest',
  `select distinct on (currency) ${columns} from statements where merchant_id = $1 order by currency, first_day desc`,
)
const insertStatement = sql<Record<never, never>, readonly unknown[]>(
  'statement.insert',
  `insert into statements (merchant_id, currency, first_day, last_day, id, opening_minor, sales_minor, refunds_minor, chargebacks_minor,
     payouts_minor, fees_minor, held_minor, released_minor, corrections_minor, paid_out_minor, closing_minor, reserve_minor, made_by, made_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)`,
)
const findStatement = sql<StatementRow, readonly [string, string]>(
  'statement.find',
  `select ${columns} from statements where merchant_id = $1 and id = $2`,
)
const listStatements = sql<StatementRow, readonly [readonly string[] | null, string | null, number]>(
  'statement.list',
  `select ${columns} from statements where ($1::uuid[] is null or merchant_id = any($1)) and ($2::uuid is null or id < $2)
   order by id desc limit $3`,
)
const merchantsWithStatements = sql<{ merchantId: string }, readonly [readonly string[] | null]>(
  'statement.merchants',
  `select distinct merchant_id as "merchantId" from statements where $1::uuid[] is null or merchant_id = any($1)`,
)
const totals = sql<{ currency: string; changeMinor: bigint; lastDay: string }, readonly [string]>(
  'statement.totals',
  `select currency, sum(closing_minor - opening_minor) as "changeMinor", max(last_day)::text as "lastDay" from statements
   where merchant_id = $1 group by currency`,
)

export const statementStore = (on: Queryable) => ({
  /** The newest of each currency. */
  listLatest: (merchantId: string) => query(on, latestOfMerchant, [merchantId]),
  insert: async (row: StatementRow): Promise<void> => {
    await query(on, insertStatement, [
      row.merchantId,
      row.currency,
      row.firstDay,
      row.lastDay,
      row.id,
      row.openingMinor,
      row.salesMinor,
      row.refundsMinor,
      row.chargebacksMinor,
      row.payoutsMinor,
      row.feesMinor,
      row.heldMinor,
      row.releasedMinor,
      row.correctionsMinor,
      row.paidOutMinor,
      row.closingMinor,
      row.reserveMinor,
      row.madeBy,
      row.madeAt,
    ])
  },
  find: async (merchantId: string, id: string): Promise<StatementRow | null> =>
    (await query(on, findStatement, [merchantId, id]))[0] ?? null,
  list: (merchantIds: readonly string[] | null, before: string | null, limit: number) =>
    query(on, listStatements, [merchantIds, before, limit]),
  listMerchants: async (merchantIds: readonly string[] | null): Promise<readonly string[]> =>
    (await query(on, merchantsWithStatements, [merchantIds])).map(({ merchantId }) => merchantId),
  /** By how much all statements of a merchant changed what it is owed, per currency, and up to which day. */
  listTotals: (merchantId: string) => query(on, totals, [merchantId]),
})

/** Until the transaction of the client ends, no other transaction closes a statement of this merchant. */
export const lockStatements = async (client: PoolClient, merchantId: string): Promise<void> => {
  await query(client, lockMerchant, [merchantId])
}
