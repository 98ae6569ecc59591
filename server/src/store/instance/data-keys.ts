import { type DataKeyRow, type DataKeyRows, PLATFORM_SCOPE } from '#server/vault/port.ts'
import { type Pool, query, sql } from '../database/pool.ts'

/** The vault's data keys, wrapped: a copy of this table is useless without a key-encryption key. */
export function dataKeyRows(pool: Pool): DataKeyRows {
  return {
    load: (scope) => query(pool, load, [scope]),
    async add({ scope, version, kekId, wrapped, createdAt }) {
      const added = await query(pool, add, [scope, version, kekId, wrapped, createdAt])
      return added.length === 1 ? 'added' : 'exists'
    },
    async replaceWrapping({ scope, version, kekId, wrapped }) {
      await query(pool, replaceWrapping, [scope, version, kekId, wrapped])
    },
    scopes: () => scopes(pool),
    async countByKek() {
      const rows = await query(pool, countByKek, [])
      return new Map(rows.map((row) => [row.kekId, row.dataKeys]))
    },
  }
}

/** Paged by key instead of offset, so that scopes added meanwhile do not shift pages. Version 0 precedes every version. */
async function* scopes(pool: Pool): AsyncIterable<string> {
  let after: readonly [scope: string, version: number] = [PLATFORM_SCOPE, 0]
  for (;;) {
    const page: readonly { scope: string }[] = await query(pool, scopesAfter, [...after, SCOPES_PER_PAGE])
    for (const { scope } of page) yield scope
    const last = page.at(-1)
    if (!last) return
    after = [last.scope, LAST_VERSION]
  }
}

const SCOPES_PER_PAGE = 500
const LAST_VERSION = 2 ** 31 - 1

const load = sql<DataKeyRow, readonly [scope: string]>(
  'data_keys.load',
  `select scope, version, kek_id as "kekId", wrapped, created_at as "createdAt" from data_keys where scope = $1`,
)

const add = sql<
  { version: number },
  readonly [scope: string, version: number, kekId: string, wrapped: Buffer, createdAt: Date]
>(
  'data_keys.add',
  `insert into data_keys (scope, version, kek_id, wrapped, created_at) values ($1, $2, $3, $4, $5)
   on conflict (scope, version) do nothing
   returning version`,
)

const replaceWrapping = sql<
  Record<never, never>,
  readonly [scope: string, version: number, kekId: string, wrapped: Buffer]
>('data_keys.replace_wrapping', 'update data_keys set kek_id = $3, wrapped = $4 where scope = $1 and version = $2')

const scopesAfter = sql<{ scope: string }, readonly [scope: string, version: number, limit: number]>(
  'data_keys.scopes_after',
  'select distinct scope from data_keys where (scope, version) > ($1::uuid, $2::int) order by scope limit $3',
)

const countByKek = sql<{ kekId: string; dataKeys: number }>(
  'data_keys.count_by_kek',
  'select kek_id as "kekId", count(*)::int as "dataKeys" from data_keys group by kek_id',
)
