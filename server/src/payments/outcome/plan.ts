/**
 * The record of a plan after it began, made a payment or was rescheduled. The domain computes dates, this file the instants of these dates.
 */
import { parseAmount } from '#domain/money/money.ts'
import { dateTimeIn, dayIn, instantAt } from '#domain/schedule/day.ts'
import { nextDue, noProgress, type PlanProgress, type Schedule } from '#domain/schedule/schedule.ts'
import type { PaymentRecord, PlanEndReason, PlanRecord, ScheduleRecord } from '../../contracts/records.ts'
import type { Deps } from '../request/deps.ts'

type Zones = Pick<Deps, 'configuration'>

/** A plan that begins with a payment that succeeded at `at`; null if the schedule has no date for it. */
export function newPlan(deps: Deps, payment: PaymentRecord, schedule: ScheduleRecord, at: Date): PlanRecord | null {
  const { merchantId, chainId, facts } = payment
  if (chainId === null) return null
  const zone = zoneOf(deps, merchantId)
  const plan = withNextDate(deps, schedule, {
    merchantId,
    id: deps.ids.next(),
    chainId,
    scheduleId: schedule.id,
    version: 1,
    state: 'running',
    endedReason: null,
    // Chapter 10 §9.1: D is the day on which the payment reached SETTLED or PENDING, in the merchant's zone.
    start: { initiatedOn: dayIn(at, zone), startDate: facts.schedule?.startDate ?? null },
    timeOfDay: dateTimeIn(at, zone).slice(11),
    ...amountOf(payment),
    progress: noProgress,
    nextDate: null,
    nextAt: null,
    startedBy: payment.id,
    lastPayment: null,
    createdAt: at,
  })
  return plan.nextDate === null ? null : plan
}

/** Computes the next date from the schedule and the plan's progress; a plan without a next date ends as completed. */
export function withNextDate(
  deps: Zones,
  schedule: Schedule,
  plan: PlanRecord,
  progress: PlanProgress = plan.progress,
): PlanRecord {
  const nextDate = nextDue(progress, schedule, plan.start)
  if (nextDate === null) return withEnd({ ...plan, progress }, 'completed')
  const nextAt = schedule.paused ? null : momentOf(deps, plan, nextDate)
  return { ...plan, progress, nextDate, nextAt }
}

export const withEnd = (plan: PlanRecord, reason: PlanEndReason): PlanRecord => ({
  ...plan,
  state: 'ended',
  endedReason: reason,
  nextDate: null,
  nextAt: null,
})

/** Chapter 10 §9.2, "Time": the time of day at which the initiating payment succeeded. */
export const momentOf = (deps: Zones, { merchantId, timeOfDay }: PlanRecord, date: string): Date =>
  instantAt(`${date} ${timeOfDay}`, zoneOf(deps, merchantId))

export const zoneOf = ({ configuration }: Zones, merchantId: string): string =>
  configuration.merchant(merchantId)?.timeZone ?? 'UTC'

/** Chapter 10 §9.2, "Amount": `payment_schedule_amount` when given, else that of the initiating payment. */
function amountOf({ facts, currency, amountMinor, amountDecimals }: PaymentRecord) {
  const requested = facts.schedule?.amount
  if (!requested) return { amountMinor, amountDecimals }
  const amount = parseAmount(requested, currency)
  if (typeof amount === 'string') throw new Error(`The amount of the plan is invalid: ${amount}.`)
  return { amountMinor: amount.minor, amountDecimals: amount.decimals }
}
