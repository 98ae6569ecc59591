/**
 * Ids as bounds of time. An id is time-ordered and created before its row. A range of ids can be read from any index in order; there is no
 * index on times.
 */
import { limits } from '#domain/limits.ts'

const secondMs = 1_000
const minuteMs = 60 * secondMs

/** Rows created before a moment have ids from before it, allowing for the time between two readings of the clock. */
export const idsBefore = (moment: Date): string => idAt(moment.getTime() + minuteMs)

/** The opposite bound: rows created from a moment on. A row may be written later than its id by as long as an acquirer takes to answer. */
export const idsFrom = (moment: Date): string => idAt(moment.getTime() - 60 * minuteMs)

/** The id and the creation time of a payment are taken shortly after one another in one process, so a small allowance suffices. */
export const paymentIdsBefore = (moment: Date): string => idAt(moment.getTime() + secondMs)

/** For a payment that was written right after its id was created. */
export const paymentIdsFrom = (moment: Date): string => idAt(moment.getTime() - minuteMs)

/** The id of a session's first payment is created with the session, so the payment may follow it by as long as a session lasts. */
const longestMs = (limits.checkout.sessionMinutesHigh + 60) * minuteMs
export const latePaymentIdsFrom = (moment: Date): string => idAt(moment.getTime() - longestMs)
export const latestAfter = (moment: Date): Date => new Date(moment.getTime() + longestMs)

/** When an id was created. */
export const timeOfId = (id: string): Date => new Date(Number.parseInt(id.replace('-', '').slice(0, 12), 16))

export const firstId = '00000000-0000-0000-0000-000000000000'

function idAt(milliseconds: number): string {
  const hex = Math.max(milliseconds, 0).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}
