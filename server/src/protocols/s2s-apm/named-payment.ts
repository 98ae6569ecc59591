/** The payment that a follow-up or look-up names. Chapter 20 §1.1, §17.3. */
import { apmFormulas } from '#domain/signature/signature.ts'
import type { PaymentRecord } from '../../contracts/records.ts'
import type { Caller, Signed } from '../kit/action.ts'
import { isUuid } from '../kit/values/formats.ts'

/**
 * What was paid with a brand is known here, whichever protocol made it. Another merchant's payment, one of the other side and one made
 * with card data are unknown, and so is any text that is no identifier.
 */
export async function namedPayment(
  { merchant, mode, operations }: Caller,
  transId: string,
): Promise<PaymentRecord | null> {
  if (!isUuid(transId)) return null
  const payment = await operations.find(merchant.id, transId.toLowerCase())
  const isOurs = payment?.test === (mode === 'test') && payment.facts.brand !== undefined
  return isOurs ? payment : null
}

/** S3. */
export const followUpSignature = ({ id }: PaymentRecord): Signed => ({
  formula: apmFormulas.followUp,
  values: { trans_id: id },
})
