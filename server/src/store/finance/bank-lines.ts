/** Lines of the operator's bank statements, the days that were read, and the payouts of acquirers that the lines belong to. */
import type { BankCoverage, BankLine } from '#domain/payout/camt053.ts'
import type { AnnouncedSum } from '#domain/payout/named-payout.ts'
import { type Nothing, type Queryable, query, sql } from '../database/pool.ts'

const insertLine = sql<{ ref: string }, readonly unknown[]>(
  'bank-line.insert',
  `insert into bank_lines (account, ref, currency, amount_minor, booked_on, end_to_end, text, party, item_id, imported_by, imported_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) on conflict do nothing returning ref`,
)
const coverDays = sql<{ account: string }, readonly [string, string, string, string]>(
  'bank-line.cover-days',
  `insert into bank_coverage as known (account, currency, first_day, last_day) values ($1, $2, $3, $4)
   on conflict (account, currency) do update set first_day = least(known.first_day, excluded.first_day),
     last_day = greatest(known.last_day, excluded.last_day)
   where known.first_day > excluded.first_day or known.last_day < excluded.last_day returning account`,
)

const sumOfItem = sql<{ sum: bigint }, readonly [string, string]>(
  'bank-line.sum-of-item',
  'select coalesce(sum(amount_minor), 0) as sum from bank_lines where item_id = $1 and currency = $2',
)

/** A line that belongs to no payout yet; its settlement file may come later. */
export type OpenLine = Omit<BankLine, 'batchId' | 'party'>

const openLines = sql<OpenLine, readonly [Date, string]>(
  'bank-line.list-open',
  `select account, ref, currency, amount_minor as "amountMinor", booked_on::text as "bookedOn", end_to_end as "endToEndId", text from bank_lines
   where mid_id is null and item_id is null and (imported_at = $1 or booked_on >= $2::date) order by booked_on desc limit 20000`,
)
const announcedSums = sql<AnnouncedSum, readonly [readonly string[]]>(
  'bank-line.find-payouts',
  `select mid_id as "midId", payout, currency, net_minor as "netMinor" from settlement_payouts where payout = any($1)`,
)
const assignLines = sql<Nothing, readonly [readonly string[], readonly string[], readonly string[], readonly string[]]>(
  'bank-line.assign',
  `update bank_lines l set mid_id = given.mid_id, payout = given.payout
   from unnest($1::text[], $2::text[], $3::uuid[], $4::text[]) as given (account, ref, mid_id, payout)
   where l.account = given.account and l.ref = given.ref and l.mid_id is null`,
)

interface ComparedPayout {
  readonly midId: string
  readonly payout: string
  readonly currency: string
  readonly firstDay: string
  readonly lastDay: string
  /** What the acquirer's rows of this payout add up to. */
  readonly netMinor: bigint
  readonly postedMinor: bigint
  readonly bankMinor: bigint
  /** Null while the bank has not booked it. */
  readonly bookedOn: string | null
  readonly openDifferences: number
}

const comparedPayouts = sql<ComparedPayout, readonly [string, string, string]>(
  'bank-line.list-payouts',
  `with bank as (
     select payout, currency, sum(amount_minor) as received, max(booked_on) as booked_on from bank_lines
     where mid_id = $1 and payout is not null group by payout, currency
   ), differing as (
     select payout, currency, sum(posted_minor) as posted, count(*) filter (where resolved_at is null)::int as open from bank_differences
     where mid_id = $1 and payout is not null group by payout, currency
   )
   select p.mid_id as "midId", payout, currency, p.first_day::text as "firstDay", p.last_day::text as "lastDay", p.net_minor as "netMinor",
     coalesce(differing.posted, 0) as "postedMinor", coalesce(bank.received, 0) as "bankMinor", bank.booked_on::text as "bookedOn",
     coalesce(differing.open, 0) as "openDifferences"
   from settlement_payouts p left join bank using (payout, currency) left join differing using (payout, currency)
   where p.mid_id = $1 and p.last_day >= $2::date and p.first_day <= $3::date order by p.last_day desc, payout, currency`,
)

interface LineOwner {
  readonly account: string
  readonly ref: string
  readonly midId: string
  readonly payout: string
}

export const bankLineStore = (on: Queryable) => ({
  /** False if the line was imported before. */
  insert: async (line: BankLine, itemId: string | null, by: string, at: Date): Promise<boolean> => {
    const { account, ref, currency, amountMinor, bookedOn, endToEndId, text, party } = line
    const values = [account, ref, currency, amountMinor, bookedOn, endToEndId, text, party, itemId, by, at]
    return (await query(on, insertLine, values)).length === 1
  },
  /** What the bank booked of an item, except for sums of a whole run; negative for money that left the account. */
  sumOfItem: async (itemId: string, currency: string): Promise<bigint> =>
    (await query(on, sumOfItem, [itemId, currency]))[0]?.sum ?? 0n,
  /** False if these days were read before. */
  cover: async ({ account, currency, firstDay, lastDay }: BankCoverage): Promise<boolean> =>
    (await query(on, coverDays, [account, currency, firstDay, lastDay])).length === 1,
  /** Those that were imported at this moment, or booked since that day. */
  open: (importedAt: Date, since: string) => query(on, openLines, [importedAt, since]),
  sumAnnounced: (names: readonly string[]) => query(on, announcedSums, [names]),
  assign: async (owners: readonly LineOwner[]): Promise<void> => {
    const column = (name: keyof LineOwner): readonly string[] => owners.map((one) => one[name])
    await query(on, assignLines, [column('account'), column('ref'), column('midId'), column('payout')])
  },
  listPayouts: (midId: string, from: string, to: string) => query(on, comparedPayouts, [midId, from, to]),
})
