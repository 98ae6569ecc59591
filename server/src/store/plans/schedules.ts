/**
 * Schedules. A change of a schedule and of all its running plans is one transaction. The schedule is written first and thereby locked, so
 * that no plan begins or fires by the old version meanwhile; its plans follow in batches.
 */
import type { Mode } from '#domain/merchant.ts'
import type { FirstPaymentRule, IntervalUnit, Schedule } from '#domain/schedule/schedule.ts'
import type { Schedules } from '../../contracts/ports.ts'
import type { PlanRecord, ScheduleRecord } from '../../contracts/records.ts'
import { columnsOf } from '../database/columns.ts'
import { insertion, json } from '../database/insertion.ts'
import { type PoolClient, type Queryable, query, sql } from '../database/pool.ts'
import { inTransaction } from '../database/transaction.ts'
import { type PlanRow, planColumns, planFrom, planRow } from './plan-rows.ts'

// biome-ignore format: a table is read in columns.
const scheduleInsertion = insertion<ScheduleRecord & { readonly createdAt: Date }>('schedules', [
  ['merchant_id',                   (schedule) => schedule.merchantId],
  ['id',                            (schedule) => schedule.id],
  ['side',                          (schedule) => schedule.mode],
  ['name',                          (schedule) => schedule.name],
  ['interval_length',               (schedule) => schedule.intervalLength],
  ['interval_unit',                 (schedule) => schedule.intervalUnit],
  ['day_of_month',                  (schedule) => schedule.dayOfMonth],
  ['payments_count',                (schedule) => schedule.paymentsCount],
  ['delayed_first_payment',         (schedule) => schedule.delayedFirstPayment],
  ['first_payment_interval_length', (schedule) => schedule.firstPaymentIntervalLength],
  ['first_payment_interval_unit',   (schedule) => schedule.firstPaymentIntervalUnit],
  ['first_payment_day_of_week',     (schedule) => schedule.firstPaymentDayOfWeek],
  ['first_payment_day_of_month',    (schedule) => schedule.firstPaymentDayOfMonth],
  ['delays',                        (schedule) => schedule.delays],
  ['paused',                        (schedule) => schedule.paused],
  ['version',                       (schedule) => schedule.version],
  ['created_at',                    (schedule) => schedule.createdAt],
])

export interface ScheduleRow {
  merchant_id: string
  id: string
  side: Mode
  name: string
  interval_length: number
  interval_unit: IntervalUnit
  day_of_month: number | null
  payments_count: number
  delayed_first_payment: FirstPaymentRule
  first_payment_interval_length: number | null
  first_payment_interval_unit: IntervalUnit | null
  first_payment_day_of_week: number | null
  first_payment_day_of_month: number | null
  delays: number | null
  paused: boolean
  version: number
}

// biome-ignore format: a list of names.
export const scheduleColumns = columnsOf<ScheduleRow>()([
  'merchant_id', 'id', 'side', 'name', 'interval_length', 'interval_unit', 'day_of_month', 'payments_count',
  'delayed_first_payment', 'first_payment_interval_length', 'first_payment_interval_unit',
  'first_payment_day_of_week', 'first_payment_day_of_month', 'delays', 'paused', 'version',
])

const addSchedule = sql<{ id: string }, readonly unknown[]>(
  'schedule.add',
  `${scheduleInsertion.text(1)} on conflict do nothing returning id`,
)

const findSchedule = sql<ScheduleRow, readonly [string, string]>(
  'schedule.find',
  `select ${scheduleColumns()} from schedules where merchant_id = $1 and id = $2 and deleted_at is null`,
)

const changeSchedule = sql<{ id: string }, readonly unknown[]>(
  'schedule.change',
  `update schedules set version = version + 1, name = $4, interval_length = $5, interval_unit = $6, day_of_month = $7,
     payments_count = $8, delayed_first_payment = $9, first_payment_interval_length = $10, first_payment_interval_unit = $11,
     first_payment_day_of_week = $12, first_payment_day_of_month = $13, delays = $14, paused = $15, deleted_at = $16
   where merchant_id = $1 and id = $2 and version = $3 and deleted_at is null
   returning id`,
)

const lockPlans = sql<PlanRow, readonly [string, string, string | null, number]>(
  'subscription.lock-of-schedule',
  `select ${planColumns()} from subscriptions
   where merchant_id = $1 and schedule_id = $2 and state = 'running' and ($3::uuid is null or id > $3)
   order by id limit $4
   for update`,
)

const changePlans = sql<Record<never, never>, readonly [string, string | null]>(
  'subscription.replan',
  `update subscriptions plan set version = plan.version + 1, state = given.state, ended_reason = given.ended_reason,
     plan = given.plan, next_date = given.next_date, next_at = given.next_at, lease_until = null
   from jsonb_populate_recordset(null::subscriptions, $2::jsonb) as given
   where plan.merchant_id = $1 and plan.id = given.id`,
)

const batchSize = 1000

export function scheduleStore(pool: Queryable): Schedules {
  return {
    add: async (schedule, createdAt) =>
      (await query(pool, addSchedule, scheduleInsertion.values({ ...schedule, createdAt }))).length === 1,
    find: async (merchantId, id) => {
      const [row] = await query(pool, findSchedule, [merchantId, id])
      return row ? scheduleFrom(row) : null
    },
    change: (before, after, replan, deletedAt) =>
      inTransaction(pool, async (client) => {
        const changed = await query(client, changeSchedule, changeParams(before, after, deletedAt ?? null))
        if (changed.length === 0) return 'stale'
        await replanAll(client, before, replan)
        return 'changed'
      }),
  }
}

async function replanAll(
  client: PoolClient,
  { merchantId, id }: ScheduleRecord,
  replan: (subscription: PlanRecord) => PlanRecord,
): Promise<void> {
  for (let after: string | null = null; ; ) {
    const plans: readonly PlanRecord[] = (await query(client, lockPlans, [merchantId, id, after, batchSize])).map(
      planFrom,
    )
    const last = plans.at(-1)
    if (!last) return
    await query(client, changePlans, [merchantId, json(plans.map((plan) => planRow(replan(plan))))])
    after = last.id
  }
}

// biome-ignore format: the numbers are the statement's parameters.
function changeParams(before: ScheduleRecord, after: Schedule, deletedAt: Date | null): readonly unknown[] {
  return [
    /*  1 */ before.merchantId, before.id, before.version,
    /*  4 */ after.name, after.intervalLength, after.intervalUnit, after.dayOfMonth, after.paymentsCount, after.delayedFirstPayment,
    /* 10 */ after.firstPaymentIntervalLength, after.firstPaymentIntervalUnit, after.firstPaymentDayOfWeek, after.firstPaymentDayOfMonth,
    /* 14 */ after.delays, after.paused, deletedAt,
  ]
}

export const scheduleFrom = (row: ScheduleRow): ScheduleRecord => ({
  merchantId: row.merchant_id,
  id: row.id,
  mode: row.side,
  name: row.name,
  intervalLength: row.interval_length,
  intervalUnit: row.interval_unit,
  dayOfMonth: row.day_of_month,
  paymentsCount: row.payments_count,
  delayedFirstPayment: row.delayed_first_payment,
  firstPaymentIntervalLength: row.first_payment_interval_length,
  firstPaymentIntervalUnit: row.first_payment_interval_unit,
  firstPaymentDayOfWeek: row.first_payment_day_of_week,
  firstPaymentDayOfMonth: row.first_payment_day_of_month,
  delays: row.delays,
  paused: row.paused,
  version: row.version,
})
