/** A schedule of a merchant, as the API returns it. */
import type { Answer } from '../../api/call.ts'

export type Schedule = Answer<'GET /merchants/:merchantId/schedules'>['schedules'][number]
