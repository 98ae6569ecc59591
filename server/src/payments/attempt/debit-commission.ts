/** The commission of S2S APM's debits, which the payer pays in addition to the order's amount. Chapter 20 §12.2. */
import { addCommission } from '#domain/money/commission.ts'
import type { FirstStepRequest } from '../request/first-step-request.ts'

/** Replaces the order's amount by the total that the payer's account is debited with. */
export function withCommission(request: FirstStepRequest): FirstStepRequest {
  const { action, protocol, merchant, order } = request
  // On a hosted page no step would show the commission to the payer.
  if (protocol !== 'S2S_APM' || (action !== 'DEBIT2VIRTUAL' && action !== 'DEBIT2VIRTUAL_CALC')) return request
  const { commissionMinor, totalMinor } = addCommission(order.amountMinor, merchant.debitCommission.get(order.currency))
  return { ...request, order: { ...order, amountMinor: totalMinor, commissionMinor } }
}
