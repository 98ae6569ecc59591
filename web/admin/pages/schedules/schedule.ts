/** One schedule of a merchant, as the service tells it. */
import type { Answer } from '../../api/call.ts'

export type Schedule = Answer<'GET /merchants/:merchantId/schedules'>['schedules'][number]
