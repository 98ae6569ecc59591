/** The schedule that a request names. Chapter 10 §7.12 to §7.15, §10.4, chapter 30 §3.5. */
import { errors } from '#domain/errors.ts'
import { isUuid } from '#domain/uuid.ts'
import type { ScheduleRecord } from '../../contracts/records.ts'
import { RefusedError } from '../../contracts/refused-error.ts'
import type { Caller } from './action.ts'
import { type MissingEntity, missingEntity } from './prepared.ts'

type ScheduleCaller = Pick<Caller, 'merchant' | 'mode' | 'operations'>

/** Deleted schedules and those of the other mode are unknown, and so is a text that is not an identifier. */
export async function findNamedSchedule(
  { merchant, mode, operations }: ScheduleCaller,
  id: string,
): Promise<ScheduleRecord | null> {
  return isUuid(id) ? operations.schedules.find(merchant.id, id.toLowerCase(), mode) : null
}

/** The schedule and chain that a payment request may name. */
export interface OnSchedule {
  readonly schedule: ScheduleRecord | null
}

export async function scheduleOfPayment(
  caller: ScheduleCaller,
  id: string | undefined,
): Promise<OnSchedule | MissingEntity> {
  if (id === undefined) return { schedule: null }
  const schedule = await findNamedSchedule(caller, id)
  return schedule ? { schedule } : missingEntity(errors.scheduleNotFound)
}

/** Checked after the signature, so that only the merchant learns that the schedule is paused. */
export function refusePaused(schedule: ScheduleRecord | null): void {
  if (schedule?.paused) throw new RefusedError(errors.schedulePaused)
}
