/** The commission of S2S APM's debits, taken from the payer on top of the order's amount. Chapter 20 §12.2. */
import { addCommission } from '#domain/money/commission.ts'
import type { FirstStepRequest } from '../request/first-step-request.ts'

/** From here on the amount is the total, which is what the payer's account is debited with. */
export function withCommission(request: FirstStepRequest): FirstStepRequest {
  const { action, protocol, merchant, order } = request
  // A hosted page has no step that would show the payer what it costs.
  if (protocol !== 'S2S_APM' || (action !== 'DEBIT2VIRTUAL' && action !== 'DEBIT2VIRTUAL_CALC')) return request
  const { commissionMinor, totalMinor } = addCommission(order.amountMinor, merchant.debitCommission.get(order.currency))
  return { ...request, order: { ...order, amountMinor: totalMinor, commissionMinor } }
}
