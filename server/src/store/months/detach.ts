/**
 * Takes the parts of a month off their tables, without letting payments wait.
 *
 * One server detaches each concurrently. Citus refuses that: there all are detached in one transaction that gives up rather than wait for its
 * locks, and is tried again. See decisions/shards#rows-first.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseError } from 'pg'
import { isDistributed } from '../database/buckets.ts'
import type { Pool, Queryable } from '../database/pool.ts'
import { partOf } from './month-tables.ts'
import { busyCodes, runShortly } from './short-locks.ts'

const usualTries = 20
const betweenTriesMs = 500

/** False if their locks were not free; they are still attached then. Those that are detached already are left alone. */
export async function detach(
  pool: Pool,
  tables: readonly string[],
  suffix: string,
  tries = usualTries,
): Promise<boolean> {
  if (await isDistributed(pool)) return detachTogether(pool, tables, suffix, tries)
  for (const table of tables) await detachConcurrently(pool, table, suffix)
  return true
}

async function detachTogether(pool: Pool, tables: readonly string[], suffix: string, tries: number): Promise<boolean> {
  const states = await Promise.all(
    tables.map(async (table) => ({ table, state: await readState(pool, table, suffix) })),
  )
  const attached = states.flatMap(({ table, state }) => (state === 'detached' ? [] : [table]))
  if (attached.length === 0) return true
  for (let count = 1; count <= tries; count += 1) {
    if (await isDone(runShortly(pool, detachTexts(attached, suffix), true))) return true
    if (count < tries) await sleep(betweenTriesMs)
  }
  return false
}

export const detachTexts = (tables: readonly string[], suffix: string): readonly string[] => [
  `lock table ${tables.join(', ')} in access exclusive mode`,
  ...tables.map((table) => `alter table ${table} detach partition ${partOf(table, suffix)}`),
]

const isDone = (work: Promise<void>): Promise<boolean> =>
  work.then(
    () => true,
    (error: unknown) => {
      if (error instanceof DatabaseError && busyCodes.includes(error.code ?? '')) return false
      throw error
    },
  )

/** In a session of its own, because a concurrent detachment is no part of a transaction and waits for the statements before it. */
async function detachConcurrently(pool: Pool, table: string, suffix: string): Promise<void> {
  const client = await pool.connect()
  try {
    const state = await readState(client, table, suffix)
    if (state === 'detached') return
    await client.query('set statement_timeout = 0')
    const how = state === 'pending' ? 'finalize' : 'concurrently'
    await client.query(`alter table ${table} detach partition ${partOf(table, suffix)} ${how}`)
  } finally {
    // The setting of this session must not reach another user of the pool.
    client.release(true)
  }
}

/** `pending`: a concurrent detachment was interrupted. */
async function readState(on: Queryable, table: string, suffix: string): Promise<'attached' | 'pending' | 'detached'> {
  const { rows } = await on.query<{ pending: boolean }>(
    `select link.inhdetachpending as pending from pg_inherits link join pg_class part on part.oid = link.inhrelid
     where link.inhparent = $1::regclass and part.relname = $2`,
    [table, `${table}_${suffix}`],
  )
  const [link] = rows
  if (link === undefined) return 'detached'
  return link.pending ? 'pending' : 'attached'
}
