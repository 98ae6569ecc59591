/** Writes the results of deliveries, many at once, and brings each payment's next callback forward. */
import type { CallbackAttempt, CallbackNext, DueCallback } from '../../contracts/ports.ts'
import { type InBucket, isDistributed, ofMerchants, oneServer } from '../database/buckets.ts'
import { type Pool, query, sql } from '../database/pool.ts'

/**
 * Returns the payments whose next callback may be sent now. In a distributed database each merchant's results are written by themselves,
 * because a statement may touch one shard only.
 */
export async function writeResults(pool: Pool, results: readonly CallbackResult[]): Promise<ReadonlySet<string>> {
  if (!(await isDistributed(pool)))
    return write(
      results,
      (params) => query(pool, settleClaimed, params),
      (params) => query(pool, bringForward, params),
    )
  const continued = new Set<string>()
  const byMerchant = Map.groupBy(results, ({ callback }) => callback.merchantId)
  for (const [merchantId, own] of byMerchant) {
    const payments = await write(
      own,
      (params) => query(pool, settleInBucket, [...params, [merchantId]]),
      (params) => query(pool, bringForwardInBucket, [...params, [merchantId]]),
    )
    for (const payment of payments) continued.add(payment)
  }
  return continued
}

async function write(
  results: readonly CallbackResult[],
  settle: (params: SettleParams) => Promise<readonly EndedRow[]>,
  bring: (params: ForwardParams) => Promise<readonly ForwardRow[]>,
): Promise<ReadonlySet<string>> {
  const ended = await settle(settleParams(results))
  if (ended.length === 0) return new Set()
  const brought = await bring([
    ended.map((row) => row.merchant_id),
    ended.map((row) => row.payment_id),
    ended.map((row) => row.sequence),
    ended.map((row) => row.at),
  ])
  return new Set(brought.map((row) => row.payment_id))
}

type SettleParams = ReturnType<typeof settleParams>
type ForwardParams = readonly [
  merchantIds: readonly string[],
  paymentIds: readonly string[],
  sequences: readonly number[],
  at: readonly Date[],
]
type OfMerchants = readonly [merchantIds: readonly string[]]

/** A callback that has just ended. */
interface EndedRow {
  readonly merchant_id: string
  readonly payment_id: string
  readonly sequence: number
  readonly at: Date
}

interface ForwardRow {
  readonly payment_id: string
}

export const byPayment = (one: CallbackResult, other: CallbackResult): number =>
  one.callback.paymentId < other.callback.paymentId ? -1 : 1

export interface CallbackResult {
  readonly callback: DueCallback
  readonly attempt: CallbackAttempt | null
  readonly next: CallbackNext
  /** Results of other deliveries are about to arrive. */
  readonly othersUnderWay: boolean
}

const resultColumns = `merchant_id, payment_id, sequence, attempts, state, counted, next_at, ended_at, at, duration_ms, http_status,
  answer, fault, acknowledged, id`

// A constraint ensures that a row is due exactly if it has `next_at`. The condition on `next_at` keeps the planner on the primary key;
// `state = 'due'` would lead it through the index of all due rows. Attempt numbers continue from earlier runs of the retry plan, because a
// resent callback starts a new run.
const settleText = (inBucket: InBucket): string =>
  `with given as materialized (
     select ${resultColumns} from unnest($1::uuid[], $2::uuid[], $3::integer[], $4::integer[], $5::text[], $6::integer[], $7::timestamptz[],
       $8::timestamptz[], $9::timestamptz[], $10::integer[], $11::integer[], $12::text[], $13::text[], $14::boolean[], $15::uuid[])
     as given (${resultColumns})
   ), settled as (
     update callbacks c set state = given.state, attempts = c.attempts + given.counted, next_at = given.next_at,
       ended_at = given.ended_at, lease_until = null
     from given
     where c.merchant_id = given.merchant_id and c.payment_id = given.payment_id and c.sequence = given.sequence
       and c.id = given.id and c.attempts = given.attempts and c.next_at is not null and c.lease_until is not null${inBucket('c')}
     returning given.merchant_id, given.payment_id, given.sequence, given.id, given.state, given.at, given.duration_ms,
       given.http_status, given.answer, given.fault, given.acknowledged
   ), attempt as (
     insert into callback_attempts (merchant_id, callback_id, attempt, at, duration_ms, http_status, answer, fault, acknowledged)
     select merchant_id, id, 1 + coalesce((
       select max(attempt) from callback_attempts earlier
       where earlier.merchant_id = settled.merchant_id and earlier.callback_id = settled.id${inBucket('earlier')}
     ), 0), at, duration_ms, http_status, answer, fault, acknowledged
     from settled where at is not null
   )
   select merchant_id, payment_id, sequence, at from settled where state <> 'due' and at is not null`

