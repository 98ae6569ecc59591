/**
 * Identifiers as bounds of time. An identifier is time-ordered and made before its row: told so, the database reads a range of
 * identifiers, which every index has in order, in place of a range of times, which none has.
 */
import { limits } from '#domain/limits.ts'

const secondMs = 1_000
const minuteMs = 60 * secondMs

/** What was made before a moment has an identifier from before it, give or take what two readings of the clock lie apart. */
export const idsBefore = (moment: Date): string => idAt(moment.getTime() + minuteMs)

/** The other way round: what was made from a moment on. A row may follow its identifier by as long as an acquirer takes to answer. */
export const idsFrom = (moment: Date): string => idAt(moment.getTime() - 60 * minuteMs)

/** A payment's two readings follow one another in one process: without a step of its clock the identifier comes first. */
export const paymentIdsBefore = (moment: Date): string => idAt(moment.getTime() + secondMs)

/** Of a payment that came about at once. */
export const paymentIdsFrom = (moment: Date): string => idAt(moment.getTime() - minuteMs)

/** The first payment of a session has its identifier from the session, and may follow it by as long as a session lasts. */
const longestMs = (limits.checkout.sessionMinutesHigh + 60) * minuteMs
export const latePaymentIdsFrom = (moment: Date): string => idAt(moment.getTime() - longestMs)
export const latestAfter = (moment: Date): Date => new Date(moment.getTime() + longestMs)

/** When an identifier was made. */
export const timeOfId = (id: string): Date => new Date(Number.parseInt(id.replace('-', '').slice(0, 12), 16))

export const firstId = '00000000-0000-0000-0000-000000000000'

function idAt(milliseconds: number): string {
  const hex = Math.max(milliseconds, 0).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}
