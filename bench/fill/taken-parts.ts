/**
 * Parts of a month that are taken off their tables to be filled. Rows are written without indexes and keys, which are then built at once: that
 * takes a tenth of the time. A part is put back with everything that its table has.
 */
import type { Pool, PoolClient } from '#server/store/database/pool.ts'
import { inTransaction } from '#server/store/database/transaction.ts'
import { boundText } from '#server/store/months/month-bounds.ts'
import { monthTables, partOf } from '#server/store/months/month-tables.ts'
import { type Part, readParts } from '#server/store/months/parts.ts'

/** From those that refer to others to those that are referred to. */
const dependentFirst = monthTables.toReversed()

/** Detaches the parts and drops their indexes; a part that is detached already stays so. */
export async function takeOff(pool: Pool, parts: readonly Part[]): Promise<void> {
  const attached = new Set((await readParts(pool)).map(({ suffix }) => suffix))
  await inTransaction(pool, async (client) => {
    for (const { suffix } of parts.filter((part) => attached.has(part.suffix)))
      for (const { table } of dependentFirst) {
        await client.query(`alter table ${table} detach partition ${partOf(table, suffix)}`)
        await dropKeysAndIndexes(client, partOf(table, suffix))
      }
  })
}

async function dropKeysAndIndexes(client: PoolClient, part: string): Promise<void> {
  const keys = await client.query<{ name: string }>(
    `select conname as name from pg_constraint where conrelid = $1::regclass and contype in ('p', 'f') order by contype`,
    [part],
  )
  for (const { name } of keys.rows) await client.query(`alter table ${part} drop constraint "${name}"`)
  const indexes = await client.query<{ name: string }>(
    'select indexrelid::regclass::text as name from pg_index where indrelid = $1::regclass',
    [part],
  )
  for (const { name } of indexes.rows) await client.query(`drop index ${name}`)
}

/** A part without payments gets storage of its own in this transaction, whose pages the server then does not log. */
export async function emptyPart(client: PoolClient, { suffix }: Part): Promise<void> {
  const names = monthTables.map(({ table }) => partOf(table, suffix))
  const { rowCount } = await client.query(`select 1 from ${partOf('payments', suffix)} limit 1`)
  if (rowCount === 0) await client.query(`truncate ${names.join(', ')}`)
}

export async function putBack(client: PoolClient, part: Part): Promise<void> {
  for (const { table } of monthTables) await buildIndexes(client, table, partOf(table, part.suffix))
  for (const { table, refersTo } of monthTables)
    if (refersTo)
      await client.query(
        `alter table ${partOf(table, part.suffix)} add constraint ${refersTo.name}
         foreign key (${refersTo.columns}) references ${partOf(refersTo.table, part.suffix)} (${refersTo.target})`,
      )
  for (const { table } of monthTables)
    await client.query(`alter table ${table} attach partition ${partOf(table, part.suffix)} ${boundText(part)}`)
}

async function buildIndexes(client: PoolClient, table: string, part: string): Promise<void> {
  const { rows } = await client.query<{ definition: string; key: string | null }>(
    `select pg_get_indexdef(i.indexrelid) as definition, pg_get_constraintdef(c.oid) as key
     from pg_index i left join pg_constraint c on c.conindid = i.indexrelid and c.contype = 'p'
     where i.indrelid = $1::regclass order by i.indisprimary desc, i.indexrelid`,
    [`public.${table}`],
  )
  for (const { definition, key } of rows)
    await client.query(
      key === null
        ? definition.replace(/ INDEX \S+ ON ONLY \S+ /, ` INDEX ON ${part} `)
        : `alter table ${part} add ${key}`,
    )
}