const settleClaimed = sql<EndedRow, SettleParams>('callback.settle', settleText(oneServer.inBucket))
const settleInBucket = sql<EndedRow, readonly [...SettleParams, ...OfMerchants]>(
  'callback.settle-in-bucket',
  settleText(ofMerchants(16)),
)

// A separate statement, because it must see rows written while the first one ran: a row that was deferred behind its predecessor meanwhile
// would otherwise stay deferred.
const bringForwardText = (inBucket: InBucket): string =>
  `with ended as materialized (
     select ended.merchant_id, ended.payment_id, ended.sequence, ended.at
     from unnest($1::uuid[], $2::uuid[], $3::integer[], $4::timestamptz[]) as ended (merchant_id, payment_id, sequence, at)
   ), follower as materialized (
     select ended.merchant_id, ended.payment_id, ended.at, later.sequence, later.id from ended, lateral (
       select sequence, id from callbacks
       where merchant_id = ended.merchant_id and payment_id = ended.payment_id and sequence > ended.sequence and next_at is not null${inBucket()}
       order by sequence limit 1
     ) as later
   )
   update callbacks next set next_at = least(next.next_at, follower.at) from follower
   where next.merchant_id = follower.merchant_id and next.payment_id = follower.payment_id
     and next.sequence = follower.sequence and next.id = follower.id and next.next_at is not null${inBucket('next')}
   returning next.payment_id`

const bringForward = sql<ForwardRow, ForwardParams>('callback.bring-forward', bringForwardText(oneServer.inBucket))
const bringForwardInBucket = sql<ForwardRow, readonly [...ForwardParams, ...OfMerchants]>(
  'callback.bring-forward-in-bucket',
  bringForwardText(ofMerchants(5)),
)

// biome-ignore format: the numbers are the statement's parameters.
function settleParams(results: readonly CallbackResult[]) {
  const each = <T>(read: (settlement: CallbackResult) => T): readonly T[] => results.map(read)
  return [
    /*  1 */ each(({ callback }) => callback.merchantId),
    /*  2 */ each(({ callback }) => callback.paymentId),
    /*  3 */ each(({ callback }) => callback.sequence),
    /*  4 */ each(({ callback }) => callback.attempts),
    /*  5 */ each(({ next }) => next.state),
    /*  6 */ each(({ next }) => (next.state === 'due' && !next.counts ? 0 : 1)),
    /*  7 */ each(({ next }) => (next.state === 'due' ? next.nextAt : null)),
    /*  8 */ each(({ next, attempt }) => (next.state === 'due' ? null : endOf(attempt))),
    /*  9 */ each(({ attempt }) => attempt?.at ?? null),
    /* 10 */ each(({ attempt }) => attempt?.durationMs ?? null),
    /* 11 */ each(({ attempt }) => attempt?.httpStatus ?? null),
    /* 12 */ each(({ attempt }) => attempt?.answer ?? null),
    /* 13 */ each(({ attempt }) => attempt?.fault ?? null),
    /* 14 */ each(({ attempt }) => attempt?.acknowledged ?? null),
    /* 15 */ each(({ callback }) => callback.id),
  ] as const
}

function endOf(attempt: CallbackAttempt | null): Date | null {
  return attempt && new Date(attempt.at.getTime() + attempt.durationMs)
}
