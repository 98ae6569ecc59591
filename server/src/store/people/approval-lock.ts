/**
 * Which approved requests are being carried out, by locks that end with the connection: a process that dies leaves none. See
 * decisions/corrections#carrying-out.
 */
import { type Pool, type Queryable, query, release, sql } from '../database/pool.ts'

const takeLock = sql<{ taken: boolean }, readonly [string]>(
  'approval.take',
  `select pg_try_advisory_lock(hashtextextended('approval ' || $1, 0)) as taken`,
)
const releaseLock = sql<Record<never, never>, readonly [string]>(
  'approval.release',
  `select pg_advisory_unlock(hashtextextended('approval ' || $1, 0))`,
)
const findLocked = sql<{ id: string }, readonly [readonly string[]]>(
  'approval.taken',
  `select wanted.id from unnest($1::text[]) wanted (id) cross join lateral (select hashtextextended('approval ' || wanted.id, 0) as key) lock
   where exists (select from pg_locks l where l.locktype = 'advisory' and l.granted and l.objsubid = 1
     and l.database = (select oid from pg_database where datname = current_database())
     and (l.classid::bigint << 32 | l.objid::bigint) = lock.key)`,
)

const lastByPool = new WeakMap<Pool, Promise<unknown>>()

/**
 * Null if the request is being carried out by another process. In this process one follows the other: each needs a second connection for its work,
 * so that as many as the pool has connections would wait for each other.
 */
export function runWithApprovalLock<T>(pool: Pool, approvalId: string, work: () => Promise<T>): Promise<T | null> {
  const carried = (lastByPool.get(pool) ?? Promise.resolve()).then(() => withLock(pool, approvalId, work))
  lastByPool.set(
    pool,
    carried.catch(() => undefined),
  )
  return carried
}

async function withLock<T>(pool: Pool, approvalId: string, work: () => Promise<T>): Promise<T | null> {
  const client = await pool.connect()
  let fault: unknown
  try {
    if ((await query(client, takeLock, [approvalId]))[0]?.taken !== true) return null
    try {
      return await work()
    } finally {
      // A connection that still has the lock is closed.
      await query(client, releaseLock, [approvalId]).catch((error: unknown) => {
        fault = error
      })
    }
  } finally {
    release(client, fault)
  }
}

/** Selects the requests that are being carried out now. */
export async function findLockedApprovals(on: Queryable, approvalIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (approvalIds.length === 0) return new Set()
  return new Set((await query(on, findLocked, [approvalIds])).map(({ id }) => id))
}
