/** The payment that a follow-up or look-up names. Chapter 20 §1.1, §17.3. */
import { apmFormulas } from '#domain/signature/signature.ts'
import { isUuid } from '#domain/uuid.ts'
import type { PaymentRecord } from '../../contracts/records.ts'
import type { Caller, Signed } from '../kit/action.ts'

/**
 * Finds payments with a brand, whichever protocol created them. Payments of another merchant, of the other mode or with card data are
 * unknown here, and so is a text that is not an identifier.
 */
export async function findNamedPayment(
  { merchant, mode, operations }: Caller,
  transId: string,
): Promise<PaymentRecord | null> {
  if (!isUuid(transId)) return null
  const payment = await operations.find(merchant.id, transId.toLowerCase())
  const isOurs = payment?.mode === mode && payment.facts.brand !== undefined
  return isOurs ? payment : null
}

/** Formula S3. Chapter 20 §4.2. */
export const followUpSignature = ({ id }: PaymentRecord): Signed => ({
  formula: apmFormulas.followUp,
  values: { trans_id: id },
})
