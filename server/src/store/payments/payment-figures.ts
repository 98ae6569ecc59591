/**
 * The dashboard's figures: how many payments of a time range were approved and how much money they moved; in total, over time and by
 * attribute. Chapter 50 §8.
 *
 * For payer and merchant a cascade is one payment, so it is counted once, by its last attempt. A MID is counted for each attempt that it
 * received.
 *
 * Payouts and transfers are counted apart, by their kind: neither is income.
 *
 * In two steps: the payments of the range are read once, by their ids, and aggregated to one row per combination; those few rows are then
 * summed by each attribute.
 */
import type { Queryable } from '../database/pool.ts'
import { fate } from './fate.ts'
import type { PaymentRange } from './newest-payments.ts'
import { Conditions, type Timing } from './search/payment-conditions.ts'

interface FigureRange extends PaymentRange {
  readonly bucket: 'hour' | 'day' | 'week'
  /** The time zone in which days begin. */
  readonly zone: string
}

const figureKinds = [
  'total',
  'time',
  'payouts',
  'transfers',
  'mid',
  'network',
  'wallet',
  'country',
  'reason',
  'flow',
] as const
export type FigureKind = (typeof figureKinds)[number]

export interface FigureRow {
  readonly kind: FigureKind
  readonly at: Date | null
  /** Null for the payments without a value. */
  readonly name: string | null
  readonly currency: string
  readonly decimals: number
  readonly payments: number
  readonly approved: number
  readonly declined: number
  readonly authorisedMinor: bigint
  readonly capturedMinor: bigint
  readonly refundedMinor: bigint
  readonly chargedBackMinor: bigint
}

const sums = `count(*)::int as payments, count(*) filter (where fate = 'approved')::int as approved,
  count(*) filter (where fate = 'declined')::int as declined`

// An attempt that another one followed is not counted; an attempt that another one will follow is not yet declined.
const isLast = "cascading is distinct from 'continued'"
const isEnd = 'cascading is null'
// Chapter 70 §2: a payout or a transfer is not income.
const isIncome = "flow in ('sale', 'debit')"

// biome-ignore format: a table is read in columns.
const groupings: readonly (readonly [kind: FigureKind, column: string, of: string, decided: string])[] = [
  // kind       column      of which attempts                                    declined when
  ['total',     '',         `${isLast} and ${isIncome}`,                         isEnd],
  ['time',      'bucket',   `${isLast} and ${isIncome}`,                         isEnd],
  ['payouts',   'bucket',   `${isLast} and flow = 'credit'`,                     isEnd],
  ['transfers', 'bucket',   `${isLast} and flow = 'transfer'`,                   isEnd],
  ['mid',       'mid',      isIncome,                                            'true'],
  ['network',   'network',  `${isLast} and ${isIncome}`,                         isEnd],
  ['wallet',    'wallet',   `${isLast} and ${isIncome}`,                         isEnd],
  ['country',   'country',  `${isLast} and ${isIncome}`,                         isEnd],
  ['reason',    'reason',   `fate = 'declined' and ${isEnd} and ${isIncome}`,    'true'],
  ['flow',      'flow',     isLast,                                              isEnd],
]

const figureQueries = groupings
  .map(([kind, column, of, decided]) => {
    const at = column === 'bucket' ? column : 'null::timestamptz'
    const name = column === 'bucket' || column === '' ? 'null::text' : column
    return `select '${kind}' as kind, ${at} as at, ${name} as name, currency, decimals, sum(payments)::int as payments,
      sum(approved)::int as approved, coalesce(sum(declined) filter (where ${decided}), 0)::int as declined, sum(authorised) as "authorisedMinor",
      sum(captured) as "capturedMinor", sum(refunded) as "refundedMinor", sum(charged_back) as "chargedBackMinor"
    from combined where ${of} group by ${column === '' ? '' : `${column}, `}currency, decimals`
  })
  .join(' union all ')

export async function readPaymentFigures(on: Queryable, range: FigureRange): Promise<readonly FigureRow[]> {
  const { merchantIds, bucket, zone } = range
  const conditions = new Conditions()
  const places = {
    bucket: conditions.place(bucket),
    zone: conditions.place(zone),
    merchants: merchantIds === null ? null : conditions.place(merchantIds),
  }
  // The planner assumes that every payment is its own combination and would sort them all. An `offset` hides the columns' statistics, so
  // that it expects few combinations and uses a hash table.
  const text = `with combined as materialized (
      select bucket, mid, network, wallet, country, reason, flow, currency, decimals, fate, cascading, ${sums}, sum(authorised) as authorised,
        sum(captured) as captured, sum(refunded) as refunded, sum(charged_back) as charged_back
      from (${chosenPayments(conditions, range, places, 'at once')} union all ${chosenPayments(conditions, range, places, 'late')} offset 0) chosen
      group by bucket, mid, network, wallet, country, reason, flow, currency, decimals, fate, cascading
    )
    ${figureQueries}`
  return (await on.query<FigureRow>(text, conditions.values)).rows
}

interface Places {
  readonly bucket: string
  readonly zone: string
  readonly merchants: string | null
}

function chosenPayments(
  conditions: Conditions,
  { from, to, mode }: FigureRange,
  { bucket, zone, merchants }: Places,
  timing: Timing,
): string {
  const where = conditions.apart().addFilter({ from, to, test: mode === null ? undefined : mode === 'test' }, timing)
  if (merchants !== null) where.add(`p.merchant_id = any(${merchants}::uuid[])`)
  return `select date_trunc(${bucket}, p.created_at, ${zone}) as bucket, p.mid_id::text as mid, p.facts->>'network' as network,
      p.facts->'wallet'->>'name' as wallet, coalesce(p.payer->>'country', p.facts->'issuer'->>'country') as country,
      p.decline_reason as reason, p.kind as flow, p.currency, p.amount_decimals as decimals, ${fate} as fate, p.cascading,
      p.authorised_minor as authorised, p.captured_minor as captured, p.refunded_minor as refunded,
      p.charged_back_minor as charged_back
    from payments p where ${where.text}`
}
