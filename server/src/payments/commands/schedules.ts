/** Schedules; changing one also changes the plans that run on it. Chapter 10 §7.11 to §7.15, §9.5. */
import { errors } from '#domain/errors.ts'
import type { Mode } from '#domain/merchant.ts'
import { dayIn } from '#domain/schedule/day.ts'
import { afterResume, afterUpdate, normaliseSchedule, type Schedule } from '#domain/schedule/schedule.ts'
import type { PlanRecord, ScheduleRecord } from '../../contracts/records.ts'
import { RefusedError } from '../../contracts/refused-error.ts'
import { writeCurrent } from '../../process/current-write.ts'
import { findChainByToken } from '../attempt/chain.ts'
import { withEnd, withNextDate, zoneOf } from '../outcome/plan.ts'
import type { Deps } from '../request/deps.ts'

interface Owner {
  readonly merchantId: string
  readonly mode: Mode
}

export interface ScheduleOperations {
  /** `mode` null finds the schedule in either mode; only the operator's panel may do that. */
  find(merchantId: string, id: string, mode: Mode | null): Promise<ScheduleRecord | null>
  /** Idempotent by `useId`: a repeated request returns the schedule that the first one created. */
  create(of: Owner, schedule: Schedule, useId: string | null): Promise<ScheduleRecord>
  /** `revised` may be called more than once, with a newer schedule each time; it throws to refuse. */
  update(schedule: ScheduleRecord, revised: (current: Schedule) => Schedule): Promise<void>
  pause(schedule: ScheduleRecord): Promise<void>
  resume(schedule: ScheduleRecord): Promise<void>
  remove(schedule: ScheduleRecord): Promise<void>
  /** Without a token every chain on the schedule stops. */
  deschedule(schedule: ScheduleRecord, mode: Mode, token: string | null): Promise<void>
}

export function scheduleOperations(deps: Deps): ScheduleOperations {
  return {
    find: async (merchantId, id, mode) => {
      const schedule = await deps.schedules.find(merchantId, id)
      return mode === null || schedule?.mode === mode ? schedule : null
    },
    create: async ({ merchantId, mode }, schedule, useId) => {
      const record = { ...normaliseSchedule(schedule), merchantId, mode, id: useId ?? deps.ids.next(), version: 1 }
      await deps.schedules.add(record, deps.clock.now())
      return record
    },
    update: (schedule, revised) =>
      revise(deps, schedule, (current) => {
        const updated = normaliseSchedule(revised(current))
        return { after: updated, replan: (plan) => updatedPlan(deps, plan, current, updated) }
      }),
    pause: (schedule) =>
      revise(deps, schedule, (current) => {
        if (current.paused) throw new RefusedError(errors.schedulePaused)
        return { after: { ...current, paused: true }, replan: (plan) => ({ ...plan, nextAt: null }) }
      }),
    resume: (schedule) =>
      revise(deps, schedule, (current) => {
        if (!current.paused) throw new RefusedError(errors.scheduleNotPaused)
        const after = { ...current, paused: false }
        return {
          after,
          replan: (plan) => withNextDate(deps, after, plan, afterResume(plan.progress, readToday(deps, plan))),
        }
      }),
    remove: (schedule) =>
      revise(deps, schedule, (current) => ({
        after: current,
        replan: (plan) => withEnd(plan, 'schedule deleted'),
        deletedAt: deps.clock.now(),
      })),
    deschedule: (schedule, mode, token) => deschedule(deps, schedule, mode, token),
  }
}

interface Revision {
  readonly after: Schedule
  readonly replan: (plan: PlanRecord) => PlanRecord
  readonly deletedAt?: Date
}

async function revise(
  deps: Deps,
  read: ScheduleRecord,
  revision: (current: ScheduleRecord) => Revision,
): Promise<void> {
  const written = await writeCurrent<ScheduleRecord | null, 'changed'>({
    record: read,
    write: async (current) => {
      if (!current) throw new RefusedError(errors.scheduleNotFound)
      const { after, replan, deletedAt } = revision(current)
      const result = await deps.schedules.change(current, after, replan, deletedAt)
      return result === 'changed' ? result : null
    },
    read: () => deps.schedules.find(read.merchantId, read.id),
  })
  if (!written) throw new Error(`Schedule ${read.id} could not be stored: it kept changing.`)
}

const updatedPlan = (deps: Deps, plan: PlanRecord, old: Schedule, updated: Schedule): PlanRecord =>
  withNextDate(
    deps,
    updated,
    plan,
    afterUpdate(plan.progress, { old, updated, start: plan.start, today: readToday(deps, plan) }),
  )

const readToday = (deps: Deps, { merchantId }: PlanRecord): string => dayIn(deps.clock.now(), zoneOf(deps, merchantId))

async function deschedule(deps: Deps, schedule: ScheduleRecord, mode: Mode, token: string | null): Promise<void> {
  if (token === null) {
    await deps.plans.end(schedule, null, 'descheduled')
    return
  }
  const chain = await findChainByToken(deps, schedule.merchantId, token)
  const isOfMode = chain?.first.mode === mode
  const count = isOfMode ? await deps.plans.end(schedule, token, 'descheduled') : 0
  if (count === 0) throw new RefusedError(errors.incorrectTransaction)
}
