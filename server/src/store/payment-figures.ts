/**
 * The figures of the dashboard: how many payments of a time range were approved, and how much money they moved, in total, over time
 * and by what tells them apart. Chapter 50 §8.
 *
 * Two steps: the payments of the range are read once, by the index on their time, and folded to one row per combination; the few
 * rows that are left are then added up in every direction.
 */
import type { Queryable } from './pool.ts'

export interface FigureRange {
  readonly from: Date
  readonly to: Date
  /** Null means all of them. */
  readonly merchantIds: readonly string[] | null
  readonly test: boolean | null
  readonly bucket: 'hour' | 'day' | 'week'
  /** The zone in which days begin. */
  readonly zone: string
}

export const figureKinds = ['total', 'time', 'mid', 'network', 'wallet', 'country', 'reason'] as const
export type FigureKind = (typeof figureKinds)[number]

export interface FigureRow {
  readonly kind: FigureKind
  readonly at: Date | null
  /** Null: the payments that have none. */
  readonly name: string | null
  readonly currency: string
  readonly decimals: number
  readonly payments: number
  readonly approved: number
  readonly declined: number
  readonly authorisedMinor: bigint
  readonly capturedMinor: bigint
  readonly refundedMinor: bigint
}

// A hold counts as approved once something is reserved: money that a payer still has to send is PENDING too.
const fate = `case when p.status = 'DECLINED' then 'declined'
    when p.status in ('SETTLED', 'REVERSAL', 'REFUND', 'VOID', 'CHARGEBACK') or p.status = 'PENDING' and p.authorised_minor > 0 then 'approved'
    else 'open' end`

const sums = `count(*)::int as payments, count(*) filter (where fate = 'approved')::int as approved,
  count(*) filter (where fate = 'declined')::int as declined`

// biome-ignore format: a table is read in columns.
const sides: readonly (readonly [kind: FigureKind, column: string, of: string])[] = [
  // kind       column      of which payments
  ['total',     '',         'true'],
  ['time',      'bucket',   'true'],
  ['mid',       'mid',      'true'],
  ['network',   'network',  'true'],
  ['wallet',    'wallet',   'true'],
  ['country',   'country',  'true'],
  ['reason',    'reason',   "fate = 'declined'"],
]

const folded = sides
  .map(([kind, column, of]) => {
    const at = kind === 'time' ? column : 'null::timestamptz'
    const name = kind === 'time' || column === '' ? 'null::text' : column
    return `select '${kind}' as kind, ${at} as at, ${name} as name, currency, decimals, sum(payments)::int as payments,
      sum(approved)::int as approved, sum(declined)::int as declined, sum(authorised) as "authorisedMinor",
      sum(captured) as "capturedMinor", sum(refunded) as "refundedMinor"
    from combined where ${of} group by ${column === '' ? '' : `${column}, `}currency, decimals`
  })
  .join(' union all ')

export async function paymentFigures(on: Queryable, range: FigureRange): Promise<readonly FigureRow[]> {
  const { from, to, merchantIds, test, bucket, zone } = range
  const values = [from, to, bucket, zone, ...(merchantIds === null ? [] : [merchantIds])]
  const text = `with chosen as (
      select date_trunc($3, p.created_at, $4) as bucket, p.mid_id::text as mid, p.facts->>'network' as network,
        p.facts->'wallet'->>'name' as wallet, coalesce(p.payer->>'country', p.facts->'issuer'->>'country') as country,
        p.decline_reason as reason, p.currency, p.amount_decimals as decimals, ${fate} as fate,
        p.authorised_minor as authorised, p.captured_minor as captured, p.refunded_minor as refunded
      from payments p
      where p.created_at >= $1 and p.created_at < $2 ${merchantIds === null ? '' : 'and p.merchant_id = any($5::uuid[])'}
        ${test === null ? '' : `and p.test = ${test}`}
    ), combined as materialized (
      select bucket, mid, network, wallet, country, reason, currency, decimals, fate, ${sums}, sum(authorised) as authorised,
        sum(captured) as captured, sum(refunded) as refunded
      from chosen group by bucket, mid, network, wallet, country, reason, currency, decimals, fate
    )
    ${folded}`
  return (await on.query<FigureRow>(text, values)).rows
}
