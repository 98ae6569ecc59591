/** The schedule that a request names. Chapter 10 §7.12 to §7.15, §10.4. */
import { errors } from '#domain/errors.ts'
import { cardFormulas } from '#domain/signature.ts'
import type { ScheduleRecord } from '../../records.ts'
import { RefusedError } from '../../refused-error.ts'
import type { Caller, Missing, Signed } from '../kit/action.ts'
import { isUuid } from '../kit/formats.ts'

/** A deleted schedule is unknown, and so is any text that is no identifier. */
export async function namedSchedule(caller: Caller, id: string): Promise<ScheduleRecord | null> {
  return isUuid(id) ? caller.operations.schedules.find(caller.merchant.id, id.toLowerCase()) : null
}

/** What a payment may name besides itself. */
export interface OnSchedule {
  readonly schedule: ScheduleRecord | null
}

export async function scheduleOfPayment(caller: Caller, id: string | undefined): Promise<OnSchedule | Missing> {
  if (id === undefined) return { schedule: null }
  const schedule = await namedSchedule(caller, id)
  return schedule ? { schedule } : { missing: errors.scheduleNotFound }
}

/** That it is paused is a rule of step 10: only who signed the request learns of it. */
export function refusePaused(schedule: ScheduleRecord | null): void {
  if (schedule?.paused) throw new RefusedError(errors.schedulePaused)
}

/** Formula 4. */
export const scheduleSignature = ({ schedule_id }: { readonly schedule_id: string }): Signed => ({
  formula: cardFormulas.schedule,
  values: { schedule_id },
})
