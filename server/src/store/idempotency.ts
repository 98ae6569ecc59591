/** Idempotency keys: the primary key lets one request in, whatever arrives at the same moment. */
import { limits } from '#domain/limits.ts'
import type { Clock, Idempotency, Ids, KeyUse } from '../ports.ts'
import { type Pool, query, sql } from './pool.ts'

/** Longer than any request may run, so that a lease that ran out means a dead process. */
const leaseSeconds = (2 * limits.acquirer.waitMs) / 1000

const takeKey = sql<{ use_id: string; abandoned: boolean }, readonly [string, string, Buffer, string, Date, Date]>(
  'idempotency.take',
  `insert into idempotency_keys as held (merchant_id, key, body_hash, use_id, lease_until, created_at)
   values ($1, $2, $3, $4, clock_timestamp() + make_interval(secs => ${leaseSeconds}), $5)
   on conflict (merchant_id, key) do update set
     body_hash = excluded.body_hash, http_status = null, answer = null, lease_until = excluded.lease_until,
     use_id = case when held.created_at < $6 or held.body_hash <> excluded.body_hash then excluded.use_id else held.use_id end,
     created_at = case when held.created_at < $6 or held.body_hash <> excluded.body_hash then excluded.created_at else held.created_at end
   where held.created_at < $6
      or (held.http_status is null and held.lease_until is null)
      or (held.http_status is null and held.lease_until < clock_timestamp() and held.body_hash = excluded.body_hash)
   returning use_id, use_id <> $4 as abandoned`,
)

const readKey = sql<
  { body_hash: Buffer; http_status: number | null; answer: string | null },
  readonly [string, string]
>('idempotency.read', 'select body_hash, http_status, answer from idempotency_keys where merchant_id = $1 and key = $2')

const keepAnswer = sql<Record<never, never>, readonly [string, string, number, string]>(
  'idempotency.keep',
  'update idempotency_keys set http_status = $3, answer = $4, lease_until = null where merchant_id = $1 and key = $2',
)

const releaseKey = sql<Record<never, never>, readonly [string, string]>(
  'idempotency.release',
  'update idempotency_keys set lease_until = null where merchant_id = $1 and key = $2 and http_status is null',
)

const forgetKeys = sql<Record<never, never>, readonly [Date]>(
  'idempotency.forget',
  'delete from idempotency_keys where created_at < $1',
)

export function idempotencyStore(
  pool: Pool,
  { clock, ids }: { clock: Clock; ids: Ids },
): Idempotency & { forget(): Promise<void> } {
  const keptSince = (now: Date): Date => new Date(now.getTime() - limits.idempotency.keptMs)
  return {
    take: async (merchantId, key, bodyHash): Promise<KeyUse> => {
      const now = clock.now()
      const [taken] = await query(pool, takeKey, [merchantId, key, bodyHash, ids.next(), now, keptSince(now)])
      if (taken) return { use: taken.abandoned ? 'abandoned' : 'first', useId: taken.use_id }
      const [held] = await query(pool, readKey, [merchantId, key])
      if (!held) return { use: 'running' }
      if (!held.body_hash.equals(bodyHash)) return { use: 'other-body' }
      if (held.http_status === null || held.answer === null) return { use: 'running' }
      return { use: 'answered', http: held.http_status, body: held.answer }
    },
    keep: async (merchantId, key, http, body) => {
      await query(pool, keepAnswer, [merchantId, key, http, body])
    },
    /** Free for any request, but not forgotten: the same body finds the intent if one was written. */
    release: async (merchantId, key) => {
      await query(pool, releaseKey, [merchantId, key])
    },
    forget: async () => {
      await query(pool, forgetKeys, [keptSince(clock.now())])
    },
  }
}
