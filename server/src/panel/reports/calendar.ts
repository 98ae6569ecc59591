/** The calendar of coming charges: every plan's dates within a range of days. Chapter 50 §8, "Schedules and subscriptions". */
import { dueUpTo } from '#domain/schedule/schedule.ts'
import { listComingPlans } from '../../store/plans/coming-plans.ts'
import { type ListedSchedule, scheduleLog } from '../../store/plans/schedule-log.ts'
import type { Grant } from '../access/permissions.ts'
import type { PanelContext } from '../panel-context.ts'
import { scopeOf } from './dashboard.ts'

const plansAtMost = 5_000
const chargesAtMost = 10_000
/** Dates are computed one by one and block the process meanwhile, so a request has a maximum. */
const datesAtMost = 20_000

interface Charge {
  readonly merchantId: string
  readonly subscriptionId: string
  readonly scheduleId: string
  readonly schedule: string
  readonly amountMinor: bigint
  readonly amountDecimals: number
  readonly currency: string
}

interface CalendarDay {
  /** `YYYY-MM-DD`. */
  readonly date: string
  readonly charges: readonly Charge[]
}

interface DayRange {
  readonly from: string
  readonly to: string
  readonly merchantId: string | null
}

/** `complete` is false if there are more plans or charges than a page can show; the plans with the soonest charges are included. */
export async function readCalendarFor(
  context: PanelContext,
  grant: Grant,
  { from, to, merchantId }: DayRange,
): Promise<{ readonly days: readonly CalendarDay[]; readonly complete: boolean }> {
  const plans = await listComingPlans(context.pool, scopeOf(grant, merchantId), to, plansAtMost)
  const schedules = await readSchedules(context, new Set(plans.map((plan) => plan.merchantId)))
  const dated: { readonly date: string; readonly charge: Charge }[] = []
  let counted = 0
  for (const plan of plans) {
    const schedule = schedules.get(plan.scheduleId)
    if (schedule === undefined || schedule.paused) continue
    if (counted > datesAtMost) break
    const { id: subscriptionId, scheduleId, amountMinor, amountDecimals, currency } = plan
    const charge: Charge = {
      merchantId: plan.merchantId,
      subscriptionId,
      scheduleId,
      schedule: schedule.name,
      amountMinor,
      amountDecimals,
      currency,
    }
    const dates = dueUpTo(plan.progress, schedule, plan.start, to)
    counted += dates.length
    dated.push(...dates.filter((date) => date >= from).map((date) => ({ date, charge })))
  }
  const shown = dated.toSorted((one, other) => one.date.localeCompare(other.date)).slice(0, chargesAtMost)
  const days = [...Map.groupBy(shown, ({ date }) => date)].map(([date, rows]) => ({
    date,
    charges: rows.map(({ charge }) => charge),
  }))
  return { days, complete: plans.length < plansAtMost && counted <= datesAtMost && dated.length <= chargesAtMost }
}

async function readSchedules(
  { pool }: PanelContext,
  merchantIds: ReadonlySet<string>,
): Promise<Map<string, ListedSchedule>> {
  const lists = await Promise.all([...merchantIds].map((id) => scheduleLog(pool).listSchedules(id)))
  return new Map(lists.flat().map((schedule) => [schedule.id, schedule]))
}
