/** Imported settlement files, for reading. */
import { isDistributed } from '../database/buckets.ts'
import { type Queryable, query, sql } from '../database/pool.ts'

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
     coalesce(f.matched, (select count(*)::int from settlement_rows r where r.file_id = f.id and r.transaction_id is not null)) as matched,
     (select count(*)::int from settlement_differences d where d.file_id = f.id and d.resolved_at is null) as "openDifferences"
   from settlement_files f
   where ($1::uuid is null or f.mid_id = $1) and ($2::uuid is null or f.id = $2) and ($3::text is null or f.sha256 = $3)
     and ($4::uuid is null or f.id < $4)
   order by f.id desc limit $5`,
)

const newestRecord = sql<{ at: Date | null; rows: bigint; open: bigint }, readonly []>(
  'settlement.newest-record',
  `select (select max(imported_at) from settlement_files) as at, (select coalesce(sum(row_count), 0) from settlement_files)::bigint as rows,
     (select count(*) from settlement_differences where resolved_at is null) as open`,
)

export interface MidRecord {
  readonly midName: string
  /** When the newest file of the MID was imported; null if none was. */
  readonly at: Date | null
}

/** Of the live MIDs with payments since a day, by the index on MID and day. */
const listRecordsInUse = sql<MidRecord, readonly [string]>(
  'settlement.records-in-use',
  `select m.name as "midName", (select max(f.imported_at) from settlement_files f where f.mid_id = m.id) as at from mids m
   where m.side = 'live' and exists (select 1 from payments p where p.mid_id = m.id and p.financial_day >= $1::date)
   order by at nulls first, m.name`,
)

/** Servers that have the payments do not have the MIDs. */
const listRecordsOverShards = sql<MidRecord, readonly [string]>(
  'settlement.records-over-shards',
  `with used as (select distinct mid_id from payments where not test and financial_day >= $1::date)
   select m.name as "midName", (select max(f.imported_at) from settlement_files f where f.mid_id = m.id) as at
   from mids m join used on used.mid_id = m.id where m.side = 'live' order by at nulls first, m.name`,
)

export const settlementStore = (on: Queryable) => ({
  /** Newest first, before the file `before`. */
  list: (midId: string | null, before: string | null, limit: number) =>
    query(on, listFiles, [midId, null, null, before, limit]),
  find: async (id: string): Promise<StoredSettlement | null> =>
    (await query(on, listFiles, [null, id, null, null, 1]))[0] ?? null,
  withContent: async (midId: string, sha256: string): Promise<StoredSettlement | null> =>
    (await query(on, listFiles, [midId, null, sha256, null, 1]))[0] ?? null,
  /** The newest record of each live MID that had a payment since the day; without a record first, then the oldest. */
  listRecordsInUse: async (since: string) =>
    query(on, (await isDistributed(on)) ? listRecordsOverShards : listRecordsInUse, [since]),
  /** When an acquirer's record was read last, how many rows it had, and how many differences are open. */
  readNewestRecord: async () => (await query(on, newestRecord, []))[0] ?? { at: null, rows: 0n, open: 0n },
})
