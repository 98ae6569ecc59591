/** What a charge without the payer is made with: all of it from our own record, and no verification code. */
import type { PaymentRecord } from '../records.ts'
import { cardOfPayment, payeeCardOf } from './card.ts'
import type { ChargeData } from './charge.ts'
import type { Deps } from './deps.ts'

/** Null when the card is not kept any more. */
export async function storedCharge(deps: Deps, payment: PaymentRecord): Promise<ChargeData | null> {
  const card = await cardOfPayment(deps, payment)
  if (!card) return null
  const chain =
    payment.recurring && payment.chainId ? await deps.chains.find(payment.merchantId, payment.chainId) : null
  return {
    card: card.data,
    payeeCard: await payeeCardOf(deps, payment),
    networkTransactionId: chain?.networkTransactionId ?? null,
  }
}
