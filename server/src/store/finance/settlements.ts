/** Imported settlement files, their differences and the comparison per MID and day, for reading; and how a difference is resolved. */
import { type Queryable, query, sql } from '../database/pool.ts'
import { settledByAcquirer } from './settlement-import.ts'

export interface StoredSettlement {
  readonly id: string
  readonly midId: string
  readonly name: string
  readonly format: string
  readonly sha256: string
  readonly rowCount: number
  readonly firstDay: string | null
  readonly lastDay: string | null
  readonly importedBy: string
  readonly importedAt: Date
  readonly matched: number
  readonly openDifferences: number
}

const listFiles = sql<StoredSettlement, readonly [string | null, string | null, string | null, string | null, number]>(
  'settlement.list',
  `select f.id, f.mid_id as "midId", f.name, f.format, f.sha256, f.row_count as "rowCount", f.first_day::text as "firstDay",
     f.last_day::text as "lastDay", f.imported_by as "importedBy", f.imported_at as "importedAt",
     (select count(*)::int from settlement_rows r where r.file_id = f.id and r.transaction_id is not null) as matched,
     (select count(*)::int from settlement_differences d where d.file_id = f.id and d.resolved_at is null) as "openDifferences"
   from settlement_files f
   where ($1::uuid is null or f.mid_id = $1) and ($2::uuid is null or f.id = $2) and ($3::text is null or f.sha256 = $3)
     and ($4::uuid is null or f.id < $4)
   order by f.id desc limit $5`,
)

export interface SettlementDifference {
  readonly id: string
  readonly midId: string
  readonly day: string
  readonly kind: string
  readonly currency: string
  readonly oursMinor: bigint | null
  readonly theirsMinor: bigint | null
  readonly merchantId: string | null
  readonly paymentId: string | null
  readonly transactionId: string | null
  readonly ref: string | null
  readonly fileId: string
  readonly foundAt: Date
  readonly resolvedAt: Date | null
  readonly note: string | null
}

const differenceColumns = `id, mid_id as "midId", day::text as day, kind, currency, ours_minor as "oursMinor", theirs_minor as "theirsMinor",
  merchant_id as "merchantId", payment_id as "paymentId", transaction_id as "transactionId", ref, file_id as "fileId", found_at as "foundAt",
  resolved_at as "resolvedAt", note`

type DifferenceParams = readonly [string | null, string | null, string | null, boolean, string | null, number]

const listDifferences = sql<SettlementDifference, DifferenceParams>(
  'settlement.list-differences',
  `select ${differenceColumns} from settlement_differences
   where ($1::uuid is null or mid_id = $1) and ($2::date is null or day = $2) and ($3::uuid is null or file_id = $3)
     and (not $4 or resolved_at is null) and ($5::uuid is null or id > $5)
   order by id limit $6`,
)
const findDifference = sql<SettlementDifference, readonly [string]>(
  'settlement.find-difference',
  `select ${differenceColumns} from settlement_differences where id = $1`,
)
const resolveDifference = sql<{ id: string }, readonly [string, Date, string]>(
  'settlement.resolve-difference',
  'update settlement_differences set resolved_at = $2, note = $3 where id = $1 and resolved_at is null returning id',
)

// The acquirer owes less, or more, than our record says: the rest goes to the account of differences.
const bookCorrection = sql<Record<never, never>, readonly [string, bigint, Date]>(
  'settlement.book-correction',
  `insert into book_entries (source, position, mid_id, merchant_id, from_account, to_account, currency, amount_minor, on_day, at)
   select 'difference ' || id, 0, mid_id, merchant_id, case when $2::numeric > 0 then 'acquirer' else 'differences' end,
     case when $2::numeric > 0 then 'differences' else 'acquirer' end, currency, abs($2::numeric), day, $3
   from settlement_differences where id = $1
   on conflict do nothing`,
)

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
}

