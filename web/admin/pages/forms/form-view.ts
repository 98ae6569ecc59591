/** One version of a form with all that belongs to it, as the service tells it. */
import type { Answer } from '../../api/call.ts'

export type FormView = Answer<'GET /merchants/:merchantId/forms/:form'>
