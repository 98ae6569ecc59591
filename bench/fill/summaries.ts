/**
 * Adds filled payments to the summaries with the result of the worker's own job, but a month at once. Payments that count alike are counted
 * together first, because the job counts each payment under nine attributes, which would take a third of the whole fill.
 */
import type { Pool, PoolClient } from '#server/store/database/pool.ts'
import { fate } from '#server/store/payments/fate.ts'
import { countedValues, everyMerchant, isFinal } from '#server/store/payments/summaries/dimensions.ts'
import { type History, momentIn } from './history.ts'

const group = 'test, dimension, day, value, currency, decimals'

/** What attributes are read from. */
const countedFacts = `jsonb_build_object('network', p.facts->'network', 'issuer', p.facts->'issuer',
  'threeDs', jsonb_build_object('authenticationFlow', p.facts->'threeDs'->'authenticationFlow'),
  'wallet', jsonb_build_object('name', p.facts->'wallet'->'name'))`

const groupAlike = (part: string): string =>
  `select p.merchant_id, p.test, (p.created_at at time zone 'UTC')::date as day, p.currency, p.amount_decimals as decimals, ${fate} as fate,
     p.status, p.kind, p.cascading, p.mid_id, p.decline_reason, left(p.card_mask, 6) as card_mask, ${countedFacts} as facts,
     count(*) as payments, sum(p.amount_minor) as amount_minor
   from ${part} p where ${isFinal} and p.order_id not like 'SAMPLE-%' group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13`

export async function summarisePart(client: PoolClient, part: string): Promise<void> {
  await client.query(
    `insert into payment_summaries (merchant_id, ${group}, payments, approved, declined, approved_minor)
     select coalesce(merchant_id, '${everyMerchant}'), ${group}, sum(payments), coalesce(sum(payments) filter (where fate = 'approved'), 0),
       coalesce(sum(payments) filter (where fate = 'declined'), 0), coalesce(sum(amount_minor) filter (where fate = 'approved'), 0)
     from (select p.merchant_id, p.test, p.day, p.currency, p.decimals, p.fate, p.payments, p.amount_minor, d.dimension, d.value
       from (${groupAlike(part)}) p cross join lateral (${countedValues()}) d) counted
     group by grouping sets ((merchant_id, ${group}), (${group}))`,
  )
}

/** The worker counts what is newer than the history, the samples among it. */
export async function beginSummaries(pool: Pool, history: History): Promise<void> {
  await pool.query('insert into payment_summary_progress (until) values ($1) on conflict (one) do nothing', [
    momentIn(history, history.payments),
  ])
}

/** Deletes what the worker counted before the fill, which is of the samples alone. */
export async function forgetSummaries(pool: Pool): Promise<void> {
  await pool.query('delete from payment_summaries')
  await pool.query('delete from payment_summary_progress')
}
