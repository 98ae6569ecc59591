/** The comparison per day and currency of one MID: ours, the acquirer's and the bank's. Chapter 70 §3. */
import { type Queryable, query, sql } from '../database/pool.ts'
import { settledByAcquirer } from './settlement-import.ts'

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

// Money that leaves counts as negative on every side. A row that the acquirer converted counts in the payment's currency where it is compared
// with our record, and in its own where it is paid.
const listDays = sql<ReconciledDay, readonly [string, string, string]>(
  'reconciled-day.list',
  `with ours as (
     select t.ended_at::date as day, p.currency, count(*)::int as count,
       sum(case when t.type in ('REFUND', 'REVERSAL', 'CHARGEBACK', 'CREDIT') then -t.amount_minor else t.amount_minor end) as minor
     from transactions t join payments p on p.merchant_id = t.merchant_id and p.id = t.payment_id
     where t.mid_id = $1 and t.ended_at >= $2::date and t.ended_at < $3::date + 1 and ${settledByAcquirer}
     group by 1, 2
   ), settled as (
     select coalesce(t.ended_at::date, r.booked_on) as day, r.currency, coalesce(r.processing_currency, r.currency) as processing,
       r.payout, count(*)::int as count, sum(coalesce(r.processing_minor, r.gross_minor)) as gross, sum(r.fee_minor) as fee,
       sum(r.net_minor) as net, count(r.transaction_id)::int as matched
     from settlement_rows r left join transactions t on t.merchant_id = r.merchant_id and t.payment_id = r.payment_id and t.id = r.transaction_id
     where r.mid_id = $1 and coalesce(t.ended_at::date, r.booked_on) between $2::date and $3::date
     group by 1, 2, 3, 4
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
   order by days.day desc, days.currency`,
)

export const reconciledDays = (on: Queryable, midId: string, from: string, to: string) =>
  query(on, listDays, [midId, from, to])
