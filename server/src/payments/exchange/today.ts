import type { Mid } from '#domain/mid.ts'
import { financialDay } from '#domain/schedule/day.ts'
import type { Deps } from '../request/deps.ts'

/** The MID's current financial day; in UTC for a MID that has been deleted. */
export const today = ({ clock }: Pick<Deps, 'clock'>, mid: Mid | null): string =>
  financialDay(clock.now(), mid ? { cutOff: mid.cutOff, zone: mid.timeZone } : undefined)
