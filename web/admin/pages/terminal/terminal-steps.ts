/** What the steps of the virtual terminal hand on. */
import type { Answer } from '../../api/call.ts'

export type Charge = Answer<'POST /merchants/:merchantId/terminal/:terminalId/payment'>

export interface Opened extends Answer<'POST /merchants/:merchantId/terminal'> {
  readonly merchantId: string
  readonly amountMinor: string
  readonly currency: string
  readonly payerName: string
  readonly email: string
  readonly auth: boolean
}
