/**
 * Payments by day and attribute: what the summaries have, and what they do not have yet, read live. Both in one statement, so that a payment
 * that is being added is counted once.
 */
import type { Mode } from '#domain/merchant.ts'
import { paymentIdsFrom } from '../../database/id-bounds.ts'
import { type Queryable, query, sql } from '../../database/pool.ts'
import { countedColumns, countedSums, countedValues, type Dimension, everyMerchant, readColumns } from './dimensions.ts'

interface AnalyticsRange {
  /** The first day, `YYYY-MM-DD` in UTC … */
  readonly from: string
  /** … and the day after the last one. */
  readonly to: string
  readonly mode: Mode
  /** Null for all merchants. */
  readonly merchantIds: readonly string[] | null
  readonly dimension: Dimension
}

export interface AnalyticsRow {
  readonly day: string
  readonly value: string
  readonly currency: string
  readonly decimals: number
  readonly payments: number
  readonly approved: number
  readonly declined: number
  readonly approvedMinor: bigint
}

type Params = readonly [
  from: string,
  to: string,
  test: boolean,
  merchantIds: readonly string[] | null,
  dimension: string,
  liveFrom: Date | null,
  liveIds: string | null,
]

const mine = (merchant: string): string => `($4::uuid[] is null or ${merchant} = any($4))`

const payments = (from: string): string =>
  `select ${readColumns} from ${from} and p.test = $3 and ${mine('p.merchant_id')}`

// What is not counted yet is read before it is counted: Citus computes further rows of a payment only where no table is distributed.
const readRows = sql<AnalyticsRow, Params>(
  'payment-summary.read',
  `with uncounted as materialized (
     ${payments('payments p where p.id >= $7 and p.created_at >= $6')}
     union all
     ${payments('payments p where p.session_id is not null and p.id < $7 and p.created_at >= $6')}
     union all
     ${payments('payment_summary_open o join payments p on p.merchant_id = o.merchant_id and p.id = o.payment_id where true')}
   )
   select day::text, value, currency, decimals, sum(payments)::int as payments, sum(approved)::int as approved,
     sum(declined)::int as declined, sum(approved_minor) as "approvedMinor"
   from (
     select day, value, currency, decimals::int, payments, approved, declined, approved_minor from payment_summaries
     where merchant_id = any(coalesce($4, array['${everyMerchant}'::uuid])) and test = $3 and dimension = $5
       and day >= $1::date and day < $2::date
     union all
     select day, value, currency, decimals, ${countedSums} from (
       select counted.day, d.value, counted.currency, counted.decimals, counted.fate, counted.amount_minor
       from uncounted p cross join lateral (select ${countedColumns}) counted cross join lateral (${countedValues('$5')}) d
       where counted.day >= $1::date and counted.day < $2::date
     ) live group by day, value, currency, decimals
   ) every_part group by day, value, currency, decimals`,
)

/** `liveFrom` null: payments after the summaries are left out, because they are too many to read. */
export function readAnalyticsRows(
  on: Queryable,
  { from, to, mode, merchantIds, dimension }: AnalyticsRange,
  liveFrom: Date | null,
): Promise<readonly AnalyticsRow[]> {
  const ids = liveFrom === null ? null : paymentIdsFrom(liveFrom)
  return query(on, readRows, [from, to, mode === 'test', merchantIds, dimension, liveFrom, ids])
}

const readProgress = sql<{ until: Date }, readonly []>(
  'payment-summary.progress',
  'select until from payment_summary_progress',
)

/** Payments created before this moment are in the summaries; null if nothing was counted yet. */
export async function readSummarisedUntil(on: Queryable): Promise<Date | null> {
  return (await query(on, readProgress, []))[0]?.until ?? null
}
