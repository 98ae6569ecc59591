/** The table of brands: card networks, and the operator's additions to and changes of the catalogue. */
import type { JsonObject } from '../../contracts/records.ts'
import { columnsOf } from '../database/columns.ts'
import { type Queryable, query, sql } from '../database/pool.ts'

/** A card network has kind `card` and no record. A built-in brand has a record once the operator has changed it. */
export interface BrandRow {
  readonly code: string
  readonly kind: string
  readonly title: string
  readonly enabled: boolean
  /** As the operator wrote it; validated before it was stored. */
  readonly record: JsonObject | null
  readonly version: number
  readonly changedBy: string | null
  readonly changedAt: Date | null
}

interface StoredRow {
  code: string
  kind: string
  title: string
  enabled: boolean
  record: JsonObject | null
  version: number
  changed_by: string | null
  changed_at: Date | null
}

// biome-ignore format: a list of names.
const brandColumns = columnsOf<StoredRow>()([
  'code', 'kind', 'title', 'enabled', 'record', 'version', 'changed_by', 'changed_at',
])

const listBrands = sql<StoredRow, readonly []>('brand.list', `select ${brandColumns()} from brands order by code`)

/** The second of two writers with the same version changes nothing. */
const putBrand = sql<{ version: number }, readonly unknown[]>(
  'brand.put',
  `insert into brands (code, kind, title, enabled, record, version, changed_by, changed_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8)
   on conflict (code) do update set kind = excluded.kind, title = excluded.title, enabled = excluded.enabled,
     record = excluded.record, version = excluded.version, changed_by = excluded.changed_by, changed_at = excluded.changed_at
   where brands.version = excluded.version - 1
   returning version`,
)

export const brandStore = (pool: Queryable) => ({
  list: async (): Promise<readonly BrandRow[]> =>
    (await query(pool, listBrands, [])).map(({ changed_by, changed_at, ...row }) => ({
      ...row,
      changedBy: changed_by,
      changedAt: changed_at,
    })),

  /** `row.version` is the new version. */
  put: async (row: BrandRow): Promise<'put' | 'stale'> => {
    const { code, kind, title, enabled, record, version, changedBy, changedAt } = row
    const json = record === null ? null : JSON.stringify(record)
    const params = [code, kind, title, enabled, json, version, changedBy, changedAt]
    return (await query(pool, putBrand, params)).length === 1 ? 'put' : 'stale'
  },
})
