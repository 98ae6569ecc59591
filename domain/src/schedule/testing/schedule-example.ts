/** A schedule that is easily varied, for tests: every month, twelve times, from the day of the initiating payment. */
import type { Schedule } from '../schedule.ts'

export const monthly: Schedule = {
  name: 'Monthly',
  intervalLength: 1,
  intervalUnit: 'month',
  dayOfMonth: null,
  paymentsCount: 12,
  delayedFirstPayment: 'none',
  firstPaymentIntervalLength: null,
  firstPaymentIntervalUnit: null,
  firstPaymentDayOfWeek: null,
  firstPaymentDayOfMonth: null,
  delays: null,
  paused: false,
}
