/** SCHEDULE_INFO: a schedule as it is stored; fields without a value are null. Also by GET. Chapter 10 §1.1, §7.14. */
import { errors } from '#domain/errors.ts'
import { action } from '../../kit/action.ts'
import { findNamedSchedule } from '../../kit/named-schedule.ts'
import * as format from '../../kit/values/formats.ts'
import { anyText, required } from '../../kit/values/params.ts'
import { scheduleSignature } from '../schedule-signature.ts'

export const scheduleInfo = action({
  name: 'SCHEDULE_INFO',
  byGet: true,
  params: { client_key: anyText, schedule_id: required(format.identifier), hash: anyText },
  find: (input, caller) => findNamedSchedule(caller, input.schedule_id),
  unknown: errors.scheduleNotFound,
  signature: scheduleSignature,
  run: async (_, schedule) => schedule,
  present: (schedule) => ({
    action: 'SCHEDULE_INFO',
    result: 'SUCCESS',
    name: schedule.name,
    interval_length: schedule.intervalLength,
    interval_unit: schedule.intervalUnit,
    day_of_month: schedule.dayOfMonth,
    payments_count: schedule.paymentsCount,
    delays: schedule.delays,
    delayed_first_payment: schedule.delayedFirstPayment,
    first_payment_interval_length: schedule.firstPaymentIntervalLength,
    first_payment_interval_unit: schedule.firstPaymentIntervalUnit,
    first_payment_day_of_week: schedule.firstPaymentDayOfWeek,
    first_payment_day_of_month: schedule.firstPaymentDayOfMonth,
    paused: schedule.paused ? 'Y' : 'N',
  }),
})
