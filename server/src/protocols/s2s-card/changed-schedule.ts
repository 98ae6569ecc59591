/** A schedule with the parameters that UPDATE_SCHEDULE sent, checked as a whole by the rules of a new one. Chapter 10 §7.12. */
import { type Violation, violations } from '#domain/errors.ts'
import type { Schedule } from '#domain/schedule/schedule.ts'
import { invalid } from '../../contracts/refused-error.ts'
import type { Values } from '../kit/values/params.ts'
import { changedScheduleParams } from './schedule-params.ts'

type ScheduleChanges = Values<typeof changedScheduleParams>

export const isAnyChange = (changes: ScheduleChanges & Readonly<Record<string, unknown>>): boolean =>
  Object.keys(changedScheduleParams).some((name) => changes[name] !== undefined)

/** Throws the violations of the resulting schedule, in the order of the parameters. */
export function changedSchedule(current: Schedule, changes: ScheduleChanges): Schedule {
  const changed: Schedule = {
    ...current,
    name: changes.name ?? current.name,
    intervalLength: changes.interval_length ?? current.intervalLength,
    intervalUnit: changes.interval_unit ?? current.intervalUnit,
    dayOfMonth: changes.day_of_month ?? current.dayOfMonth,
    paymentsCount: changes.payments_count ?? current.paymentsCount,
    delayedFirstPayment: changes.delayed_first_payment ?? current.delayedFirstPayment,
    firstPaymentIntervalLength: changes.first_payment_interval_length ?? current.firstPaymentIntervalLength,
    firstPaymentIntervalUnit: changes.first_payment_interval_unit ?? current.firstPaymentIntervalUnit,
    firstPaymentDayOfWeek: changes.first_payment_day_of_week ?? current.firstPaymentDayOfWeek,
    firstPaymentDayOfMonth: changes.first_payment_day_of_month ?? current.firstPaymentDayOfMonth,
  }
  const faults = faultsOf(changed, changes)
  if (faults.length > 0) throw invalid(...faults)
  return changed
}

function faultsOf(changed: Schedule, changes: ScheduleChanges): readonly Violation[] {
  const rule = changed.delayedFirstPayment
  // A stored day is dropped when the unit changes; a day sent together with another unit is a violation.
  const strayDay = changes.day_of_month !== undefined && changed.intervalUnit !== 'month'
  return [
    ...(strayDay ? [{ param: 'day_of_month', text: violations.notValid }] : []),
    ...(rule === 'delay_by_interval'
      ? [
          ...blankUnless('first_payment_interval_length', changed.firstPaymentIntervalLength),
          ...blankUnless('first_payment_interval_unit', changed.firstPaymentIntervalUnit),
        ]
      : []),
    ...(rule === 'day_of_week' ? blankUnless('first_payment_day_of_week', changed.firstPaymentDayOfWeek) : []),
    ...(rule === 'day_of_month' ? blankUnless('first_payment_day_of_month', changed.firstPaymentDayOfMonth) : []),
  ]
}

const blankUnless = (param: string, value: unknown): readonly Violation[] =>
  value === null ? [{ param, text: violations.blank }] : []
