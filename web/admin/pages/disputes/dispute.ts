/** Disputes, as the API returns them. */
import type { Answer } from '../../api/call.ts'

export type Dispute = Answer<'GET /disputes'>['disputes'][number]
export type DisputeDetails = Answer<'GET /merchants/:merchantId/disputes/:disputeId'>
