/** DELETE_SCHEDULE: all its plans stop; their chains stay usable. Chapter 10 §7.13. */
import { errors } from '#domain/errors.ts'
import { action } from '../../kit/action.ts'
import { findNamedSchedule } from '../../kit/named-schedule.ts'
import * as format from '../../kit/values/formats.ts'
import { anyText, required } from '../../kit/values/params.ts'
import { scheduleSignature } from '../schedule-signature.ts'

export const deleteSchedule = action({
  name: 'DELETE_SCHEDULE',
  params: { client_key: anyText, schedule_id: required(format.identifier), hash: anyText },
  find: (input, caller) => findNamedSchedule(caller, input.schedule_id),
  unknown: errors.scheduleNotFound,
  signature: scheduleSignature,
  run: (_, schedule, { operations }) => operations.schedules.remove(schedule),
  present: () => ({ action: 'DELETE_SCHEDULE', result: 'SUCCESS' }),
})
