/** Reads which payment is meant, from its trans_id or from the address of its page. */
import { isUuid, uuidPattern } from '#domain/uuid.ts'

interface NamedPayment {
  readonly paymentId: string
  /** Null if only the payment id was given. */
  readonly merchantId: string | null
}

const address = new RegExp(`/merchants/(${uuidPattern})/payments/(${uuidPattern})`, 'i')

export function parsePaymentName(typed: string): NamedPayment | null {
  const text = typed.trim()
  if (isUuid(text)) return { paymentId: text.toLowerCase(), merchantId: null }
  const [, merchantId, paymentId] = address.exec(text) ?? []
  if (merchantId === undefined || paymentId === undefined) return null
  return { paymentId: paymentId.toLowerCase(), merchantId: merchantId.toLowerCase() }
}
