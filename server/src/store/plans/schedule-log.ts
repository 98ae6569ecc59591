/** Schedules and their plans, for display. */
import type { Schedule } from '#domain/schedule/schedule.ts'
import type { PlanRecord, ScheduleRecord } from '../../contracts/records.ts'
import { type Queryable, query, sql } from '../database/pool.ts'
import { type PlanRow, planColumns, planFrom } from './plan-rows.ts'

const listSchedules = sql<ListedSchedule, readonly [string]>(
  'schedule.list',
  `select merchant_id as "merchantId", id, side as mode, version, name, interval_length as "intervalLength", interval_unit as "intervalUnit",
     day_of_month as "dayOfMonth", payments_count as "paymentsCount", delayed_first_payment as "delayedFirstPayment",
     first_payment_interval_length as "firstPaymentIntervalLength", first_payment_interval_unit as "firstPaymentIntervalUnit",
     first_payment_day_of_week as "firstPaymentDayOfWeek", first_payment_day_of_month as "firstPaymentDayOfMonth", delays, paused,
     (select count(*)::int from subscriptions s
      where s.merchant_id = $1 and s.schedule_id = schedules.id and s.state = 'running') as running
   from schedules where merchant_id = $1 and deleted_at is null order by id desc limit 1000`,
)
const listPlans = sql<PlanRow, readonly [string, string | null, string | null, string, number]>(
  'subscription.list',
  `select ${planColumns()} from subscriptions
   where merchant_id = $1 and ($2::uuid is null or schedule_id = $2) and ($3::text is null or state = $3) and id < $4
   order by id desc limit $5`,
)
const findPlan = sql<PlanRow, readonly [string, string]>(
  'subscription.find',
  `select ${planColumns()} from subscriptions where merchant_id = $1 and id = $2`,
)

export type ListedSchedule = ScheduleRecord & Schedule & { readonly running: number }

export interface PlanFilter {
  readonly scheduleId?: string | undefined
  readonly state?: 'running' | 'ended' | undefined
  readonly before?: string | undefined
  readonly limit: number
}

const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

export const scheduleLog = (on: Queryable) => ({
  schedules: (merchantId: string): Promise<readonly ListedSchedule[]> => query(on, listSchedules, [merchantId]),
  /** Newest first. */
  plans: async (merchantId: string, of: PlanFilter): Promise<readonly PlanRecord[]> => {
    const { scheduleId = null, state = null, before = lastId, limit } = of
    return (await query(on, listPlans, [merchantId, scheduleId, state, before, limit])).map(planFrom)
  },
  plan: async (merchantId: string, id: string): Promise<PlanRecord | null> => {
    const [row] = await query(on, findPlan, [merchantId, id])
    return row ? planFrom(row) : null
  },
})
