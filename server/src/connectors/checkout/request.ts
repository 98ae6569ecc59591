/** Our words into those of Checkout.com. Fields that say nothing are left out; null is returned for what Checkout.com cannot take. */
import type { FollowUp, Order } from '../connector.ts'
import { merchantReference } from '../merchant-reference.ts'
import { catalogueBrandOf } from '../order.ts'
import type { CheckoutCredentials } from './credentials.ts'
import { checkoutAmounts } from './currencies.ts'
import { addressOf, customerOf, phoneOf } from './customer.ts'
import { expiryOf, sourceOf } from './source.ts'
import { threeDsOf } from './three-ds.ts'

type Fields = Readonly<Record<string, unknown>>

/** A request with what its answer must repeat. */
export interface Request {
  readonly body: Fields
  readonly reference: string
  readonly amount: bigint
}

interface PaymentParts {
  readonly credentials: CheckoutCredentials
  /** A sale is captured by Checkout.com itself. */
  readonly isCaptured: boolean
  readonly source?: ReturnType<typeof sourceOf>
}

export function paymentOf(
  order: Order,
  { credentials, isCaptured, source = sourceOf(order) }: PaymentParts,
): Request | null {
  const amount = amountOf(order)
  if (!source || amount === null || catalogueBrandOf(order)) return null
  const reference = merchantReference(order)
  const customer = customerOf(order)
  const body = {
    source: source.fields,
    amount,
    currency: order.currency,
    ...initiationOf(order),
    reference,
    ...(order.description && { description: order.description.slice(0, 100) }),
    capture: isCaptured,
    ...(customer && { customer }),
    ...descriptorOf(order, credentials),
    ...threeDsOf(order, credentials, source.isNumberOnly),
    processing_channel_id: credentials.processing_channel_id,
    ...previousOf(order),
    ...(order.payerIp && { payment_ip: order.payerIp }),
    ...(order.orderId.length <= longestMetadata && { metadata: { order_id: order.orderId } }),
  }
  return { body, reference, amount }
}

const longestMetadata = 100

/** A payout to a card. */
export function payoutOf(order: Order, credentials: CheckoutCredentials): Request | null {
  const { card, payeeCard, payee, payer } = order
  const amount = amountOf(order)
  const number = payeeCard ?? card?.number
  const { currency_account_id: account, payout_type = 'FD' } = credentials
  if (!number || !card || amount === null || order.brand || account === undefined) return null
  const reference = merchantReference(order)
  const recipient = payee.last_name || payee.first_name ? payee : payer
  const address = addressOf(recipient)
  const phone = phoneOf(recipient)
  const body = {
    source: { type: 'currency_account', id: account },
    destination: {
      type: 'card',
      number: number.reveal(),
      ...expiryOf(card),
      account_holder: {
        type: 'individual',
        ...(recipient.first_name && { first_name: recipient.first_name }),
        ...(recipient.last_name && { last_name: recipient.last_name }),
        ...(address && { billing_address: address }),
        ...(phone && { phone }),
      },
    },
    amount,
    currency: order.currency,
    reference,
    instruction: { funds_transfer_type: payout_type },
    processing_channel_id: credentials.processing_channel_id,
  }
  return { body, reference, amount }
}

/** A capture or refund of an amount. */
export function captureOrRefundOf(followUp: FollowUp): Request | null {
  const amount = amountOf(followUp)
  const reference = merchantReference(followUp)
  return amount === null ? null : { body: { amount, reference }, reference, amount }
}

/** A reversal is always that of the whole payment. */
export function reversalOf(followUp: FollowUp): Request | null {
  const amount = amountOf(followUp)
  const reference = merchantReference(followUp)
  return amount === null ? null : { body: { reference }, reference, amount }
}

const amountOf = ({ amountMinor, currency }: Pick<Order, 'amountMinor' | 'currency'>): bigint | null =>
  amountMinor === null ? null : checkoutAmounts.toAcquirer(amountMinor, currency)

type PaymentType = 'Regular' | 'Recurring' | 'Unscheduled' | 'MOTO'

/** States who asks for the charge, and whether it is one of a series. */
function initiationOf(order: Order): { readonly payment_type: PaymentType; readonly merchant_initiated: boolean } {
  const { storedCredential: stored } = order
  const isMerchants = stored?.sequence === 'subsequent' && stored.initiator === 'merchant'
  const isOfSeries = order.recurringInit || (stored !== null && stored.source !== 'card_token')
  return { payment_type: typeOf(order, isOfSeries, isMerchants), merchant_initiated: isMerchants }
}

function typeOf({ moto, payerPresent }: Order, isOfSeries: boolean, isMerchants: boolean): PaymentType {
  if (moto) return 'MOTO'
  // A payer who chooses a stored card outside a series makes a regular payment.
  if (isOfSeries && (isMerchants || payerPresent)) return 'Recurring'
  return isMerchants ? 'Unscheduled' : 'Regular'
}

/** The first payment of the series: by its id at Checkout.com, or by the network's id if another acquirer took it. */
function previousOf({ storedCredential: stored, networkTransactionId }: Order): Fields {
  const previous = stored?.sequence === 'subsequent' ? (stored.reference ?? networkTransactionId) : networkTransactionId
  return previous ? { previous_payment_id: previous } : {}
}

/** Checkout.com takes a descriptor only with a city. */
function descriptorOf({ descriptor }: Order, { descriptor_city: city }: CheckoutCredentials): Fields {
  return descriptor && city ? { billing_descriptor: { name: descriptor.slice(0, 25), city } } : {}
}
