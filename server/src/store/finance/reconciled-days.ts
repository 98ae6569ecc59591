/** The comparison per day and currency of one MID: ours, the acquirer's and the bank's. Chapter 70 §3. */
import { isDistributed } from '../database/buckets.ts'
import { type Queryable, query, sql } from '../database/pool.ts'
import { beginOf, endedOn, settledByAcquirer } from './missing-settlements.ts'

interface ReconciledDay {
  readonly day: string
  readonly currency: string
  readonly ours: number
  readonly oursMinor: bigint
  readonly theirs: number
  readonly grossMinor: bigint
  readonly feeMinor: bigint
  readonly netMinor: bigint
  readonly matched: number
  readonly openDifferences: number
  /** What the rows of the day say will be paid: the net of those that name a payout. */
  readonly announcedMinor: bigint
  /** Of it what belongs to payouts that the bank has booked, or that two people wrote off; and the rest. */
  readonly bankMinor: bigint
  readonly outstandingMinor: bigint
  /** The last day of the oldest payout that is outstanding. */
  readonly outstandingSince: string | null
  /** Open differences of the day's payouts, and of lines of the bank without one. */
  readonly bankDifferences: number
}

const rowColumns = `r.currency, coalesce(r.processing_currency, r.currency) as processing, r.payout,
       coalesce(r.processing_minor, r.gross_minor) as gross, r.fee_minor as fee, r.net_minor as net, r.transaction_id`
const between = 'between $2::date and $3::date'
const endedBetween = `t.ended_at >= ${beginOf('$2::date')} and t.ended_at < ${beginOf('$3::date + 1')}`
const sameTransaction = (row: string): string =>
  `t.merchant_id = ${row}.merchant_id and t.payment_id = ${row}.payment_id and t.id = ${row}.transaction_id`

/** A row counts on the day of its transaction, or on its own if it has none any more. */
const onOneServer = `dated as (
     select coalesce(${endedOn}, r.booked_on) as day, ${rowColumns}
     from settlement_rows r left join transactions t on ${sameTransaction('r')}
     where r.mid_id = $1 and coalesce(${endedOn}, r.booked_on) ${between}
   )`

/**
 * The shards are read first, each time a few columns: which transactions ended on these days, and which of the rows that were booked on them
 * have a transaction. The rows themselves are on the coordinator. Decision 0245.
 */
const overShards = `ended as (
     select t.merchant_id, t.payment_id, t.id, ${endedOn} as day from transactions t where t.mid_id = $1 and ${endedBetween}
   ), booked as (
     select r.merchant_id, r.payment_id, r.transaction_id from settlement_rows r
     where r.mid_id = $1 and r.booked_on ${between} and r.transaction_id is not null
   ), dated_otherwise as (
     select t.id from booked join transactions t on ${sameTransaction('booked')} where t.ended_at is not null
   ), dated as (
     select ended.day, ${rowColumns} from ended join settlement_rows r
       on r.merchant_id = ended.merchant_id and r.payment_id = ended.payment_id and r.transaction_id = ended.id and r.mid_id = $1
     union all
     select r.booked_on, ${rowColumns} from settlement_rows r
     where r.mid_id = $1 and r.booked_on ${between} and not exists (select 1 from dated_otherwise where dated_otherwise.id = r.transaction_id)
   )`

// Money that leaves counts as negative on every side. A row that the acquirer converted counts in the payment's currency where it is compared
// with our record, and in its own where it is paid.
const listText = (dated: string): string =>
  `with ours as (
     select ${endedOn} as day, p.currency, count(*)::int as count,
       sum(case when t.type in ('REFUND', 'REVERSAL', 'CHARGEBACK', 'CREDIT') then -t.amount_minor else t.amount_minor end) as minor
     from transactions t join payments p on p.merchant_id = t.merchant_id and p.id = t.payment_id
     where t.mid_id = $1 and ${endedBetween} and ${settledByAcquirer}
     group by 1, 2
   ), ${dated}, settled as (
     select day, currency, processing, payout, count(*)::int as count, sum(gross) as gross, sum(fee) as fee, sum(net) as net,
       count(transaction_id)::int as matched
     from dated group by 1, 2, 3, 4
   ), theirs as (
     select day, processing as currency, sum(count)::int as count, sum(gross) as gross, sum(matched)::int as matched from settled group by 1, 2
   ), paid as (
     select day, currency, sum(fee) as fee, sum(net) as net from settled group by 1, 2
   ), announced as (
     select day, currency, payout, sum(net) as net from settled where payout is not null group by 1, 2, 3
   ), bank as (
     select a.day, a.currency, sum(a.net) as announced, sum(a.net) filter (where not outstanding.is_so) as booked,
       sum(a.net) filter (where outstanding.is_so) as outstanding, min(p.last_day) filter (where outstanding.is_so) as since,
       sum(differing.open)::int as open
     from announced a join settlement_payouts p on p.mid_id = $1 and p.payout = a.payout and p.currency = a.currency
       cross join lateral (
         select count(*) filter (where d.resolved_at is null)::int as open, coalesce(sum(d.posted_minor), 0) as posted
         from bank_differences d where d.mid_id = $1 and d.payout = a.payout and (d.currency = a.currency or d.kind = 'bank-currency')
       ) differing
       cross join lateral (
         select p.net_minor <> differing.posted and not exists (
           select 1 from bank_lines l where l.mid_id = $1 and l.payout = a.payout and l.currency = a.currency) as is_so
       ) outstanding
     group by 1, 2
   ), unnamed as (
     select day, currency, count(*)::int as count from bank_differences
     where mid_id = $1 and payout is null and resolved_at is null and day between $2::date and $3::date group by 1, 2
   ), open as (
     select day, currency, count(*)::int as count from settlement_differences
     where mid_id = $1 and resolved_at is null and day between $2::date and $3::date group by 1, 2
   ), days as (
     select day, currency from ours union select day, currency from theirs union select day, currency from paid
     union select day, currency from unnamed union select day, currency from open
   )
   select days.day::text as day, days.currency, coalesce(ours.count, 0) as ours, coalesce(ours.minor, 0) as "oursMinor",
     coalesce(theirs.count, 0) as theirs, coalesce(theirs.gross, 0) as "grossMinor", coalesce(paid.fee, 0) as "feeMinor",
     coalesce(paid.net, 0) as "netMinor", coalesce(theirs.matched, 0) as matched, coalesce(open.count, 0) as "openDifferences",
     coalesce(bank.announced, 0) as "announcedMinor", coalesce(bank.booked, 0) as "bankMinor", coalesce(bank.outstanding, 0) as "outstandingMinor",
     bank.since::text as "outstandingSince", coalesce(bank.open, 0) + coalesce(unnamed.count, 0) as "bankDifferences"
   from days left join ours using (day, currency) left join theirs using (day, currency) left join paid using (day, currency)
     left join bank using (day, currency) left join unnamed using (day, currency) left join open using (day, currency)
   order by days.day desc, days.currency`

type DaysOfMid = readonly [midId: string, from: string, to: string]

const listDays = sql<ReconciledDay, DaysOfMid>('reconciled-day.list', listText(onOneServer))
/** Every expression is read by itself, so that those without shards run on the coordinator as they are. */
const listOverShards = sql<ReconciledDay, DaysOfMid>(
  'reconciled-day.list-over-shards',
  listText(overShards).replaceAll(/\b(\w+) as \(\n/g, '$1 as materialized (\n'),
)

export const reconciledDays = async (on: Queryable, midId: string, from: string, to: string) =>
  query(on, (await isDistributed(on)) ? listOverShards : listDays, [midId, from, to])
