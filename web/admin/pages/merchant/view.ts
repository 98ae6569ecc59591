import type { Answer } from '../../api/call.ts'

/** A merchant, as the API returns it. */
export type MerchantView = Answer<'GET /merchants/:merchantId'>
