/**
 * What the helper process loads in place of the package in tests: the same modules and calls, for charges, refunds and questions at one acquirer. It
 * dies where the order's description says so, so that a test can end the helper in the middle of its work.
 */
import { deserialize, serialize } from 'node:v8'

const encoding = {
  encode: (message: unknown) => ({ finish: () => serialize(message) }),
  decode: (bytes: Uint8Array): Readonly<Record<string, unknown>> => deserialize(bytes),
}

const enumerations: Readonly<Record<string, readonly string[]>> = {
  Environment: ['SANDBOX', 'PRODUCTION'],
  CaptureMethod: ['AUTOMATIC', 'MANUAL'],
  FutureUsage: ['FUTURE_USAGE_UNSPECIFIED', 'OFF_SESSION'],
  PaymentStatus: ['PAYMENT_STATUS_UNSPECIFIED', 'CHARGED', 'FAILURE', 'AUTHORIZED'],
  RefundStatus: ['REFUND_STATUS_UNSPECIFIED', 'REFUND_SUCCESS', 'REFUND_FAILURE'],
}

/** A message type or an enumeration of any name. A value of an enumeration that is not listed is zero. */
export const types: Readonly<Record<string, unknown>> = new Proxy(
  {},
  {
    get: (_target, name: string) => {
      const values = Object.fromEntries((enumerations[name] ?? []).map((value, index) => [value, index]))
      return new Proxy({ ...encoding, ...values }, { get: (known, value) => Reflect.get(known, value) ?? 0 })
    },
  },
)

export const FLOWS = {
  authorize: { request: 'Request', response: 'Response' },
  charge: { request: 'Request', response: 'Response' },
  refund: { request: 'Request', response: 'RefundResponse' },
  get: { request: 'Request', response: 'Response' },
}
export const SINGLE_FLOWS = {
  handle_event: { request: 'EventRequest', response: 'EventResponse' },
  parse_event: { request: 'EventRequest', response: 'EventResponse' },
}

/** Long numbers stay texts. */
export const util = { Long: { fromString: (text: string) => text, isLong: () => false } }

type Message = Readonly<Record<string, unknown>>

const decimal = (money: unknown): string => (Number(Object(money).minorAmount) / 100).toFixed(2)

/** Two other acquirers, which cannot be asked by our reference, are charged in minor units. */
function otherRequest(flow: string, message: Message, { stripe }: Message): Message {
  const origin = stripe ? 'https://api.stripe.com' : 'https://api.shift4.com'
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  if (flow === 'get')
    return { method: 'GET', url: `${origin}/charges/${String(message.connectorTransactionId)}`, headers }
  const { amount, merchantTransactionId } = message
  const form = { amount: String(Object(amount).minorAmount), currency: 'EUR', orderid: String(merchantTransactionId) }
  return { method: 'POST', url: `${origin}/charges`, headers, body: Buffer.from(String(new URLSearchParams(form))) }
}
const isHeld = ({ captureMethod }: Message): boolean => captureMethod === 1

const formOf: Readonly<Record<string, (message: Message) => Readonly<Record<string, string>>>> = {
  authorize: (message) => ({
    type: isHeld(message) ? 'auth' : 'sale',
    amount: decimal(message.amount),
    currency: 'EUR',
    orderid: String(message.merchantTransactionId),
    ccnumber: String(Object(message.paymentMethod).card?.cardNumber.value),
    ...(message.setupFutureUsage === 1 && { customer_vault: 'add_customer' }),
  }),
  charge: (message) => ({
    type: 'sale',
    amount: decimal(message.amount),
    currency: 'EUR',
    orderid: String(message.merchantChargeId),
    customer_vault_id: String(Object(message.connectorRecurringPaymentId).connectorMandateId?.connectorMandateId),
  }),
  refund: (message) => ({
    type: 'refund',
    transactionid: String(message.connectorTransactionId),
    orderid: String(message.merchantRefundId),
    amount: decimal(message.refundAmount),
  }),
  get: (message) => ({ order_id: String(message.connectorOrderReferenceId) }),
}

export class UniffiClient {
  callReq(flow: string, request: Uint8Array, options: Uint8Array): Uint8Array {
    const message = encoding.decode(request)
    dieIf(message.description, 'die while building')
    const { nmi } = Object(encoding.decode(options).connectorConfig)
    if (!nmi) return serialize(otherRequest(flow, message, Object(encoding.decode(options).connectorConfig)))
    const form = { security_key: String(nmi.apiKey.value), ...formOf[flow]?.(message) }
    return serialize({
      method: 'POST',
      url: `https://secure.nmi.com/api/${flow === 'get' ? 'query' : 'transact'}.php`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: Buffer.from(String(new URLSearchParams(form))),
    })
  }

  callRes(flow: string, reply: Uint8Array, request: Uint8Array): Uint8Array {
    const message = encoding.decode(request)
    dieIf(message.description, 'die while reading')
    const text = Buffer.from(Object(encoding.decode(reply).body)).toString('utf8')
    const isFound = flow === 'get' && !text.startsWith('response=')
    return serialize({ body: serialize(isFound ? foundIn(text) : answerIn(text, flow, message)) })
  }

  /** A notification about a charge, `{"id":…,"order":…}`. */
  callDirect(flow: string, request: Uint8Array): Uint8Array {
    const { requestDetails } = encoding.decode(request)
    const { id, order } = JSON.parse(Buffer.from(Object(requestDetails).body).toString('utf8'))
    if (flow === 'parse_event') return serialize({ reference: { payment: { merchantTransactionId: order } } })
    const paymentsResponse = { status: 1, connectorTransactionId: id }
    return serialize({ sourceVerified: true, eventType: 2, eventContent: { paymentsResponse } })
  }
}

function answerIn(text: string, flow: string, message: Message): Message {
  const fields = new URLSearchParams(text)
  const isApproved = fields.get('response') === '1'
  const id = fields.get('transactionid')
  if (flow === 'refund') return { status: isApproved ? 1 : 2, connectorRefundId: id }
  const stored = fields.get('customer_vault_id')
  const mandateReference = stored === null ? null : { connectorMandateId: { connectorMandateId: stored } }
  return { status: isApproved ? (isHeld(message) ? 3 : 1) : 2, connectorTransactionId: id, mandateReference }
}

/** A payment that the acquirer does not know has no status. */
function foundIn(text: string): Message {
  const [, id = null] = /<transaction_id>(.*?)</.exec(text) ?? []
  const [, condition = ''] = /<condition>(.*?)</.exec(text) ?? []
  const statuses: Readonly<Record<string, number>> = { pendingsettlement: 1, failed: 2, pending: 3 }
  return { status: statuses[condition] ?? 0, connectorTransactionId: id }
}

function dieIf(description: unknown, wish: string): void {
  if (description === wish) process.kill(process.pid, 'SIGKILL')
}
