/** Reads which payment is meant, from its trans_id or from the address of its page. */
interface NamedPayment {
  readonly paymentId: string
  /** Null if only the payment id was given. */
  readonly merchantId: string | null
}

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const address = new RegExp(`/merchants/(${uuid})/payments/(${uuid})`, 'i')
const idPattern = new RegExp(`^${uuid}$`, 'i')

export function parsePaymentName(typed: string): NamedPayment | null {
  const text = typed.trim()
  if (idPattern.test(text)) return { paymentId: text.toLowerCase(), merchantId: null }
  const [, merchantId, paymentId] = address.exec(text) ?? []
  if (merchantId === undefined || paymentId === undefined) return null
  return { paymentId: paymentId.toLowerCase(), merchantId: merchantId.toLowerCase() }
}
