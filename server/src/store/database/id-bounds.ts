/**
 * Ids as bounds of time. Ids are time-ordered, so that a range of ids can be read from any index in order; there is no index on times. An id
 * and the creation time of its row are read from the clock at different moments, hence each bound has a tolerance:
 *
 *   idsBefore            any row             1 minute       between two readings of the clock
 *   idsFrom              any row             1 hour         a row may be written only after the acquirer's answer
 *   paymentIdsBefore     payments            1 second       one process reads both, shortly after one another
 *   paymentIdsFrom       most payments       1 minute       written right after the id was created
 *   latePaymentIdsFrom   payments of         longest        the id of the first payment is created with the session
 *                        sessions            session
 *
 * A query over payments reads the rows from `paymentIdsFrom`, and separately the late ones from `latePaymentIdsFrom`.
 */

import { limits } from '#domain/limits.ts'
import { minuteMs, secondMs } from '#domain/time.ts'

export const idsBefore = (moment: Date): string => idAt(moment.getTime() + minuteMs)
export const idsFrom = (moment: Date): string => idAt(moment.getTime() - 60 * minuteMs)
export const paymentIdsBefore = (moment: Date): string => idAt(moment.getTime() + secondMs)
export const paymentIdsFrom = (moment: Date): string => idAt(moment.getTime() - minuteMs)

const longestMs = (limits.checkout.sessionMinutesHigh + 60) * minuteMs
export const latePaymentIdsFrom = (moment: Date): string => idAt(moment.getTime() - longestMs)
/** The latest time at which a payment with an id of this moment may be created. */
export const latestAfter = (moment: Date): Date => new Date(moment.getTime() + longestMs)

/** When an id was created. */
export const timeOfId = (id: string): Date => new Date(Number.parseInt(id.replace('-', '').slice(0, 12), 16))

export { firstId } from '#domain/uuid.ts'

function idAt(milliseconds: number): string {
  const hex = Math.max(milliseconds, 0).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}
