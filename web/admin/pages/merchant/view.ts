import type { Answer } from '../../api/call.ts'

/** A merchant as its page reads it. */
export type MerchantView = Answer<'GET /merchants/:merchantId'>
