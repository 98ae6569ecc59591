/** How far retention has come with each kind of data; see `migrations/0019_retention.sql`. */
import type { RetainedKind } from '#domain/retention.ts'
import { type Pool, type PoolClient, type Queryable, query, sql } from '../database/pool.ts'
import type { PurgeResult } from './purges.ts'

export interface RetentionRun {
  readonly kind: RetainedKind
  readonly cursor: string
  /** When the walk last started from the beginning. */
  readonly restartedAt: Date
}

// A new kind gets its row now and is claimed next time.
const claimDue = sql<RetentionRun, readonly [readonly RetainedKind[], Date, number, number]>(
  'retention.claim',
  `with added as (
     insert into retention_runs (kind, next_at)
     select kind, $2 from unnest($1::text[]) as given (kind)
     where not exists (select 1 from retention_runs held where held.kind = given.kind)
     on conflict do nothing
   ), due as (
     select kind from retention_runs
     where kind = any($1) and next_at <= $2 and (lease_until is null or lease_until < clock_timestamp())
     order by next_at, kind limit $3
     for update skip locked
   )
   update retention_runs held set lease_until = clock_timestamp() + make_interval(secs => $4),
     restarted_at = coalesce(held.restarted_at, $2)
   from due where held.kind = due.kind
   returning held.kind, held.cursor, held.restarted_at as "restartedAt"`,
)

const writeProgress = sql<Record<never, never>, readonly [RetainedKind, string, number, Date]>(
  'retention.go-on',
  `update retention_runs set cursor = $2, removed = removed + $3, restarted_at = $4, lease_until = null where kind = $1`,
)

const endRun = sql<{ readonly removed: bigint }, readonly [RetainedKind, string, number, Date, Date, Date]>(
  'retention.end',
  `update retention_runs held set cursor = $2, removed = 0, restarted_at = $4, ended_at = $5, next_at = $6, lease_until = null
   from (select kind, removed + $3 as removed from retention_runs where kind = $1 for update) as before
   where held.kind = before.kind
   returning before.removed`,
)

export const claimRetention = (
  pool: Pool,
  kinds: readonly RetainedKind[],
  { now, limit, leaseSeconds }: { readonly now: Date; readonly limit: number; readonly leaseSeconds: number },
): Promise<readonly RetentionRun[]> => query(pool, claimDue, [kinds, now, limit, leaseSeconds])

/** Call in the transaction of the batch. The run is due again at once. */
export async function continueRun(
  client: PoolClient,
  { kind, restartedAt }: RetentionRun,
  purged: PurgeResult,
): Promise<void> {
  await query(client, writeProgress, [kind, purged.cursor, purged.removed, restartedAt])
}

/** Call in the transaction of the last batch. Returns how many rows all batches of the run have removed. */
export async function end(
  client: PoolClient,
  { kind, restartedAt }: RetentionRun,
  { cursor, removed }: PurgeResult,
  { at, nextAt }: { readonly at: Date; readonly nextAt: Date },
): Promise<bigint> {
  return (await query(client, endRun, [kind, cursor, removed, restartedAt, at, nextAt]))[0]?.removed ?? 0n
}

interface RetentionState {
  readonly kind: string
  readonly endedAt: Date | null
  readonly nextAt: Date
}

const listRuns = sql<RetentionState>(
  'retention.list',
  'select kind, ended_at as "endedAt", next_at as "nextAt" from retention_runs order by kind',
)

export const listRetentionStates = (on: Queryable): Promise<readonly RetentionState[]> => query(on, listRuns, [])
