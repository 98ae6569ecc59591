/** Recent answers of MIDs and their circuit breakers, shared by all processes. */
import type { Cell } from '#domain/routing/approval.ts'
import { type Breaker, type BreakerOverride, initialBreaker } from '#domain/routing/breaker.ts'
import { writeCurrent } from '../../process/current-write.ts'
import { columnsOf } from '../database/columns.ts'
import { type Nothing, type Queryable, query, sql } from '../database/pool.ts'

/** Final answers to first steps within one minute. */
export interface MidAnswerRow {
  readonly midId: string
  readonly cell: Cell
  readonly minute: Date
  readonly approved: number
  readonly declined: number
}

/** Exchanges that ended within one interval, named by its start. */
export interface ExchangeRow {
  readonly midId: string
  readonly interval: Date
  readonly answered: number
  readonly failed: number
}

export interface BreakerRow {
  readonly midId: string
  readonly breaker: Breaker
}

interface AnswerColumns {
  minute: Date
  mid_id: string
  network: string
  country: string
  currency: string
  approved: number
  declined: number
}

// biome-ignore format: a list of names.
const answerColumns = columnsOf<AnswerColumns>()([
  'minute', 'mid_id', 'network', 'country', 'currency', 'approved', 'declined',
])

interface ExchangeColumns {
  slot: Date
  mid_id: string
  answered: number
  failed: number
}

const exchangeColumns = columnsOf<ExchangeColumns>()(['slot', 'mid_id', 'answered', 'failed'])

interface BreakerColumns {
  mid_id: string
  state: Breaker['state']
  since: Date
  probes: number
  hand: BreakerOverride
  version: bigint
}

const breakerColumns = columnsOf<BreakerColumns>()(['mid_id', 'state', 'since', 'probes', 'hand', 'version'])

// Rows are inserted in the order of their keys, so that two processes adding to the same rows cannot deadlock.
const addAnswers = sql<Nothing, readonly [Date[], string[], string[], string[], string[], number[], number[]]>(
  'mid-answers.add',
  `insert into mid_answers (${answerColumns()})
   select ${answerColumns('added')} from unnest($1::timestamptz[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::integer[], $7::integer[])
     as added (${answerColumns()})
   order by 1, 2, 3, 4, 5
   on conflict (minute, mid_id, network, country, currency)
     do update set approved = mid_answers.approved + excluded.approved, declined = mid_answers.declined + excluded.declined`,
)
const addExchanges = sql<Nothing, readonly [Date[], string[], number[], number[]]>(
  'mid-exchanges.add',
  `insert into mid_exchanges (${exchangeColumns()})
   select ${exchangeColumns('added')} from unnest($1::timestamptz[], $2::uuid[], $3::integer[], $4::integer[]) as added (${exchangeColumns()})
   order by 1, 2
   on conflict (slot, mid_id)
     do update set answered = mid_exchanges.answered + excluded.answered, failed = mid_exchanges.failed + excluded.failed`,
)
const answersSince = sql<AnswerColumns, readonly [Date]>(
  'mid-answers.since',
  `select ${answerColumns()} from mid_answers where minute >= $1`,
)
const exchangesSince = sql<ExchangeColumns, readonly [Date]>(
  'mid-exchanges.since',
  `select ${exchangeColumns()} from mid_exchanges where slot >= $1`,
)
const listBreakers = sql<BreakerColumns, readonly []>(
  'mid-breaker.list',
  `select ${breakerColumns()} from mid_breakers`,
)
const findBreaker = sql<BreakerColumns, readonly [string]>(
  'mid-breaker.find',
  `select ${breakerColumns()} from mid_breakers where mid_id = $1`,
)
const putBreaker = sql<{ mid_id: string }, readonly [string, string, Date, number, BreakerOverride, bigint]>(
  'mid-breaker.put',
  `insert into mid_breakers (mid_id, state, since, probes, hand, version) values ($1, $2, $3, $4, $5, $6::bigint + 1)
   on conflict (mid_id) do update set state = excluded.state, since = excluded.since, probes = excluded.probes,
     hand = excluded.hand, version = excluded.version
   where mid_breakers.version = $6
   returning mid_id`,
)
const purge = sql<Nothing, readonly [Date, Date]>(
  'mid-health.purge',
  `with forgotten as (delete from mid_answers where minute < $1)
   delete from mid_exchanges where slot < $2`,
)

export interface ChangedBreaker {
  readonly before: Breaker
  /** The same object as `before` if nothing changed. */
  readonly after: Breaker
}

export const midHealthStore = (pool: Queryable) => ({
  addAnswers: async (rows: readonly MidAnswerRow[]): Promise<void> => {
    if (rows.length === 0) return
    await query(pool, addAnswers, [
      rows.map(({ minute }) => minute),
      rows.map(({ midId }) => midId),
      rows.map(({ cell }) => cell.network ?? ''),
      rows.map(({ cell }) => cell.country ?? ''),
      rows.map(({ cell }) => cell.currency),
      rows.map(({ approved }) => approved),
      rows.map(({ declined }) => declined),
    ])
  },

  addExchanges: async (rows: readonly ExchangeRow[]): Promise<void> => {
    if (rows.length === 0) return
    await query(pool, addExchanges, [
      rows.map(({ interval }) => interval),
      rows.map(({ midId }) => midId),
      rows.map(({ answered }) => answered),
      rows.map(({ failed }) => failed),
    ])
  },

  listAnswersSince: async (from: Date): Promise<readonly MidAnswerRow[]> =>
    (await query(pool, answersSince, [from])).map(({ mid_id: midId, network, country, currency, ...row }) => ({
      ...row,
      midId,
      cell: { network: network || null, country: country || null, currency },
    })),

  listExchangesSince: async (from: Date): Promise<readonly ExchangeRow[]> =>
    (await query(pool, exchangesSince, [from])).map(({ mid_id: midId, slot: interval, ...row }) => ({
      ...row,
      midId,
      interval,
    })),

  listBreakers: async (): Promise<readonly BreakerRow[]> =>
    (await query(pool, listBreakers, [])).map((row) => ({ midId: row.mid_id, breaker: breakerFrom(row) })),

  /** Applies a change to the stored breaker, and again if another process has changed it meanwhile. */
  change: async (midId: string, change: (breaker: Breaker) => Breaker): Promise<ChangedBreaker> => {
    const read = async () => (await query(pool, findBreaker, [midId]))[0]
    const changed = await writeCurrent({
      record: await read(),
      write: async (row) => {
        const before = row ? breakerFrom(row) : initialBreaker
        const after = change(before)
        if (after === before) return { before, after }
        const { state, since, probes, override } = after
        const written = await query(pool, putBreaker, [midId, state, since, probes, override, row?.version ?? 0n])
        return written.length > 0 ? { before, after } : null
      },
      read,
    })
    if (!changed) throw new Error(`The breaker of MID ${midId} kept changing.`)
    return changed
  },

  purge: async (answersBefore: Date, exchangesBefore: Date): Promise<void> => {
    await query(pool, purge, [answersBefore, exchangesBefore])
  },
})

export type MidHealthStore = ReturnType<typeof midHealthStore>

const breakerFrom = ({ state, since, probes, hand }: BreakerColumns): Breaker => ({
  state,
  since,
  probes,
  override: hand,
})
