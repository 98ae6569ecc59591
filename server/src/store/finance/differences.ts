/** Differences of the reconciliation: between our record and the acquirer's, and between the acquirer's and the bank's. Nothing is deleted. */
import { type Queryable, query, sql } from '../database/pool.ts'

export interface Difference {
  readonly id: string
  /** Null for a line of the bank of which no MID is known. */
  readonly midId: string | null
  readonly day: string
  readonly kind: string
  readonly currency: string
  /** What was expected: by our record of the acquirer, by the acquirer's of the bank. */
  readonly oursMinor: bigint | null
  readonly theirsMinor: bigint | null
  readonly merchantId: string | null
  readonly paymentId: string | null
  readonly transactionId: string | null
  /** The acquirer's row, or the bank's line. */
  readonly ref: string | null
  /** What the acquirer's row is for; null without a row. */
  readonly rowKind: string | null
  readonly payout: string | null
  /** Null if it was found in a bank statement. */
  readonly fileId: string | null
  readonly foundAt: Date
  readonly resolvedAt: Date | null
  readonly note: string | null
}

const acquirerColumns = `id, mid_id as "midId", day::text as day, kind, currency, ours_minor as "oursMinor", theirs_minor as "theirsMinor",
  merchant_id as "merchantId", payment_id as "paymentId", transaction_id as "transactionId", ref, null::text as payout, file_id as "fileId",
  found_at as "foundAt", resolved_at as "resolvedAt", note,
  (select r.kind from settlement_rows r where r.mid_id = settlement_differences.mid_id and r.ref = settlement_differences.ref) as "rowKind"`
const bankColumns = `id, mid_id, day::text, kind, currency, announced_minor, booked_minor, null::uuid, null::uuid, null::uuid, line_ref, payout,
  null::uuid, found_at, resolved_at, note, null::text`

const filter = `($1::uuid is null or mid_id = $1) and ($2::date is null or day = $2) and (not $4 or resolved_at is null)
  and ($5::uuid is null or id > $5)`

type DifferenceParams = readonly [
  string | null,
  string | null,
  string | null,
  boolean,
  string | null,
  number,
  Reporter | null,
]

const listDifferences = sql<Difference, DifferenceParams>(
  'difference.list',
  `(select ${acquirerColumns} from settlement_differences
    where ${filter} and ($3::uuid is null or file_id = $3) and ($7::text is null or $7 = 'acquirer') order by id limit $6)
   union all
   (select ${bankColumns} from bank_differences
    where ${filter} and $3::uuid is null and ($7::text is null or $7 = 'bank') order by id limit $6)
   order by id limit $6`,
)
const findDifference = sql<Difference, readonly [string]>(
  'difference.find',
  `select ${acquirerColumns} from settlement_differences where id = $1
   union all select ${bankColumns} from bank_differences where id = $1`,
)
const resolveDifference = sql<{ id: string }, readonly [string, Date, string]>(
  'difference.resolve',
  `with acquirer as (
     update settlement_differences set resolved_at = $2, note = $3 where id = $1 and resolved_at is null returning id
   ), bank as (
     update bank_differences set resolved_at = $2, note = $3 where id = $1 and resolved_at is null returning id
   ) select id from acquirer union all select id from bank`,
)

// The acquirer owes, or the bank received, less or more than was expected: the rest goes to the account of differences.
const bookCorrection = sql<Record<never, never>, readonly [string, bigint, Date, Reporter, string, number]>(
  'difference.book-correction',
  `with bank as (
     update bank_differences set posted_minor = $2::numeric where id = $1 returning id, mid_id, day
   ), difference as (
     select id, mid_id, merchant_id, day from settlement_differences where id = $1
     union all select id, mid_id, null::uuid, day from bank
   )
   insert into book_entries (source, position, mid_id, merchant_id, from_account, to_account, currency, amount_minor, on_day, at)
   select 'difference ' || id, $6::int, mid_id, merchant_id, case when $2::numeric > 0 then $4::text else 'differences' end,
     case when $2::numeric > 0 then 'differences' else $4::text end, $5, abs($2::numeric), day, $3
   from difference
   on conflict do nothing`,
)

export type Reporter = 'acquirer' | 'bank'

export interface DifferenceFilter {
  readonly midId: string | null
  readonly day: string | null
  readonly fileId: string | null
  readonly reportedBy: Reporter | null
  readonly openOnly: boolean
  readonly after: string | null
  readonly limit: number
}

interface Posting {
  /** One per currency; positive if less came than was expected. */
  readonly corrections: readonly { readonly currency: string; readonly amountMinor: bigint }[]
  /** The account of the book whose balance is corrected. */
  readonly account: Reporter
}

export const differenceStore = (on: Queryable) => ({
  list: ({ midId, day, fileId, reportedBy, openOnly, after, limit }: DifferenceFilter) =>
    query(on, listDifferences, [midId, day, fileId, openOnly, after, limit, reportedBy]),
  find: async (id: string): Promise<Difference | null> => (await query(on, findDifference, [id]))[0] ?? null,
  resolve: async (id: string, at: Date, note: string): Promise<boolean> =>
    (await query(on, resolveDifference, [id, at, note])).length === 1,
  book: async (id: string, { corrections, account }: Posting, at: Date): Promise<void> => {
    for (const [position, { currency, amountMinor }] of corrections.entries())
      await query(on, bookCorrection, [id, amountMinor, at, account, currency, position])
  },
})
