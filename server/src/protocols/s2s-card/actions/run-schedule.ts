/** RUN_SCHEDULE: ends a pause; every plan takes the dates of its grid from today on. Chapter 10 §7.13, §9.5. */
import { errors } from '#domain/errors.ts'
import { action } from '../../kit/action.ts'
import { findNamedSchedule } from '../../kit/named-schedule.ts'
import * as format from '../../kit/values/formats.ts'
import { anyText, required } from '../../kit/values/params.ts'
import { scheduleSignature } from '../schedule-signature.ts'

export const runSchedule = action({
  name: 'RUN_SCHEDULE',
  aliases: ['RUN'],
  params: { client_key: anyText, schedule_id: required(format.identifier), hash: anyText },
  find: (input, caller) => findNamedSchedule(caller, input.schedule_id),
  unknown: errors.scheduleNotFound,
  signature: scheduleSignature,
  run: (_, schedule, { operations }) => operations.schedules.resume(schedule),
  present: () => ({ action: 'RUN_SCHEDULE', result: 'SUCCESS' }),
})
