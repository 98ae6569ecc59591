/**
 * Adds payments to the summaries, each once, when its outcome is final. See decisions/exports#summaries.
 *
 * Everything of one step is one transaction, which holds the row of the progress: a worker that dies has added nothing, and of two workers
 * one works.
 */
import { hourMs } from '#domain/time.ts'
import { paymentIdsBefore, paymentIdsFrom } from '../../database/id-bounds.ts'
import { type Nothing, type Pool, type Queryable, query, sql } from '../../database/pool.ts'
import { inTransaction } from '../../database/transaction.ts'
import { countedColumns, countedSums, countedValues, everyMerchant, isFinal, readColumns } from './dimensions.ts'

/** A payment is written some moments after the time that it has. */
const marginMs = 2 * 60_000
/** What one call reads at most: ten days of history. A young instance has fewer. */
const stepsAtMost = 240
const openAtMost = 5_000

/** Returns until when payments are counted; null if another worker counts at the moment. */
export async function summarisePayments(pool: Pool, now: Date): Promise<Date | null> {
  const end = now.getTime() - marginMs
  for (let step = 0; ; step += 1) {
    const until = await inTransaction(pool, (client) => addNext(client, now, end))
    if (until === null || until.getTime() >= end || step >= stepsAtMost) return until
  }
}

async function addNext(client: Queryable, now: Date, end: number): Promise<Date | null> {
  await query(client, beginProgress, [new Date(end)])
  const [progress] = await query(client, lockProgress, [])
  if (progress === undefined) return null
  const from = progress.until
  const to = new Date(Math.max(Math.min(from.getTime() + hourMs, end), from.getTime()))
  const added = await query(client, addCreated, [from, to, paymentIdsFrom(from), paymentIdsBefore(to), now])
  if (to.getTime() >= end) await query(client, addDecided, [now, openAtMost])
  await query(client, moveProgress, [to])
  // A gap in the history, such as the time before the first payment, is passed in one step.
  if (added[0]?.payments === 0n && to.getTime() < end) return await skipGap(client, to, end)
  return to
}

async function skipGap(client: Queryable, from: Date, end: number): Promise<Date> {
  const [next] = await query(client, nextPayment, [paymentIdsFrom(from), from])
  const to = new Date(Math.min(next?.at?.getTime() ?? end, end))
  if (to > from) await query(client, moveProgress, [to])
  return to > from ? to : from
}

interface Progress {
  readonly until: Date
}
// Without history the count begins now.
const beginProgress = sql<Nothing, readonly [now: Date]>(
  'payment-summary.begin',
  `insert into payment_summary_progress (until)
   select coalesce((select date_trunc('hour', created_at - interval '1 hour', 'UTC') from payments order by id limit 1), $1)
   where not exists (select 1 from payment_summary_progress) on conflict do nothing`,
)
const lockProgress = sql<Progress, readonly []>(
  'payment-summary.lock',
  'select until from payment_summary_progress for update skip locked',
)
const moveProgress = sql<Nothing, readonly [until: Date]>(
  'payment-summary.move',
  'update payment_summary_progress set until = $1',
)
const nextPayment = sql<{ at: Date | null }, readonly [id: string, from: Date]>(
  'payment-summary.next',
  `select least(
     (select created_at from payments where id >= $1 and created_at >= $2 order by id limit 1),
     (select created_at from payments where session_id is not null and created_at >= $2 order by created_at, id limit 1)
   ) as at`,
)

/** Adds the payments of the table expression `final`. A conflict is a day that has a row already. */
const addition = `insert into payment_summaries as known
     (merchant_id, test, dimension, day, value, currency, decimals, payments, approved, declined, approved_minor)
   select coalesce(merchant_id, '${everyMerchant}'), test, dimension, day, value, currency, decimals, ${countedSums}
   from (select ${countedColumns}, d.dimension, d.value from final p cross join lateral (${countedValues()}) d) counted
   group by grouping sets (
     (merchant_id, test, dimension, day, value, currency, decimals), (test, dimension, day, value, currency, decimals))
   on conflict (merchant_id, test, dimension, day, value, currency, decimals) do update set
     payments = known.payments + excluded.payments, approved = known.approved + excluded.approved,
     declined = known.declined + excluded.declined, approved_minor = known.approved_minor + excluded.approved_minor`

/** The older a payment is, the more rarely it is looked at: from a minute after it to every six hours. */
const checkAgain = (now: `$${number}`): string =>
  `${now}::timestamptz + least(greatest((${now}::timestamptz - p.created_at) / 10, interval '1 minute'), interval '6 hours')`

const created = `select ${readColumns} from payments p
     where p.id >= $3 and p.id < $4 and p.created_at >= $1 and p.created_at < $2
   union all
   select ${readColumns} from payments p
     where p.session_id is not null and p.id < $3 and p.created_at >= $1 and p.created_at < $2`

const addCreated = sql<
  { payments: bigint },
  readonly [from: Date, to: Date, firstId: string, lastId: string, now: Date]
>(
  'payment-summary.add-created',
  `with chosen as materialized (${created}),
   final as (select ${readColumns} from chosen p where ${isFinal}),
   listed as (
     insert into payment_summary_open (merchant_id, payment_id, created_at, check_at)
     select p.merchant_id, p.id, p.created_at, ${checkAgain('$5')} from chosen p where not (${isFinal})
     on conflict do nothing
   ),
   added as (${addition})
   select count(*) as payments from chosen`,
)

const addDecided = sql<Nothing, readonly [now: Date, limit: number]>(
  'payment-summary.add-decided',
  `with due as (
     select merchant_id, payment_id from payment_summary_open where check_at <= $1 order by check_at limit $2
   ), chosen as materialized (
     select ${readColumns} from due join payments p on p.merchant_id = due.merchant_id and p.id = due.payment_id
   ), final as (select ${readColumns} from chosen p where ${isFinal}),
   ended as (
     delete from payment_summary_open o using due where o.merchant_id = due.merchant_id and o.payment_id = due.payment_id
       and not exists (select 1 from chosen p where p.id = o.payment_id and not (${isFinal}))
   ), later as (
     update payment_summary_open o set check_at = ${checkAgain('$1')} from chosen p
     where o.merchant_id = p.merchant_id and o.payment_id = p.id and not (${isFinal})
   )
   ${addition}`,
)
