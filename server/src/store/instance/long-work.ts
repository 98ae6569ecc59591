/** Long-running work that a user started: its progress, and whether it was cancelled. */
import type { JsonObject } from '../../contracts/records.ts'
import { json } from '../database/insertion.ts'
import { type Queryable, query, sql } from '../database/pool.ts'

export type WorkKind = 'capture' | 'resend'
type WorkState = 'running' | 'done' | 'cancelled' | 'failed'

export interface WorkFailure {
  readonly subject: string
  readonly text: string
}

export interface WorkRow {
  readonly userId: string
  readonly id: string
  readonly kind: WorkKind
  readonly request: JsonObject
  readonly state: WorkState
  readonly total: bigint
  readonly done: bigint
  readonly failed: bigint
  readonly failures: readonly WorkFailure[]
  readonly cursor: string
  readonly createdAt: Date
  readonly endedAt: Date | null
}

export interface WorkProgress {
  readonly done: number
  readonly failures: readonly WorkFailure[]
  readonly cursor: string
}

const columns = `user_id as "userId", id, kind, request, state, total, done, failed, failures, cursor, created_at as "createdAt",
  ended_at as "endedAt"`

const failuresStored = 100
const leaseSeconds = 60
const freshLease = `clock_timestamp() + interval '${leaseSeconds} seconds'`

type WorkKey = readonly [userId: string, id: string]

const addWork = sql<Record<never, never>, readonly unknown[]>(
  'work.add',
  `insert into long_work (user_id, id, kind, request, state, total, created_at, lease_until)
   values ($1, $2, $3, $4, 'running', $5, $6, ${freshLease})`,
)
const findWork = sql<WorkRow, WorkKey>('work.find', `select ${columns} from long_work where user_id = $1 and id = $2`)
const listWork = sql<WorkRow, readonly [string, number]>(
  'work.list',
  `select ${columns} from long_work where user_id = $1 order by id desc limit $2`,
)
/** Of two processes that find work of a dead process, one takes it over. */
const takeUp = sql<WorkRow, WorkKey>(
  'work.take-up',
  `update long_work set lease_until = ${freshLease}
   where user_id = $1 and id = $2 and state = 'running' and (lease_until is null or lease_until < clock_timestamp())
   returning ${columns}`,
)
const advanceWork = sql<{ id: string }, readonly [string, string, number, number, string, string | null]>(
  'work.advance',
  `update long_work set done = done + $3, failed = failed + $4, cursor = $5, lease_until = ${freshLease},
     failures = case when jsonb_array_length(failures) < ${failuresStored} then failures || $6::jsonb else failures end
   where user_id = $1 and id = $2 and state = 'running' returning id`,
)
const endWork = sql<{ id: string }, readonly [string, string, WorkState, Date]>(
  'work.end',
  `update long_work set state = $3, ended_at = $4, lease_until = null
   where user_id = $1 and id = $2 and state = 'running' returning id`,
)
const sweepWork = sql<Record<never, never>, readonly [Date]>(
  'work.sweep',
  'delete from long_work where created_at < $1 and ended_at is not null',
)

type NewWork = Pick<WorkRow, 'userId' | 'id' | 'kind' | 'request' | 'total' | 'createdAt'>

export const workStore = (on: Queryable) => ({
  add: async ({ userId, id, kind, request, total, createdAt }: NewWork): Promise<void> => {
    await query(on, addWork, [userId, id, kind, json(request), total, createdAt])
  },
  find: async (userId: string, id: string): Promise<WorkRow | null> =>
    (await query(on, findWork, [userId, id]))[0] ?? null,
  /** Newest first. */
  list: (userId: string, limit: number): Promise<readonly WorkRow[]> => query(on, listWork, [userId, limit]),
  /** Null while another process runs it, and once it has ended. */
  takeUp: async (userId: string, id: string): Promise<WorkRow | null> =>
    (await query(on, takeUp, [userId, id]))[0] ?? null,
  /** False if it was cancelled meanwhile. */
  advance: async ({ userId, id }: WorkRow, { done, failures, cursor }: WorkProgress): Promise<boolean> =>
    (await query(on, advanceWork, [userId, id, done, failures.length, cursor, json(failures)])).length === 1,
  end: async (userId: string, id: string, state: Exclude<WorkState, 'running'>, at: Date): Promise<boolean> =>
    (await query(on, endWork, [userId, id, state, at])).length === 1,
  sweep: async (before: Date): Promise<void> => {
    await query(on, sweepWork, [before])
  },
})
