/** The columns of plans, read and written. */
import type { PlanProgress } from '#domain/schedule/schedule.ts'
import type { PlanEndReason, PlanRecord } from '../../contracts/records.ts'
import { columnsOf } from '../database/columns.ts'

export interface PlanRow {
  merchant_id: string
  id: string
  chain_id: string
  schedule_id: string
  version: number
  state: 'running' | 'ended'
  ended_reason: PlanEndReason | null
  d: string
  time_of_day: string
  start_date: string | null
  amount_minor: bigint
  amount_decimals: number
  plan: PlanProgress
  next_date: string | null
  next_at: Date | null
  started_by: string
  last_payment: string | null
  created_at: Date
}

// biome-ignore format: a list of names.
export const planColumns = columnsOf<PlanRow>()([
  'merchant_id', 'id', 'chain_id', 'schedule_id', 'version', 'state', 'ended_reason', 'd', 'time_of_day',
  'start_date', 'amount_minor', 'amount_decimals', 'plan', 'next_date', 'next_at', 'started_by', 'last_payment',
  'created_at',
])

export const planFrom = (row: PlanRow): PlanRecord => ({
  merchantId: row.merchant_id,
  id: row.id,
  chainId: row.chain_id,
  scheduleId: row.schedule_id,
  version: row.version,
  state: row.state,
  endedReason: row.ended_reason,
  start: { initiatedOn: row.d, startDate: row.start_date },
  timeOfDay: row.time_of_day,
  amountMinor: row.amount_minor,
  amountDecimals: row.amount_decimals,
  progress: row.plan,
  nextDate: row.next_date,
  nextAt: row.next_at,
  startedBy: row.started_by,
  lastPayment: row.last_payment,
  createdAt: row.created_at,
})

/** With the columns' names, for `jsonb_populate_record`. Amounts are text, because JSON numbers cannot hold every integer. */
export const planRow = (plan: PlanRecord) => ({
  merchant_id: plan.merchantId,
  id: plan.id,
  chain_id: plan.chainId,
  schedule_id: plan.scheduleId,
  version: plan.version,
  state: plan.state,
  ended_reason: plan.endedReason,
  d: plan.start.initiatedOn,
  time_of_day: plan.timeOfDay,
  start_date: plan.start.startDate,
  amount_minor: String(plan.amountMinor),
  amount_decimals: plan.amountDecimals,
  plan: plan.progress,
  next_date: plan.nextDate,
  next_at: plan.nextAt,
  started_by: plan.startedBy,
  last_payment: plan.lastPayment,
  created_at: plan.createdAt,
})
