/** Lines of the operator's bank statements, and how they compare with what acquirers announced. */
import type { BankLine } from '#domain/payout/camt053.ts'
import { type Queryable, query, sql } from '../database/pool.ts'

const insertLine = sql<{ ref: string }, readonly unknown[]>(
  'bank-line.insert',
  `insert into bank_lines (account, ref, currency, amount_minor, booked_on, end_to_end, text, item_id, mid_id, payout, imported_by, imported_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) on conflict do nothing returning ref`,
)
/** The acquirer's reference of the payout is in the bank's text or is its end-to-end identification. */
const announcedPayouts = sql<
  { midId: string; payout: string; netMinor: bigint },
  readonly [string, string | null, string]
>(
  'bank-line.find-payouts',
  `select mid_id as "midId", payout, sum(net_minor) as "netMinor" from settlement_rows
   where payout = any(regexp_split_to_array($1, '[^[:alnum:]._/-]+') || $2::text) and currency = $3 group by mid_id, payout`,
)

interface ReceivedPayout {
  readonly midId: string
  readonly payout: string
  readonly currency: string
  readonly lastDay: string
  /** What the acquirer's rows of this payout add up to. */
  readonly netMinor: bigint
  readonly bankMinor: bigint
  /** Null while the bank has not booked it. */
  readonly bookedOn: string | null
}

const receivedPayouts = sql<ReceivedPayout, readonly [string, string, string]>(
  'bank-line.list-payouts',
  `with theirs as (
     select mid_id, payout, currency, max(booked_on) as last_day, sum(net_minor) as net from settlement_rows
     where mid_id = $1 and payout is not null and booked_on between $2::date and $3::date group by mid_id, payout, currency
   ), bank as (
     select mid_id, payout, currency, sum(amount_minor) as received, max(booked_on) as booked_on from bank_lines
     where mid_id = $1 and payout is not null group by mid_id, payout, currency
   )
   select theirs.mid_id as "midId", theirs.payout, theirs.currency, theirs.last_day::text as "lastDay", theirs.net as "netMinor",
     coalesce(bank.received, 0) as "bankMinor", bank.booked_on::text as "bookedOn"
   from theirs left join bank using (mid_id, payout, currency) order by theirs.last_day desc, theirs.payout`,
)

interface Matched {
  readonly itemId: string | null
  readonly midId: string | null
  readonly payout: string | null
}

export const bankLineStore = (on: Queryable) => ({
  /** False if the line was imported before. */
  insert: async (line: BankLine, { itemId, midId, payout }: Matched, by: string, at: Date): Promise<boolean> => {
    const { account, ref, currency, amountMinor, bookedOn, endToEndId, text } = line
    const values = [account, ref, currency, amountMinor, bookedOn, endToEndId, text, itemId, midId, payout, by, at]
    return (await query(on, insertLine, values)).length === 1
  },
  /** Acquirers may use the same reference: then the one that announced this sum. Null if it remains open whose it is. */
  announced: async ({ text, endToEndId, currency, amountMinor }: BankLine) => {
    const found = await query(on, announcedPayouts, [text, endToEndId, currency])
    const exact = found.filter(({ netMinor }) => netMinor === amountMinor)
    const [only, ...others] = exact.length > 0 ? exact : found
    return only && others.length === 0 ? only : null
  },
  payouts: (midId: string, from: string, to: string) => query(on, receivedPayouts, [midId, from, to]),
})
