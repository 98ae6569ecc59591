/** Settlement files and differences, as the API returns them. */
import type { Answer } from '../../api/call.ts'

export type Difference = Answer<'GET /settlements/differences'>['differences'][number]
export type ImportAnswer = Answer<'POST /settlements'>