/** Money that leaves counts as negative on both sides. */
const listDays = sql<ReconciledDay, readonly [string, string, string]>(
  'settlement.list-days',
  `with ours as (
     select t.ended_at::date as day, p.currency, count(*)::int as count,
       sum(case when t.type in ('REFUND', 'REVERSAL', 'CHARGEBACK', 'CREDIT') then -t.amount_minor else t.amount_minor end) as minor
     from transactions t join payments p on p.merchant_id = t.merchant_id and p.id = t.payment_id
     where t.mid_id = $1 and t.ended_at >= $2::date and t.ended_at < $3::date + 1 and ${settledByAcquirer}
     group by 1, 2
   ), theirs as (
     select coalesce(t.ended_at::date, r.booked_on) as day, r.currency, count(*)::int as count, sum(r.gross_minor) as gross,
       sum(r.fee_minor) as fee, sum(r.net_minor) as net, count(r.transaction_id)::int as matched
     from settlement_rows r left join transactions t on t.merchant_id = r.merchant_id and t.payment_id = r.payment_id and t.id = r.transaction_id
     where r.mid_id = $1 and coalesce(t.ended_at::date, r.booked_on) between $2::date and $3::date
     group by 1, 2
   ), open as (
     select day, currency, count(*)::int as count from settlement_differences where mid_id = $1 and resolved_at is null group by 1, 2
   ), days as (select day, currency from ours union select day, currency from theirs)
   select days.day::text as day, days.currency, coalesce(ours.count, 0) as ours, coalesce(ours.minor, 0) as "oursMinor",
     coalesce(theirs.count, 0) as theirs, coalesce(theirs.gross, 0) as "grossMinor", coalesce(theirs.fee, 0) as "feeMinor",
     coalesce(theirs.net, 0) as "netMinor", coalesce(theirs.matched, 0) as matched, coalesce(open.count, 0) as "openDifferences"
   from days left join ours using (day, currency) left join theirs using (day, currency) left join open using (day, currency)
   order by days.day desc, days.currency`,
)

const newestRecord = sql<{ at: Date | null; rows: bigint; open: bigint }, readonly []>(
  'settlement.newest-record',
  `select (select max(imported_at) from settlement_files) as at, (select coalesce(sum(row_count), 0) from settlement_files)::bigint as rows,
     (select count(*) from settlement_differences where resolved_at is null) as open`,
)

interface DifferenceFilter {
  readonly midId: string | null
  readonly day: string | null
  readonly fileId: string | null
  readonly openOnly: boolean
  readonly after: string | null
  readonly limit: number
}

export const settlementStore = (on: Queryable) => ({
  /** Newest first, before the file `before`. */
  list: (midId: string | null, before: string | null, limit: number) =>
    query(on, listFiles, [midId, null, null, before, limit]),
  find: async (id: string): Promise<StoredSettlement | null> =>
    (await query(on, listFiles, [null, id, null, null, 1]))[0] ?? null,
  withContent: async (midId: string, sha256: string): Promise<StoredSettlement | null> =>
    (await query(on, listFiles, [midId, null, sha256, null, 1]))[0] ?? null,
  differences: ({ midId, day, fileId, openOnly, after, limit }: DifferenceFilter) =>
    query(on, listDifferences, [midId, day, fileId, openOnly, after, limit]),
  difference: async (id: string): Promise<SettlementDifference | null> =>
    (await query(on, findDifference, [id]))[0] ?? null,
  resolve: async (id: string, at: Date, note: string): Promise<boolean> =>
    (await query(on, resolveDifference, [id, at, note])).length === 1,
  bookCorrection: async (id: string, amountMinor: bigint, at: Date): Promise<void> => {
    await query(on, bookCorrection, [id, amountMinor, at])
  },
  days: (midId: string, from: string, to: string) => query(on, listDays, [midId, from, to]),
  /** When an acquirer's record was read last, how many rows it had, and how many differences are open. */
  newestRecord: async () => (await query(on, newestRecord, []))[0] ?? { at: null, rows: 0n, open: 0n },
})
