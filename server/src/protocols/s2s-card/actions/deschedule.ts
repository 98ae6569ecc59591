/** DESCHEDULE: stops a chain's plan, or every plan of the schedule; the chains stay usable. Chapter 10 §7.15. */

import { errors } from '#domain/errors.ts'
import { isUuid } from '#domain/uuid.ts'
import { RefusedError } from '../../../contracts/refused-error.ts'
import { action } from '../../kit/action.ts'
import { findNamedSchedule } from '../../kit/named-schedule.ts'
import * as format from '../../kit/values/formats.ts'
import { anyText, optional, required } from '../../kit/values/params.ts'
import { scheduleSignature } from '../schedule-signature.ts'

export const deschedule = action({
  name: 'DESCHEDULE',
  params: {
    client_key: anyText,
    recurring_token: optional(format.identifier),
    schedule_id: required(format.identifier),
    hash: anyText,
  },
  find: (input, caller) => findNamedSchedule(caller, input.schedule_id),
  unknown: errors.scheduleNotFound,
  signature: scheduleSignature,
  run: async ({ recurring_token: token }, schedule, { operations, mode }) => {
    if (token !== undefined && !isUuid(token)) throw new RefusedError(errors.incorrectTransaction)
    await operations.schedules.deschedule(schedule, mode, token?.toLowerCase() ?? null)
  },
  present: () => ({ action: 'DESCHEDULE', result: 'SUCCESS' }),
})
