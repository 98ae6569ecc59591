import type { PaymentRecord } from '../../contracts/records.ts'
import type { Deps } from '../request/deps.ts'

/** The payment as it is stored now. Payments are never deleted, so a missing one is a fault of the program. */
export async function readCurrentPayment(
  { payments }: Pick<Deps, 'payments'>,
  { merchantId, id }: Pick<PaymentRecord, 'merchantId' | 'id'>,
): Promise<PaymentRecord> {
  const payment = await payments.find(merchantId, id)
  if (!payment) throw new Error(`Payment ${id} was not found.`)
  return payment
}
