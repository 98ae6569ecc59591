/** One version of a form with its details, as the API returns it. */
import type { Answer } from '../../api/call.ts'

export type FormView = Answer<'GET /merchants/:merchantId/forms/:form'>
