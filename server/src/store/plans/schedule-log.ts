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
const listPlans = sql<ListedPlanRow, readonly [string, string | null, string | null, string, number, string | null]>(
  'subscription.list',
  `select ${planColumns('plan')}, started.order_id as started_order, started.payer_email as started_email,
     nullif(concat_ws(' ', started.payer->>'first_name', started.payer->>'last_name'), '') as started_name, started.currency
   from subscriptions plan join payments started on started.merchant_id = plan.merchant_id and started.id = plan.started_by
   where plan.merchant_id = $1 and ($2::uuid is null or plan.schedule_id = $2) and ($3::text is null or plan.state = $3) and plan.id < $4
     and ($6::text is null or strpos(lower(concat_ws(' ', started.order_id, started.payer_email, started.payer->>'first_name',
       started.payer->>'last_name')), lower($6)) > 0)
   order by plan.id desc limit $5`,
)
const findPlan = sql<PlanRow, readonly [string, string]>(
  'subscription.find',
  `select ${planColumns()} from subscriptions where merchant_id = $1 and id = $2`,
)

export type ListedSchedule = ScheduleRecord & Schedule & { readonly running: number }

interface ListedPlanRow extends PlanRow {
  started_order: string
  started_email: string | null
  started_name: string | null
  currency: string
}

/** With the order and the payer of the payment that started it. */
export interface ListedPlan extends PlanRecord {
  readonly orderId: string
  readonly payerEmail: string | null
  readonly payerName: string | null
  readonly currency: string
}

export interface PlanFilter {
  /** A part of the order number, of the payer's e-mail address or of the payer's name. */
  readonly search?: string | undefined
  readonly scheduleId?: string | undefined
  readonly state?: 'running' | 'ended' | undefined
  readonly before?: string | undefined
  readonly limit: number
}

const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

export const scheduleLog = (on: Queryable) => ({
  listSchedules: (merchantId: string): Promise<readonly ListedSchedule[]> => query(on, listSchedules, [merchantId]),
  /** Newest first. */
  listPlans: async (merchantId: string, of: PlanFilter): Promise<readonly ListedPlan[]> => {
    const { scheduleId = null, state = null, before = lastId, limit, search = null } = of
    const rows = await query(on, listPlans, [merchantId, scheduleId, state, before, limit, search])
    return rows.map((row) => ({
      ...planFrom(row),
      orderId: row.started_order,
      payerEmail: row.started_email,
      payerName: row.started_name,
      currency: row.currency,
    }))
  },
  plan: async (merchantId: string, id: string): Promise<PlanRecord | null> => {
    const [row] = await query(on, findPlan, [merchantId, id])
    return row ? planFrom(row) : null
  },
})
