/**
 * Cascades between two attempts. Chapter 10 §6.2.
 *
 * The row is written with the decline and removed with the next attempt's intent, both by the same process; see `outcomes.ts` and
 * `openings.ts`. A row whose process has died is found at once, as in `unresolved.ts`; any other by its deadline.
 */
import type { OpenCascades } from '../../contracts/ports.ts'
import type { CascadeEnd } from '../../contracts/records.ts'
import { claim, claimRows } from '../database/buckets.ts'
import { json } from '../database/insertion.ts'
import { databaseNow, type Holder, isFreeIf, lease } from '../database/lease.ts'
import { type Pool, query, sql } from '../database/pool.ts'

type Params = readonly unknown[]

// By the database's clock: a worker whose clock is ahead would end a cascade that another process is about to continue.
const claimDue = claim<{ merchant_id: string; payment_id: string }, readonly [number, number, Holder]>(
  'cascade.claim',
  {
    width: 3,
    due: 'open_cascades where due_at <= greatest($1, statement_timestamp()) or sent_by is not null',
    sender: 'sent_by',
    text: ({ inBucket, isGone }) => `with due as (
     select merchant_id, payment_id from open_cascades
     where (due_at <= ${databaseNow} or ${isGone('sent_by')}) and ${isFreeIf(isGone('leased_by'))}${inBucket()}
     order by due_at limit $1
     for update skip locked
   )
   update open_cascades cascade set ${lease('$2', '$3')}
   from due where cascade.merchant_id = due.merchant_id and cascade.payment_id = due.payment_id${inBucket('cascade')}
   returning cascade.merchant_id, cascade.payment_id`,
  },
)

/** The decline is final: the callback and the deferred command that were held back for the next attempt are written now. */
const endCascade = sql<{ version: number }, Params>(
  'cascade.end',
  `with changed as (
     update payments set version = version + 1, cascading = null, facts = facts || $13, updated_at = $4,
       callbacks_made = callbacks_made + (case when $6::uuid is null then 0 else 1 end)
     where merchant_id = $1 and id = $2 and version = $3 and cascading = 'continues'
     returning version, callbacks_made
   ), gone as (
     delete from open_cascades using changed where merchant_id = $1 and payment_id = $2
   ), callback as (
     insert into callbacks (merchant_id, payment_id, sequence, id, transaction_id, url, content_type, body, state, retry_seconds,
       next_at, created_at)
     select $1, $2, changed.callbacks_made, $6, $5, $7, $8, $9, 'due', $10, $4, $4 from changed where $6::uuid is not null
   ), deferred as (
     insert into deferred_commands (merchant_id, payment_id, command, due_at)
     select $1, $2, $11, $12 from changed where $11::text is not null
     on conflict (merchant_id, payment_id, command) do update set due_at = excluded.due_at, lease_until = null
   )
   select version from changed`,
)

const dropCascade = sql<Record<never, never>, readonly [string, string]>(
  'cascade.drop',
  'delete from open_cascades where merchant_id = $1 and payment_id = $2',
)

export const openCascadeStore = (pool: Pool, holder: Holder = null): OpenCascades => ({
  claim: async (limit, leaseSeconds) =>
    (await claimRows(pool, claimDue, { now: new Date(0), limit }, (most) => [most, leaseSeconds, holder])).map(
      ({ merchant_id, payment_id }) => ({ merchantId: merchant_id, paymentId: payment_id }),
    ),
  end: async (end) => (await query(pool, endCascade, endParams(end))).length === 1,
  drop: async ({ merchantId, paymentId }) => {
    await query(pool, dropCascade, [merchantId, paymentId])
  },
})

// biome-ignore format: the numbers are the statement's parameters.
function endParams({ payment, ending, transaction, callback, deferred, at }: CascadeEnd): Params {
  return [
    /*  1 */ payment.merchantId, payment.id, payment.version, at, transaction.id,
    /*  6 */ callback?.id ?? null, callback?.url ?? null, callback?.contentType ?? null, callback?.body ?? null, callback?.retrySeconds ?? null,
    /* 11 */ deferred?.command ?? null, deferred?.dueAt ?? null, json({ cascadeEnd: ending }),
  ]
}
