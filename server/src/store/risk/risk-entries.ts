/** Entries of risk lists: added, listed and removed by people. Chapter 70 §7. */
import type { RiskKind, RiskList } from '#domain/risk/risk-entry.ts'
import { json } from '../database/insertion.ts'
import { type Queryable, query, sql } from '../database/pool.ts'

export interface RiskEntry {
  readonly id: string
  /** Null for all merchants. */
  readonly merchantId: string | null
  readonly list: RiskList
  readonly kind: RiskKind
  readonly value: string
  readonly reason: string
  readonly expiresAt: Date | null
  readonly createdAt: Date
  readonly createdBy: string
}

export interface RiskFilter {
  readonly merchantId: string | null
  readonly list: RiskList | null
  readonly kind: RiskKind | null
  /** The beginning of a value. */
  readonly value: string | null
  /** The last id of the page before. */
  readonly before: string | null
  readonly limit: number
}

const columns = `id, merchant_id as "merchantId", list, kind, value, reason, expires_at as "expiresAt", created_at as "createdAt",
     created_by as "createdBy"`

const listEntries = sql<
  RiskEntry,
  readonly [string | null, string | null, string | null, string | null, string | null, number]
>(
  'risk-entry.list',
  `select ${columns} from risk_entries
   where ($1::uuid is null or merchant_id = $1) and ($2::text is null or list = $2) and ($3::text is null or kind = $3)
     and ($4::text is null or starts_with(value, $4)) and ($5::uuid is null or id < $5)
   order by id desc limit $6`,
)

/** An entry that exists keeps its id and gets the new reason and expiry. */
const putEntries = sql<{ id: string; isNew: boolean }, readonly [string | null]>(
  'risk-entry.put',
  `insert into risk_entries as held (id, merchant_id, list, kind, value, network, reason, expires_at, created_at, created_by)
   select id, merchant_id, list, kind, value, case when kind = 'ip' then network(value::inet)::inet end, reason, expires_at, created_at, created_by
   from jsonb_to_recordset($1::jsonb) as given (id uuid, merchant_id uuid, list text, kind text, value text, reason text,
     expires_at timestamptz, created_at timestamptz, created_by text)
   on conflict (kind, value, list, merchant_id) do update set reason = excluded.reason, expires_at = excluded.expires_at
   returning id, (xmax = 0) as "isNew"`,
)

const removeEntry = sql<RiskEntry, readonly [string]>(
  'risk-entry.remove',
  `delete from risk_entries where id = $1 returning ${columns}`,
)

export const riskEntryStore = (pool: Queryable) => ({
  list: (filter: RiskFilter): Promise<readonly RiskEntry[]> =>
    query(pool, listEntries, [filter.merchantId, filter.list, filter.kind, filter.value, filter.before, filter.limit]),
  put: (entries: readonly RiskEntry[]) =>
    query(pool, putEntries, [
      json(
        entries.map((entry) => ({
          id: entry.id,
          merchant_id: entry.merchantId,
          list: entry.list,
          kind: entry.kind,
          value: entry.value,
          reason: entry.reason,
          expires_at: entry.expiresAt,
          created_at: entry.createdAt,
          created_by: entry.createdBy,
        })),
      ),
    ]),
  remove: async (id: string): Promise<RiskEntry | null> => (await query(pool, removeEntry, [id]))[0] ?? null,
})
