/**
 * Splits the coming month off the last part of every table, which has no end. Decision 0200.
 *
 * If the last part has rows, a constraint proves first that all are before the month; it is validated while payments continue. The bounds
 * are then changed in one short transaction, which gives up rather than let payments wait for its locks. A failure at any point leaves the
 * parts as they were.
 */
import { DatabaseError } from 'pg'
import type { Pool, PoolClient } from '../database/pool.ts'
import { inTransaction } from '../database/transaction.ts'
import { lowestId, suffixOf } from './month-bounds.ts'
import { monthTables, partOf } from './month-tables.ts'
import type { Part } from './parts.ts'

/** `rows beyond`: the part has rows of that month or later already. `busy`: its locks were not free. */
export type SplitResult = 'split' | 'rows beyond' | 'busy'

const lockTimeoutMs = 250
const proof = 'before_next_part'
const tables = monthTables.map(({ table }) => table)

export async function splitOff(pool: Pool, last: Part, month: Date): Promise<SplitResult> {
  try {
    await removeProofs(pool, last)
    for (const { table, key } of monthTables)
      await prove(pool, partOf(table, last.suffix), boundsText(last, month, key))
    await inTransaction(pool, (client) => changeBounds(client, last, month))
    return 'split'
  } catch (error) {
    const result = resultOf(error)
    // A constraint that stayed would refuse the payments of the month.
    await removeProofs(pool, last).catch(() => undefined)
    if (result === null) throw error
    return result
  }
}

const codes: Readonly<Record<string, SplitResult>> = {
  '23514': 'rows beyond',
  '55P03': 'busy',
  '40P01': 'busy',
}

const resultOf = (error: unknown): SplitResult | null =>
  error instanceof DatabaseError ? (codes[error.code ?? ''] ?? null) : null

const boundsText = ({ from }: Part, month: Date, key: string): string =>
  [...(from === null ? [] : [`${key} >= '${lowestId(from)}'`]), `${key} < '${lowestId(month)}'`].join(' and ')

const limits = `set local lock_timeout = ${lockTimeoutMs}; set local statement_timeout = 0`

/** Of a part without rows nothing has to be proved. */
async function prove(pool: Pool, part: string, condition: string): Promise<void> {
  const { rowCount } = await pool.query(`select 1 from ${part} limit 1`)
  if (rowCount === 0) return
  await inTransaction(pool, (client) =>
    client.query(`${limits}; alter table ${part} add constraint ${proof} check (${condition}) not valid`),
  )
  await inTransaction(pool, (client) => client.query(`${limits}; alter table ${part} validate constraint ${proof}`))
}

/** Left behind by a process that died. */
async function removeProofs(pool: Pool, { suffix }: Part): Promise<void> {
  const parts = tables.map((table) => partOf(table, suffix))
  const { rows } = await pool.query<{ part: string }>(
    'select conrelid::regclass::text as part from pg_constraint where conname = $1 and conrelid = any($2::text[]::regclass[])',
    [proof, parts],
  )
  for (const { part } of rows)
    await inTransaction(pool, (client) =>
      client.query(`${limits}; alter table ${part} drop constraint if exists ${proof}`),
    )
}

async function changeBounds(client: PoolClient, last: Part, month: Date): Promise<void> {
  const suffix = suffixOf(month)
  await client.query(limits)
  for (const { table, refersTo } of monthTables) {
    await client.query(`create table ${partOf(table, suffix)} (like public.${table} including all)`)
    if (refersTo)
      await client.query(
        `alter table ${partOf(table, suffix)} add constraint ${refersTo.name}
         foreign key (${refersTo.columns}) references ${partOf(refersTo.table, suffix)} (${refersTo.target})`,
      )
  }
  const from = last.from === null ? 'minvalue' : `'${lowestId(last.from)}'`
  const to = `'${lowestId(month)}'`
  await client.query(`lock table ${tables.join(', ')} in access exclusive mode`)
  for (const table of tables)
    await client.query(
      `alter table ${table} detach partition ${partOf(table, last.suffix)};
       alter table ${table} attach partition ${partOf(table, last.suffix)} for values from (${from}) to (${to});
       alter table ${table} attach partition ${partOf(table, suffix)} for values from (${to}) to (maxvalue);
       alter table ${partOf(table, last.suffix)} drop constraint if exists ${proof}`,
    )
}
