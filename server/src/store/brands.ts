/** Payment systems known to the service, which an operator can switch off for everybody. */
import { type Pool, query, sql } from './pool.ts'

export interface Brand {
  readonly code: string
  readonly kind: string
  readonly title: string
  readonly enabled: boolean
}

const listBrands = sql<{ code: string; kind: string; title: string; enabled: boolean }, readonly []>(
  'brand.list',
  'select * from brands order by code',
)
const putBrand = sql<Record<never, never>, readonly [string, string, string, boolean]>(
  'brand.put',
  `insert into brands (code, kind, title, enabled) values ($1, $2, $3, $4)
   on conflict (code) do update set kind = excluded.kind, title = excluded.title, enabled = excluded.enabled`,
)

export const brandStore = (pool: Pool) => ({
  list: (): Promise<readonly Brand[]> => query(pool, listBrands, []),
  put: async ({ code, kind, title, enabled }: Brand): Promise<void> => {
    await query(pool, putBrand, [code, kind, title, enabled])
  },
})
