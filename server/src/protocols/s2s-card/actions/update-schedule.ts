/** UPDATE_SCHEDULE: changes the sent fields, and recalculates the dates of every running plan. Chapter 10 §7.12. */
import { errors } from '#domain/errors.ts'
import { action } from '../../kit/action.ts'
import { findNamedSchedule } from '../../kit/named-schedule.ts'
import * as format from '../../kit/values/formats.ts'
import { anyText, required } from '../../kit/values/params.ts'
import { changedSchedule, isAnyChange } from '../changed-schedule.ts'
import { changedScheduleParams } from '../schedule-params.ts'
import { scheduleSignature } from '../schedule-signature.ts'

export const updateSchedule = action({
  name: 'UPDATE_SCHEDULE',
  params: {
    client_key: anyText,
    schedule_id: required(format.identifier),
    ...changedScheduleParams,
    hash: anyText,
  },
  find: (input, caller) => findNamedSchedule(caller, input.schedule_id),
  unknown: errors.scheduleNotFound,
  signature: scheduleSignature,
  run: async (input, schedule, { operations }) => {
    if (isAnyChange(input)) {
      await operations.schedules.update(schedule, (current) => changedSchedule(current, input))
    }
    return schedule
  },
  present: ({ id }) => ({ action: 'UPDATE_SCHEDULE', result: 'SUCCESS', schedule_id: id }),
})
