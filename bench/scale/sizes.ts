/** What a payment takes on disk, and what is dead in the newest month after further payments. */
import type { Pool } from '#server/store/database/pool.ts'
import { monthTables } from '#server/store/months/month-tables.ts'
import { partAt, readParts } from '#server/store/months/parts.ts'
import type { Figure } from '../figure-table.ts'
import type { Filled } from './filled.ts'

interface Size {
  readonly table: string
  readonly heap: number
  readonly indexes: number
}

const tables = monthTables.map(({ table }) => table)

/** Bytes of all parts; `heap` includes what is stored outside of the row. */
export async function sizesOf(pool: Pool): Promise<readonly Size[]> {
  const { rows } = await pool.query<Size>(
    `select root.relname as table, sum(pg_table_size(part.oid))::float8 as heap, sum(pg_indexes_size(part.oid))::float8 as indexes
     from pg_inherits link join pg_class part on part.oid = link.inhrelid join pg_class root on root.oid = link.inhparent
     where root.relname = any($1) group by root.relname`,
    [tables],
  )
  return tables.flatMap((table) => rows.filter((row) => row.table === table))
}

export async function sizeFigures({ pool, state: { history } }: Filled): Promise<readonly Figure[]> {
  const sizes = await sizesOf(pool)
  const payments = history.payments - history.oldest
  const { rows } = await pool.query<{ bytes: number }>('select pg_database_size(current_database())::float8 as bytes')
  const each = (bytes: number): string => `${(bytes / payments).toFixed(0)} bytes`
  return [
    { name: 'database', value: `${((rows[0]?.bytes ?? 0) / 1e9).toFixed(2)} GB`, against: `${payments} payments` },
    { name: 'a payment on disk', value: each(sizes.reduce((sum, { heap, indexes }) => sum + heap + indexes, 0)) },
    ...sizes.map(({ table, heap, indexes }) => ({
      name: `of it ${table}`,
      value: each(heap + indexes),
      against: `indexes ${each(indexes)}`,
    })),
  ]
}

/** What further payments of the instance added to the newest month, what of it is dead, and how long a vacuum takes. */
export async function bloatFigures(filled: Filled, before: readonly Size[]): Promise<readonly Figure[]> {
  const { pool, stage, since } = filled
  const after = await sizesOf(pool)
  const { rows: made } = await pool.query<{ payments: number }>(
    'select count(*)::int as payments from payments where id >= $1',
    [since],
  )
  const payments = made[0]?.payments ?? 0
  const total = (sizes: readonly Size[]): number => sizes.reduce((sum, { heap, indexes }) => sum + heap + indexes, 0)
  const part = partAt(await readParts(pool), stage.context.clock.now())
  const parts = tables.map((table) => `months.${table}_${part?.suffix}`)
  const dead = await deadShare(pool, parts)
  const client = await pool.connect()
  const begun = performance.now()
  try {
    await client.query('set statement_timeout = 0')
    await client.query(`vacuum ${parts.join(', ')}`)
  } finally {
    client.release(true)
  }
  const seconds = (performance.now() - begun) / 1000
  return [
    {
      name: 'a further payment on disk',
      value: `${((total(after) - total(before)) / payments).toFixed(0)} bytes`,
      against: `${payments} payments`,
    },
    { name: 'dead rows of the newest month', value: `${(dead * 100).toFixed(1)} %` },
    { name: 'vacuum of the newest month', value: `${seconds.toFixed(1)} s` },
    { name: 'dead rows afterwards', value: `${((await deadShare(pool, parts)) * 100).toFixed(1)} %` },
  ]
}

async function deadShare(pool: Pool, parts: readonly string[]): Promise<number> {
  const { rows } = await pool.query<{ share: number }>(
    `select (sum(n_dead_tup) / nullif(sum(n_dead_tup + n_live_tup), 0))::float8 as share
     from pg_stat_all_tables where relid = any($1::text[]::regclass[])`,
    [parts],
  )
  return rows[0]?.share ?? 0
}
