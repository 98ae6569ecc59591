/** What acquirers announced and what the bank booked, as far as they differ; and the differences that were found. Chapter 70 §3. */
import type { AnnouncedPayout, BankDifference, BookedLine, CoveredDays } from '#domain/payout/bank-comparison.ts'
import { type Nothing, type PoolClient, query, sql } from '../database/pool.ts'

/** A comparison sees what every import before it has written. */
const lockComparison = sql<Nothing, readonly []>(
  'bank-comparison.lock',
  `select pg_advisory_xact_lock(hashtextextended('bank comparison', 0))`,
)

// Of MIDs of which the bank has booked a payout before: others may pay to accounts that are not the operator's. A payout is listed with all
// its currencies if one of them differs.
const differingPayouts = sql<AnnouncedPayout, readonly []>(
  'bank-comparison.list-differing',
  `with booked as (
     select mid_id, payout, currency, sum(amount_minor) as minor from bank_lines where mid_id is not null and payout is not null
     group by mid_id, payout, currency
   ), posted as (
     select mid_id, payout, currency, sum(posted_minor) as minor from bank_differences where payout is not null group by mid_id, payout, currency
   ), compared as (
     select mid_id, payout, currency, p.net_minor, p.last_day, coalesce(posted.minor, 0) as posted, coalesce(booked.minor, 0) as booked
     from settlement_payouts p full join booked using (mid_id, payout, currency) left join posted using (mid_id, payout, currency)
     where mid_id in (select mid_id from booked)
   )
   select mid_id as "midId", payout, currency, net_minor as "netMinor", posted as "postedMinor", last_day::text as "lastDay" from compared
   where net_minor is not null and (mid_id, payout) in (
     select mid_id, payout from compared group by mid_id, payout having bool_or(coalesce(net_minor, 0) - posted <> booked))
   order by mid_id, payout, currency`,
)

interface NamedLine extends BookedLine {
  readonly midId: string
  readonly payout: string
}

const linesOfPayouts = sql<NamedLine, readonly [readonly string[], readonly string[]]>(
  'bank-comparison.list-lines',
  `select l.mid_id as "midId", l.payout, l.account, l.ref, l.currency, l.amount_minor as "amountMinor", l.booked_on::text as "bookedOn"
   from (select distinct mid_id, payout from unnest($1::uuid[], $2::text[]) as given (mid_id, payout)) wanted
     join bank_lines l on l.mid_id = wanted.mid_id and l.payout = wanted.payout`,
)
const coveredDays = sql<CoveredDays & { readonly currency: string }, readonly []>(
  'bank-comparison.list-covered',
  `select currency, min(first_day)::text as "firstDay", max(last_day)::text as "lastDay" from bank_coverage group by currency`,
)

interface OpenDifference extends BankDifference {
  readonly id: string
}

const openDifferences = sql<OpenDifference, readonly []>(
  'bank-comparison.list-open',
  `select id, kind, mid_id as "midId", payout, day::text as day, currency, announced_minor as "announcedMinor", booked_minor as "bookedMinor",
     account, line_ref as "lineRef"
   from bank_differences where resolved_at is null and payout is not null`,
)
const insertDifference = sql<{ id: string }, readonly unknown[]>(
  'bank-comparison.insert',
  `insert into bank_differences (id, kind, mid_id, payout, day, currency, announced_minor, booked_minor, account, line_ref, found_at)
   values (gen_random_uuid(), $1, $2, $3, $4, $5, $6, $7, $8, $9, $10) on conflict do nothing returning id`,
)
const closeDifferences = sql<Nothing, readonly [readonly string[], Date, string]>(
  'bank-comparison.close',
  'update bank_differences set resolved_at = $2, note = $3 where id = any($1) and resolved_at is null',
)

// A payer that paid an acquirer's payout before; where the bank names no payers, every sum on such an account. Its MID is known if it is one.
const unnamedLines = sql<BookedLine & { readonly midId: string | null }, readonly [string]>(
  'bank-comparison.list-unnamed',
  `select l.account, l.ref, l.currency, l.amount_minor as "amountMinor", l.booked_on::text as "bookedOn",
     case when payer.mids = 1 then payer.mid_id::uuid end as "midId"
   from bank_lines l join lateral (
     select count(distinct known.mid_id)::int as mids, min(known.mid_id::text) as mid_id from bank_lines known
     where known.account = l.account and known.party is not distinct from l.party and known.mid_id is not null
   ) payer on payer.mids > 0
   where l.mid_id is null and l.item_id is null and l.amount_minor > 0 and l.booked_on >= $1::date
     and not exists (select from bank_differences d where d.kind = 'bank-unknown' and d.account = l.account and d.line_ref = l.ref)`,
)
const closeNamed = sql<Nothing, readonly [Date]>(
  'bank-comparison.close-named',
  `update bank_differences d set resolved_at = $1, note = 'The acquirer announced it later, as payout ' || l.payout || '.'
   from bank_lines l where d.kind = 'bank-unknown' and d.resolved_at is null and l.account = d.account and l.ref = d.line_ref
     and l.payout is not null`,
)

export const bankComparisonStore = (client: PoolClient) => ({
  lock: async (): Promise<void> => {
    await query(client, lockComparison, [])
  },
  listDiffering: () => query(client, differingPayouts, []),
  listLinesOf: (payouts: readonly AnnouncedPayout[]) =>
    query(client, linesOfPayouts, [payouts.map(({ midId }) => midId), payouts.map(({ payout }) => payout)]),
  readCoveredDays: async (): Promise<ReadonlyMap<string, CoveredDays>> =>
    new Map((await query(client, coveredDays, [])).map(({ currency, ...days }) => [currency, days])),
  open: () => query(client, openDifferences, []),
  /** False if it was found before. */
  insert: async (one: BankDifference, at: Date): Promise<boolean> => {
    const { kind, midId, payout, day, currency, announcedMinor, bookedMinor, account, lineRef } = one
    const values = [kind, midId, payout, day, currency, announcedMinor, bookedMinor, account, lineRef, at]
    return (await query(client, insertDifference, values)).length === 1
  },
  close: async (ids: readonly string[], at: Date, note: string): Promise<void> => {
    await query(client, closeDifferences, [ids, at, note])
  },
  listUnnamed: (since: string) => query(client, unnamedLines, [since]),
  closeNamed: async (at: Date): Promise<void> => {
    await query(client, closeNamed, [at])
  },
})
