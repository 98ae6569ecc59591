/** Schedules and plans at the panel, through the same operations as the interface's actions. Chapter 10 §9. */
import type { Mode } from '#domain/merchant.ts'
import { comingDates, paymentsLeft, type Schedule } from '#domain/schedule/schedule.ts'
import type { ScheduleRecord } from '../../contracts/records.ts'
import { type ListedPlan, type ListedSchedule, type PlanFilter, scheduleLog } from '../../store/plans/schedule-log.ts'
import { AdminRefused, type FieldFault, notFound } from '../admin-refused.ts'
import { type AuditNote, difference } from '../audit/audit.ts'
import type { PanelContext } from '../panel-context.ts'

const calendarDates = 24

export const listSchedules = ({ pool }: PanelContext, merchantId: string): Promise<readonly ListedSchedule[]> =>
  scheduleLog(pool).listSchedules(merchantId)

interface ShownPlan extends ListedPlan {
  /** The schedule's name; null if it was deleted. */
  readonly schedule: string | null
  readonly paymentsLeft: number
  /** `YYYY-MM-DD`, as far as the calendar shows. */
  readonly comingDates: readonly string[]
}

export async function listPlans(
  context: PanelContext,
  merchantId: string,
  filter: PlanFilter,
): Promise<readonly ShownPlan[]> {
  const schedules = new Map((await listSchedules(context, merchantId)).map((schedule) => [schedule.id, schedule]))
  const plans = await scheduleLog(context.pool).listPlans(merchantId, filter)
  return plans.map((plan) => {
    const schedule = schedules.get(plan.scheduleId)
    const runs = schedule !== undefined && plan.state === 'running'
    return {
      ...plan,
      schedule: schedule?.name ?? null,
      paymentsLeft: runs ? paymentsLeft(plan.progress, schedule) : 0,
      comingDates: runs && !schedule.paused ? comingDates(plan.progress, schedule, plan.start, calendarDates) : [],
    }
  })
}

export async function createSchedule(
  context: PanelContext,
  merchantId: string,
  { mode, ...wish }: Schedule & { readonly mode: Mode },
): Promise<{ readonly schedule: ScheduleRecord; readonly audit: AuditNote }> {
  requireConsistent(wish)
  const schedule = await context.operations.schedules.create({ merchantId, mode }, wish, null)
  return { schedule, audit: { ...scheduleAudit('schedule.create', schedule), after: schedule } }
}

export async function changeSchedule(
  context: PanelContext,
  merchantId: string,
  id: string,
  change: Partial<Schedule>,
): Promise<AuditNote> {
  const before = await requireSchedule(context, merchantId, id)
  await context.operations.schedules.update(before, (current) => {
    const changed = { ...current, ...change }
    requireConsistent(changed)
    return changed
  })
  const after = await requireSchedule(context, merchantId, id)
  return { ...scheduleAudit('schedule.change', before), ...difference(before, after) }
}

/** The panel's addresses and the audit log say `run`, after the merchants' RUN_SCHEDULE. */
const operationOf = { pause: 'pause', run: 'resume', remove: 'remove' } as const

export async function switchSchedule(
  context: PanelContext,
  merchantId: string,
  id: string,
  verb: keyof typeof operationOf,
): Promise<AuditNote> {
  const schedule = await requireSchedule(context, merchantId, id)
  await context.operations.schedules[operationOf[verb]](schedule)
  return { ...scheduleAudit(`schedule.${verb}`, schedule), before: { name: schedule.name, paused: schedule.paused } }
}

/** Ends one plan; the chain can still be charged by request. */
export async function endPlan(context: PanelContext, merchantId: string, id: string): Promise<AuditNote> {
  const plan = await scheduleLog(context.pool).plan(merchantId, id)
  if (plan === null) throw notFound()
  const first = await context.operations.find(merchantId, plan.startedBy)
  if (plan.state === 'ended' || first === null)
    throw new AdminRefused('conflict', { message: 'The plan has already ended.' })
  const schedule = await requireSchedule(context, merchantId, plan.scheduleId)
  await context.operations.schedules.deschedule(schedule, first.mode, plan.chainId)
  return { action: 'subscription.end', subject: `subscription ${id}`, merchantId, before: { nextDate: plan.nextDate } }
}

async function requireSchedule({ operations }: PanelContext, merchantId: string, id: string): Promise<ScheduleRecord> {
  const schedule = await operations.schedules.find(merchantId, id, null)
  if (schedule === null) throw notFound()
  return schedule
}

/** Fields that are valid alone but contradict each other. Chapter 10 §7.11. */
function requireConsistent(schedule: Schedule): void {
  const { delayedFirstPayment: rule } = schedule
  // biome-ignore format: a table is read in columns.
  const rules: readonly (readonly [isWrong: boolean, field: keyof Schedule, text: string])[] = [
    [schedule.dayOfMonth !== null && schedule.intervalUnit !== 'month',                       'dayOfMonth',                 'Can be set only for monthly intervals.'],
    [rule === 'delay_by_interval' && schedule.firstPaymentIntervalLength === null,            'firstPaymentIntervalLength', 'Required for this first-payment rule.'],
    [rule === 'delay_by_interval' && schedule.firstPaymentIntervalUnit === null,              'firstPaymentIntervalUnit',   'Required for this first-payment rule.'],
    [rule === 'day_of_week' && schedule.firstPaymentDayOfWeek === null,                       'firstPaymentDayOfWeek',      'Required for this first-payment rule.'],
    [rule === 'day_of_month' && schedule.firstPaymentDayOfMonth === null,                     'firstPaymentDayOfMonth',     'Required for this first-payment rule.'],
  ]
  const fields: readonly FieldFault[] = rules.filter(([isWrong]) => isWrong).map(([, field, text]) => ({ field, text }))
  if (fields.length > 0) throw new AdminRefused('invalid', { fields })
}

const scheduleAudit = (action: string, { id, merchantId }: ScheduleRecord) => ({
  action,
  subject: `schedule ${id}`,
  merchantId,
})
