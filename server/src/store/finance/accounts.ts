/**
 * Accounts of merchants: the sums of the ledger and of the entries that belong to no payment, or to one of a removed month. The two are read one after the other, because
 * the ledger is on the merchant's server and the rest on the first (decisions/shards#distribution-by-merchant).
 */
import type { Entry } from '#domain/money/ledger.ts'
import { type Queryable, query, sql } from '../database/pool.ts'

interface MovedSum extends Entry {
  readonly currency: string
}

type Period = readonly [merchantId: string, from: Date, before: Date]

/** The few test payments are left out, instead of looking up the many others. */
const ledgerSums = sql<MovedSum, Period>(
  'account.ledger-sums',
  `select e.currency, e.from_account as "from", e.to_account as "to", sum(e.amount_minor) as "amountMinor" from ledger_entries e
   where e.merchant_id = $1 and e.at >= $2 and e.at < $3
     and not exists (select 1 from payments p where p.merchant_id = e.merchant_id and p.id = e.payment_id and p.test)
   group by e.currency, e.from_account, e.to_account`,
)
const entrySums = sql<MovedSum, Period>(
  'account.entry-sums',
  `select currency, from_account as "from", to_account as "to", sum(amount_minor) as "amountMinor" from account_entries
   where merchant_id = $1 and at >= $2 and at < $3 group by currency, from_account, to_account`,
)
const firstEntry = sql<{ at: Date | null }, readonly [string]>(
  'account.first-ledger-entry',
  'select min(at) as at from ledger_entries where merchant_id = $1',
)
const firstOwnEntry = sql<{ at: Date | null }, readonly [string]>(
  'account.first-entry',
  'select min(at) as at from account_entries where merchant_id = $1',
)
const insertEntry = sql<{ source: string }, readonly unknown[]>(
  'account.insert',
  `insert into account_entries (merchant_id, source, position, from_account, to_account, currency, amount_minor, at)
   values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing returning source`,
)
const knownSources = sql<{ source: string }, readonly [string, readonly string[]]>(
  'account.known-sources',
  'select source from account_entries where merchant_id = $1 and source = any($2)',
)
const reserveByDay = sql<{ day: string; currency: string; amountMinor: bigint }, Period>(
  'account.reserve-by-day',
  `select (at at time zone 'UTC')::date::text as day, currency, sum(amount_minor) as "amountMinor" from ledger_entries
   where merchant_id = $1 and to_account = 'reserve' and at >= $2 and at < $3 group by 1, 2 order by 1, 2`,
)
/** Of months that were removed; no other entry without a payment goes to the reserve. */
const carriedReserveByDay = sql<{ day: string; currency: string; amountMinor: bigint }, Period>(
  'account.carried-reserve-by-day',
  `select (at at time zone 'UTC')::date::text as day, currency, sum(amount_minor) as "amountMinor" from account_entries
   where merchant_id = $1 and to_account = 'reserve' and at >= $2 and at < $3 group by 1, 2 order by 1, 2`,
)
/** What the acquirers no longer owe for a merchant's transactions, and what they kept. */
const acquirerSums = sql<{ currency: string; settledMinor: bigint; feesMinor: bigint }, Period>(
  'account.acquirer-sums',
  `select currency,
     coalesce(sum(case when from_account = 'acquirer' then amount_minor when to_account = 'acquirer' then -amount_minor end), 0)
       as "settledMinor",
     coalesce(sum(case when to_account = 'acquirer_fees' then amount_minor when from_account = 'acquirer_fees' then -amount_minor end), 0)
       as "feesMinor"
   from book_entries where merchant_id = $1 and at >= $2 and at < $3 group by currency`,
)

interface AccountEntry extends Entry {
  readonly merchantId: string
  /** What made it; a second entry of the same source and position is not written. */
  readonly source: string
  readonly position?: number
  readonly currency: string
  readonly at: Date
}

export const accountStore = (on: Queryable) => ({
  /** Entries of live payments, and those without a payment, from an instant up to another. */
  sumMovements: async (merchantId: string, from: Date, before: Date): Promise<readonly MovedSum[]> => [
    ...(await query(on, ledgerSums, [merchantId, from, before])),
    ...(await query(on, entrySums, [merchantId, from, before])),
  ],
  sumAcquirers: (merchantId: string, from: Date, before: Date) => query(on, acquirerSums, [merchantId, from, before]),
  /** Null if nothing was ever booked. */
  findFirstAt: async (merchantId: string): Promise<Date | null> => {
    const [ledger] = await query(on, firstEntry, [merchantId])
    const [own] = await query(on, firstOwnEntry, [merchantId])
    const found = [ledger?.at ?? null, own?.at ?? null].filter((at) => at !== null)
    return found.length === 0 ? null : new Date(Math.min(...found.map((at) => at.getTime())))
  },
  /** False if it was booked before. */
  book: async ({ merchantId, source, position = 0, from, to, currency, amountMinor, at }: AccountEntry) =>
    (await query(on, insertEntry, [merchantId, source, position, from, to, currency, amountMinor, at])).length === 1,
  findKnown: async (merchantId: string, sources: readonly string[]): Promise<ReadonlySet<string>> =>
    new Set((await query(on, knownSources, [merchantId, sources])).map(({ source }) => source)),
  /** What was kept on each day. */
  reserveByDay: async (merchantId: string, from: Date, before: Date) => {
    const period = [merchantId, from, before] as const
    const kept = [...(await query(on, reserveByDay, period)), ...(await query(on, carriedReserveByDay, period))]
    return [...Map.groupBy(kept, ({ day, currency }) => `${day} ${currency}`).values()].flatMap((parts) =>
      parts.slice(0, 1).map((first) => ({
        ...first,
        amountMinor: parts.reduce((sum, { amountMinor }) => sum + amountMinor, 0n),
      })),
    )
  },
})
