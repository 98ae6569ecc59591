/** Idempotency keys. The primary key admits one request, however many arrive at the same moment. */
import { limits } from '#domain/limits.ts'
import type { Clock, Idempotency, Ids, KeyUse } from '../../contracts/ports.ts'
import { databaseNow } from '../database/lease.ts'
import { type Pool, query, sql } from '../database/pool.ts'

// `taken_at` is the database's clock, as a column: Citus refuses a clock in the condition of a conflict.
const takeKey = sql<
  { use_id: string; abandoned: boolean },
  readonly [string, string, Buffer, string, Date, Date, number]
>(
  'idempotency.take',
  `insert into idempotency_keys as held (merchant_id, key, body_hash, use_id, lease_until, created_at, taken_at)
   values ($1, $2, $3, $4, clock_timestamp() + make_interval(secs => $7), $5, clock_timestamp())
   on conflict (merchant_id, key) do update set
     body_hash = excluded.body_hash, http_status = null, answer = null, lease_until = excluded.lease_until, taken_at = excluded.taken_at,
     use_id = case when held.created_at < $6 or held.body_hash <> excluded.body_hash then excluded.use_id else held.use_id end,
     created_at = case when held.created_at < $6 or held.body_hash <> excluded.body_hash then excluded.created_at else held.created_at end
   where held.created_at < $6
      or (held.http_status is null and held.lease_until is null)
      or (held.http_status is null and held.lease_until < excluded.taken_at and held.body_hash = excluded.body_hash)
   returning use_id, use_id <> $4 as abandoned`,
)

const readKey = sql<
  { body_hash: Buffer; http_status: number | null; answer: string | null },
  readonly [string, string]
>('idempotency.read', 'select body_hash, http_status, answer from idempotency_keys where merchant_id = $1 and key = $2')

/** Reads the answer of this use alone: once released, the key may serve another request with another answer. */
const readUse = sql<{ http_status: number | null; answer: string | null }, readonly [string, string, string]>(
  'idempotency.read-use',
  'select http_status, answer from idempotency_keys where merchant_id = $1 and key = $2 and use_id = $3',
)

/** A key that was released or answered meanwhile stays so. */
const renewLease = sql<Record<never, never>, readonly [string, string, string, number]>(
  'idempotency.renew',
  `update idempotency_keys set lease_until = ${databaseNow} + make_interval(secs => $4)
   where merchant_id = $1 and key = $2 and use_id = $3 and http_status is null and lease_until is not null`,
)

const keepAnswer = sql<{ kept: boolean }, readonly [string, string, string, number, string]>(
  'idempotency.keep',
  `update idempotency_keys set http_status = $4, answer = $5, lease_until = null
   where merchant_id = $1 and key = $2 and use_id = $3 and http_status is null
   returning true as kept`,
)

const releaseKey = sql<Record<never, never>, readonly [string, string, string]>(
  'idempotency.release',
  `update idempotency_keys set lease_until = null
   where merchant_id = $1 and key = $2 and use_id = $3 and http_status is null`,
)

/** An expired record is ignored, whether or not retention has removed it yet. */
export function idempotencyStore(
  pool: Pool,
  { clock, ids, leaseMs = limits.idempotency.leaseMs }: { clock: Clock; ids: Ids; leaseMs?: number },
): Idempotency {
  const leaseSeconds = leaseMs / 1000
  const storedSince = (now: Date): Date => new Date(now.getTime() - limits.idempotency.keptMs)
  return {
    leaseMs,
    take: async (merchantId, key, bodyHash): Promise<KeyUse> => {
      const now = clock.now()
      const [use] = await query(pool, takeKey, [
        merchantId,
        key,
        bodyHash,
        ids.next(),
        now,
        storedSince(now),
        leaseSeconds,
      ])
      if (use) return { use: use.abandoned ? 'abandoned' : 'first', useId: use.use_id }
      const [held] = await query(pool, readKey, [merchantId, key])
      if (!held) return { use: 'running' }
      if (!held.body_hash.equals(bodyHash)) return { use: 'other-body' }
      if (held.http_status === null || held.answer === null) return { use: 'running' }
      return { use: 'answered', http: held.http_status, body: held.answer }
    },
    renew: async (merchantId, key, useId) => {
      await query(pool, renewLease, [merchantId, key, useId, leaseSeconds])
    },
    keep: async (merchantId, key, useId, answer) => {
      const [kept] = await query(pool, keepAnswer, [merchantId, key, useId, answer.http, answer.body])
      const [held] = kept ? [] : await query(pool, readUse, [merchantId, key, useId])
      if (!held || held.http_status === null || held.answer === null) return answer
      return { http: held.http_status, body: held.answer }
    },
    /** Another request may use the key now. The row stays, so that a repeated body still finds the intent, if one was written. */
    release: async (merchantId, key, useId) => {
      await query(pool, releaseKey, [merchantId, key, useId])
    },
  }
}
