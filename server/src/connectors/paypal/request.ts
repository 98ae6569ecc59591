/** Our words into PayPal's: bodies of requests, and the headers that every one of them has. */
import type { FollowUp, Order } from '../connector.ts'
import { merchantReference } from '../merchant-reference.ts'
import type { PaypalCredentials } from './credentials.ts'
import { toMoney } from './currencies.ts'
import { paymentSource } from './payment-source.ts'

type Intent = 'CAPTURE' | 'AUTHORIZE'

/** Nothing can be sent; the reason is safe to show to a merchant. */
interface Unwritable {
  readonly ok: false
  readonly reason: string
}

const noAmount: Unwritable = { ok: false, reason: 'The acquirer does not take this amount in this currency' }
const noMethod: Unwritable = { ok: false, reason: 'The acquirer does not take this payment method' }

const writtenBody = <Body>(body: Body) => ({ ok: true, body }) as const

export function fromOrder(intent: Intent, order: Order, credentials: PaypalCredentials) {
  const amount = order.amountMinor === null ? null : toMoney(order.amountMinor, order.currency)
  if (!amount) return noAmount
  const source = paymentSource(order, credentials)
  if (!source) return noMethod
  const reference = merchantReference(order)
  const descriptor = descriptorOf(order.descriptor)
  return writtenBody({
    intent,
    purchase_units: [
      {
        reference_id: order.transactionId,
        amount,
        ...(order.description && { description: order.description.slice(0, 127) }),
        custom_id: reference,
        // PayPal refuses a second transaction with a number that it knows, whatever became of the key of the request.
        invoice_id: reference,
        ...(descriptor && { soft_descriptor: descriptor }),
      },
    ],
    payment_source: source,
  })
}

/** Gatehouse captures a hold once, so that PayPal releases what is left of it. */
export function fromCapture(followUp: FollowUp) {
  const amount = toMoney(followUp.amountMinor, followUp.currency)
  return amount ? writtenBody({ amount, invoice_id: merchantReference(followUp), final_capture: true }) : noAmount
}

export function fromRefund(followUp: FollowUp) {
  const amount = toMoney(followUp.amountMinor, followUp.currency)
  const reference = merchantReference(followUp)
  return amount ? writtenBody({ amount, custom_id: reference, invoice_id: reference }) : noAmount
}

/** The key under which PayPal executes a request once, and the wish for the whole answer. */
export const headersOf = (requestId: string): Readonly<Record<string, string>> => ({
  'paypal-request-id': requestId,
  prefer: 'return=representation',
})

/** Letters, digits, spaces and `. - *`; 22 characters. */
const descriptorOf = (text: string): string =>
  text
    .replaceAll(/[^A-Za-z0-9.\-* ]/g, ' ')
    .replaceAll(/ +/g, ' ')
    .trim()
    .slice(0, 22)
    .trim()
