/**
 * Payments of several plans in one statement. See decisions/plans#shared-statements.
 *
 * Only firings without limits, whose counters other payments share. The statement waits for no plan that another one has locked: such a
 * plan, and one that has changed, is left out, and the caller fires it alone. Schedules are locked before their plans, as where a schedule
 * is changed, so that the two cannot deadlock.
 */
import type { Firing } from '../../contracts/records.ts'
import { groupValue } from '../database/insertion.ts'
import { type Pool, query, sql } from '../database/pool.ts'
import { claimedPayment, claimTexts } from '../months/claims.ts'
import { paymentInsertion, transactionInsertion } from '../payments/payment-rows.ts'

// biome-ignore format: a table is read in columns.
const columns = [
  ['merchant',         'uuid',        ({ before }) => before.merchantId],
  ['plan',             'uuid',        ({ before }) => before.id],
  ['version',          'integer',     ({ before }) => before.version],
  ['state',            'text',        ({ after }) => after.state],
  ['ended reason',     'text',        ({ after }) => after.endedReason],
  ['progress',         'jsonb',       ({ after }) => after.progress],
  ['next date',        'date',        ({ after }) => after.nextDate],
  ['next at',          'timestamptz', ({ after }) => after.nextAt],
  ['payment',          'uuid',        ({ opening }) => opening.payment.id],
  ['schedule',         'uuid',        ({ schedule }) => schedule.id],
  ['schedule version', 'integer',     ({ schedule }) => schedule.version],
] as const satisfies readonly (readonly [string, string, (of: Firing) => unknown])[]

const typed = columns.map(([name, type]) => `"${name}" ${type}`).join(', ')
const listed = columns.map(([name]) => `wanted."${name}"`).join(', ')

// Condition and limit exclude no row. They make the planner expect few rows, so that it uses the keys of the tables even if these were
// nearly empty when it made the plan. For the same reason the state is not compared with `running`, which would offer the index of all
// running plans of a merchant.
const fireGroup = sql<
  { id: string },
  readonly [firings: string, count: number, payments: string, transactions: string]
>(
  'subscription.fire-group',
  `with wanted as materialized (
     select ${listed} from json_to_recordset($1) as wanted (${typed}) where wanted.version > 0 limit $2
   ), schedule as materialized (
     select schedules.merchant_id, schedules.id, schedules.version from schedules
     where (schedules.merchant_id, schedules.id) in (select wanted.merchant, wanted.schedule from wanted)
       and not schedules.paused and schedules.deleted_at is null
     order by schedules.merchant_id, schedules.id for share of schedules
   ), free as materialized (
     select ${listed} from wanted
       join schedule on schedule.merchant_id = wanted.merchant and schedule.id = wanted.schedule and schedule.version = wanted."schedule version"
       join subscriptions held on held.merchant_id = wanted.merchant and held.id = wanted.plan and held.version = wanted.version
         and held.state <> 'ended'
     for update of held skip locked
   ), moved as (
     update subscriptions set version = subscriptions.version + 1, state = free.state, ended_reason = free."ended reason",
       plan = free.progress, next_date = free."next date", next_at = free."next at", last_payment = free.payment, lease_until = null
     from free where subscriptions.merchant_id = free.merchant and subscriptions.id = free.plan and subscriptions.version = free.version
     returning subscriptions.id, subscriptions.last_payment
   ), payment as (
     ${paymentInsertion.groupText('$3')} where given.id in (select moved.last_payment from moved) returning ${claimedPayment}
   ), transaction as (
     ${transactionInsertion.groupText('$4')} where given.payment_id in (select moved.last_payment from moved)
   ), ${claimTexts(['date'], null).join()}
   select moved.id from moved`,
)

/** The ids of the plans that were fired. */
export async function fireTogether(pool: Pool, firings: readonly Firing[]): Promise<ReadonlySet<string>> {
  const rows = firings.map((firing) => Object.fromEntries(columns.map(([name, , value]) => [name, value(firing)])))
  const fired = await query(pool, fireGroup, [
    groupValue(rows),
    rows.length,
    paymentInsertion.groupValue(firings.map(({ opening }) => opening.payment)),
    transactionInsertion.groupValue(
      firings.map(({ opening }) => ({ ...opening.transaction, sending: opening.sending })),
    ),
  ])
  return new Set(fired.map(({ id }) => id))
}
