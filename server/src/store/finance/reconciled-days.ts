/** The comparison per day and currency of one MID: ours, the acquirer's and the bank's. Chapter 70 §3. */
import { dayMs, utcDay } from '#domain/time.ts'
import { type Queryable, query, sql } from '../database/pool.ts'
import { inTransaction } from '../database/transaction.ts'
import { readByIndexAlone } from './by-index-alone.ts'
import { isReturn } from './ledger-money.ts'
import { beginOf, listAllMerchants, settledByAcquirer } from './missing-settlements.ts'

export interface ReconciledDay {
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
const samePayment = (one: string, other: string): string =>
  `${one}.merchant_id = ${other}.merchant_id and ${one}.payment_id = ${other}.payment_id`

/** The row settles the movement: a chargeback and the return of its money are two of one transaction, each with a row of its own. */
const isOf = (row: string, isOfReturn: string): string => `(${row}.kind = 'chargeback-reversal') = (${isOfReturn})`

/**
 * Our transactions are found by the ledger, which has an index by merchant and time; its first entry of a transaction has the time when that ended.
 *
 * A row counts on the day of the transaction that it settles, or on its own if the MID has no such transaction that moved money. What was booked on
 * these days is therefore counted whole, and what of it belongs to a transaction is taken off again.
 *
 * Every expression is read by itself, so that in a distributed database those without shards run on the coordinator as they are. See
 * decisions/shards#rows-first and decisions/settlement#days.
 *
 * Money that leaves counts as negative on every side. A row that the acquirer converted counts in the payment's currency where it is compared
 * with our record, and in its own where it is paid.
 */
const text = `with moved as (
     select t.merchant_id, t.payment_id, t.id, (e.at at time zone 'UTC')::date as day, t.type, t.state, e.position > 1 as is_return,
       case when e.position > 1 then e.amount_minor else t.amount_minor end as amount_minor
     from ledger_entries e join transactions t on ${samePayment('t', 'e')} and t.id = e.transaction_id
     where e.merchant_id = any($4::uuid[]) and e.at >= ${beginOf('$2::date')} and e.at < ${beginOf('$3::date + 1')} and (e.position = 1 or ${isReturn('e')}) and t.mid_id = $1
   ), ours as (
     select t.day, p.currency, count(*)::int as count,
       sum(case when not t.is_return and t.type in ('REFUND', 'REVERSAL', 'CHARGEBACK', 'CREDIT') then -t.amount_minor else t.amount_minor end) as minor
     from moved t join payments p on p.merchant_id = t.merchant_id and p.id = t.payment_id
     where ${settledByAcquirer}
     group by 1, 2
   ), booked as (
     select r.booked_on as day, ${rowColumns}, r.merchant_id, r.payment_id, r.kind
     from settlement_rows r where r.mid_id = $1 and r.booked_on between $2::date and $3::date
   ), dated_otherwise as (
     select r.day, r.currency, r.processing, r.payout, r.gross, r.fee, r.net, r.transaction_id
     from booked r join transactions t on ${samePayment('t', 'r')} and t.id = r.transaction_id
       join ledger_entries e on ${samePayment('e', 't')} and e.transaction_id = t.id
     where t.mid_id = $1 and (e.position = 1 or ${isReturn('e')}) and ${isOf('r', 'e.position > 1')}
   ), dated as (
     select moved.day, ${rowColumns}, 1 as sign
     from moved join settlement_rows r on ${samePayment('r', 'moved')} and r.transaction_id = moved.id and (r.mid_id = $1) is true
       and ${isOf('r', 'moved.is_return')}
     union all select day, currency, processing, payout, gross, fee, net, transaction_id, 1 from booked
     union all select day, currency, processing, payout, gross, fee, net, transaction_id, -1 from dated_otherwise
   ), settled as (
     select day, currency, processing, payout, sum(sign)::int as count, sum(sign * gross) as gross, sum(sign * fee) as fee, sum(sign * net) as net,
       coalesce(sum(sign) filter (where transaction_id is not null), 0)::int as matched
     from dated group by 1, 2, 3, 4 having sum(sign) > 0
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

type DaysOfMid = readonly [midId: string, from: string, to: string, merchants: readonly string[]]

const listDays = sql<ReconciledDay, DaysOfMid>(
  'reconciled-day.list',
  text.replaceAll(/\b(\w+) as \(\n/g, '$1 as materialized (\n'),
)

/** Few days are read first, because one may have a million payments; then more at once, because there may be none. */
const mostAtOnce = 8

interface Portion {
  readonly days: readonly ReconciledDay[]
  /** The first day that was looked at. */
  readonly from: string
}

/** The days of a period, the newest first. The caller stops when it has enough. */
export async function* reconciledDays(on: Queryable, midId: string, from: string, to: string): AsyncGenerator<Portion> {
  const merchants = await listAllMerchants(on)
  const first = Date.parse(from)
  let last = Date.parse(to)
  for (let length = 1; last >= first; length = Math.min(2 * length, mostAtOnce)) {
    const begin = Math.max(first, last - (length - 1) * dayMs)
    const [begun, ended] = [utcDay(begin), utcDay(last)]
    const days = await inTransaction(on, async (client) => {
      await readByIndexAlone(client)
      return query(client, listDays, [midId, begun, ended, merchants])
    })
    yield { days, from: begun }
    last = begin - dayMs
  }
}
