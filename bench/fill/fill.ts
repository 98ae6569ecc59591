/**
 * `npm run bench -- fill --payments=10000000 --data=DIR`: fills an instance in a folder of its own with payments of 203 merchants over ten
 * months, for measurements by `scale`. See decisions/tests#filled-instances.
 *
 * Months are filled from the newest to the oldest, each in one transaction. SIGTERM ends it after the months under way, and what is there can be
 * measured. Called again, it continues with the months that are missing, also after it was killed.
 */
import { mkdir, statfs } from 'node:fs/promises'
import type { Pool, PoolClient } from '#server/store/database/pool.ts'
import { release } from '#server/store/database/pool.ts'
import { inTransaction } from '#server/store/database/transaction.ts'
import { monthTables, partOf } from '#server/store/months/month-tables.ts'
import type { Part } from '#server/store/months/parts.ts'
import { analyseTables } from '#server/store/months/prepare.ts'
import { UsageError } from '../../tools/command-line.ts'
import { copier, dropSamples, keepSamples } from './copies.ts'
import { numbersIn } from './history.ts'
import { type FillState, openKept, poolOf, readState, writeState } from './kept-instance.ts'
import { prepareInstance } from './prepare-instance.ts'
import { Progress } from './progress.ts'
import { beginSummaries, summarisePart } from './summaries.ts'
import { emptyPart, putBack, takeOff } from './taken-parts.ts'

interface FillOptions {
  readonly folder: string
  readonly payments: number
  /** Months that are filled at the same time. */
  readonly jobs: number
  readonly print: (line: string) => void
}

const rowsAtOnce = 100_000

export async function fill(options: FillOptions): Promise<FillState> {
  const { folder, payments, jobs, print } = options
  await mkdir(folder, { recursive: true })
  const known = await readState(folder)
  if (known && known.history.payments !== payments)
    throw new UsageError(
      `${folder} is filled with ${known.history.payments} payments. Choose another folder for ${payments}.`,
    )
  if (known?.isReady && known.history.oldest === 0) return known
  const server = await openKept(folder, true)
  const pool = poolOf(server, jobs + 2)
  try {
    const state = known ?? (await prepareInstance(folder, server, pool, payments))
    return await fillMonths({ folder, jobs, print, state, pool })
  } finally {
    await pool.end()
    await server.stop()
  }
}

interface Filling extends Omit<FillOptions, 'payments'> {
  readonly state: FillState
  readonly pool: Pool
}

/** Expects the instance that `prepareInstance` made. */
export async function fillMonths({ folder, jobs, print, state, pool }: Filling): Promise<FillState> {
  const stopping = new AbortController()
  const stop = (): void => {
    if (!stopping.signal.aborted) print('Ending after the months under way.')
    stopping.abort()
  }
  for (const signal of signals) process.once(signal, stop)
  try {
    const missing = (await missingParts(pool, state)).toReversed()
    await keepSamples(pool)
    await takeOff(pool, missing)
    const progress = new Progress(print, state.history.payments, filledBefore(state, missing))
    const work = async (): Promise<void> => {
      const client = await pool.connect()
      try {
        await client.query(sessionSettings)
        for (let part = missing.shift(); part !== undefined; part = missing.shift()) {
          await fillPart(client, state, part, progress)
          if (await isNearlyFull(folder)) stop()
          if (stopping.signal.aborted) break
        }
        release(client)
      } catch (error) {
        client.release(true)
        throw error
      }
    }
    await Promise.all(Array.from({ length: jobs }, work))
    return await complete(folder, state, pool, missing)
  } finally {
    for (const signal of signals) process.off(signal, stop)
  }
}

const signals = ['SIGINT', 'SIGTERM'] as const
const sessionSettings = `set maintenance_work_mem = '512MB'; set work_mem = '256MB'; set temp_buffers = '64MB';
  set max_parallel_maintenance_workers = 0`

/** What two months at once may still take. */
const leastFreeBytes = 15e9

async function isNearlyFull(folder: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize < leastFreeBytes
}

/** Those without payments of the history, whether they are taken off or not. */
async function missingParts(pool: Pool, { parts }: FillState): Promise<readonly Part[]> {
  const missing: Part[] = []
  for (const part of parts) {
    const { rowCount } = await pool.query(
      `select 1 from ${partOf('payments', part.suffix)} where order_id like 'ORDER-%' limit 1`,
    )
    if (rowCount === 0) missing.push(part)
  }
  return missing
}

function filledBefore({ history, parts }: FillState, missing: readonly Part[]): number {
  const isMissing = new Set(missing.map(({ suffix }) => suffix))
  const counts = parts.filter(({ suffix }) => !isMissing.has(suffix)).map((part) => numbersIn(history, part))
  return counts.reduce((sum, { from, to }) => sum + to - from, 0)
}

async function fillPart(client: PoolClient, state: FillState, part: Part, progress: Progress): Promise<void> {
  const { history } = state
  const { from, to } = numbersIn(history, part)
  const nameOf = (table: string): string => partOf(table, part.suffix)
  await client.query('begin')
  try {
    await emptyPart(client, part)
    const copy = await copier(client, history, state)
    for (let first = from; first < to; first += rowsAtOnce) {
      const last = Math.min(first + rowsAtOnce, to)
      await copy({ from: first, to: last, partOf: nameOf })
      progress.add(last - first)
    }
    await summarisePart(client, nameOf('payments'))
    await client.query(taggingOf(nameOf('payments')))
    progress.say(`${part.suffix}: ${to - from} payments written; building indexes.`)
    await putBack(client, part)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
  await client.query(vacuumOf(part))
  progress.say(`${part.suffix}: done.`)
}

const vacuumOf = ({ suffix }: Part): string =>
  `vacuum (freeze, analyze) ${monthTables.map(({ table }) => partOf(table, suffix)).join(', ')}`

/** A fill that was killed may have filled a month without it; the server would do it during measurements. */
async function vacuumRest(pool: Pool, { parts }: FillState): Promise<void> {
  for (const part of parts) {
    const { rowCount } = await pool.query(
      'select 1 from pg_class where oid = $1::regclass and (reltuples < 0 or relpages > 0 and relallvisible = 0)',
      [partOf('payments', part.suffix)],
    )
    if (rowCount !== 0) await pool.query(vacuumOf(part))
  }
}

/** People tag few payments. */
const taggingOf = (part: string): string => `insert into payment_tags (merchant_id, payment_id, tag, author, tagged_at)
  select merchant_id, id, 'called', 'bench', created_at from ${part} where order_id like 'ORDER-%997'`

/** Months that were left out are put back empty; a later call fills them. */
async function complete(folder: string, state: FillState, pool: Pool, left: readonly Part[]): Promise<FillState> {
  for (const part of left) await inTransaction(pool, (client) => putBack(client, part))
  const oldest = Math.max(0, ...left.map((part) => numbersIn(state.history, part).to))
  await beginSummaries(pool, state.history)
  await dropSamples(pool)
  await vacuumRest(pool, state)
  await analyseTables(pool)
  await pool.query('vacuum (freeze, analyze) payment_summaries, payment_tags, cards, merchants')
  const filled = { ...state, history: { ...state.history, oldest }, isReady: true }
  await writeState(folder, filled)
  return filled
}
