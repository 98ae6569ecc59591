/** Our words into Stripe's. Fields that say nothing are left out. Metadata leads from an object of Stripe back to our transaction. */
import type { ExternalThreeDs, FollowUp, Order } from '../connector.ts'
import type { Source } from './source.ts'

const isRegistration = ({ recurringInit, registerCard }: Order): boolean => recurringInit || registerCard

const isOffSession = ({ storedCredential, payerPresent, moto }: Order): boolean =>
  !moto && (storedCredential?.initiator === 'merchant' || !payerPresent)

/** Stripe redirects the payer to the issuer only if it knows where the payer comes back to. */
const returnOf = (order: Order): { readonly return_url: string } | null =>
  order.returnUrl === null || order.moto || isOffSession(order) ? null : { return_url: order.returnUrl }

export function paymentIntentOf(order: Order, { source, amount, captureMethod }: Charge) {
  const returns = returnOf(order)
  const suffix = descriptorSuffix(order.descriptor)
  return {
    amount,
    currency: order.currency.toLowerCase(),
    capture_method: captureMethod,
    confirm: true,
    allowed_payment_method_types: ['card'],
    ...methodOf(order, source),
    payment_method_options: { card: { ...cardOptionsOf(order, source), ...mitOptionsOf(order, source) } },
    description: order.description.slice(0, 1000),
    payment_details: { order_reference: order.orderId },
    ...(suffix && { statement_descriptor_suffix: suffix }),
    ...(isRegistration(order) && { setup_future_usage: 'off_session' as const }),
    ...(isOffSession(order) && { off_session: offSessionKind(order) }),
    ...returns,
    // Without a browser the payer cannot act, so that a demand for authentication is a decline.
    ...(!returns && !isOffSession(order) && { error_on_requires_action: true }),
    metadata: metadataOf(order),
    expand: ['latest_charge'],
  }
}

interface Charge {
  readonly source: Source
  readonly amount: number
  readonly captureMethod: 'automatic' | 'manual'
}

/** Zero amount: the issuer verifies the card, and nothing is charged. */
export function setupIntentOf(order: Order, source: Source) {
  return {
    confirm: true,
    usage: isRegistration(order) ? ('off_session' as const) : ('on_session' as const),
    allowed_payment_method_types: ['card'],
    ...methodOf(order, source),
    payment_method_options: { card: cardOptionsOf(order, source) },
    description: order.description.slice(0, 1000),
    ...returnOf(order),
    metadata: metadataOf(order),
    expand: ['latest_attempt'],
  }
}

export const captureOf = ({ transactionId }: FollowUp, amount: number) => ({
  amount_to_capture: amount,
  // Stripe has no object for a capture; the intent remembers which of ours it was.
  metadata: { capture_transaction_id: transactionId },
  expand: ['latest_charge'],
})

export const refundOf = ({ paymentId, transactionId }: FollowUp, { intent, amount, operation }: Repayment) => ({
  payment_intent: intent,
  amount,
  metadata: {
    payment_id: paymentId,
    transaction_id: transactionId,
    // Stripe has only refunds; after a restore this tells what it was for us.
    ...(operation !== 'refund' && { operation }),
  },
})

interface Repayment {
  readonly intent: string
  readonly amount: number
  readonly operation: 'refund' | 'reverse' | 'void'
}

export const cancelOf = () => ({ cancellation_reason: 'requested_by_customer' as const })

const metadataOf = ({ paymentId, transactionId, orderId }: Order) => ({
  payment_id: paymentId,
  transaction_id: transactionId,
  order_id: orderId,
})

/** Merchants' own agreement with the payer about later charges. */
const offSessionKind = ({ storedCredential }: Order): 'recurring' | 'one_off' =>
  storedCredential?.source === 'card_token' || !storedCredential ? 'one_off' : 'recurring'

function methodOf(order: Order, source: Source) {
  if (source.kind === 'registered') return { customer: source.customer, payment_method: source.paymentMethod }
  const customer = source.kind === 'card' ? source.customer : null
  return {
    ...(customer && { customer }),
    payment_method_data: { type: 'card' as const, card: cardOf(source), billing_details: billingOf(order) },
  }
}

type UnregisteredSource = Exclude<Source, { kind: 'registered' }>

function cardOf(source: UnregisteredSource) {
  if (source.kind === 'token') return { token: source.token }
  const { number, expiryMonth, expiryYear, verificationCode } = source.card
  const numbers = {
    number: number.reveal(),
    ...(expiryMonth !== null && { exp_month: expiryMonth }),
    ...(expiryYear !== null && { exp_year: expiryYear }),
  }
  if (source.kind === 'card') return { ...numbers, ...(verificationCode && { cvc: verificationCode.reveal() }) }
  return { network_token: { ...numbers, tokenization_method: tokenizationMethods[source.wallet] } }
}

const tokenizationMethods = { walletapay: 'apple_pay', walletbpay: 'google_pay_dpan' } as const

function cardOptionsOf({ moto, threeDs, recurringInit }: Order, source: Source) {
  const { cryptogram = null, eci = null } = source.kind === 'network-token' ? source.decrypted : {}
  return {
    ...(moto && { moto: true }),
    ...(threeDs && { three_d_secure: threeDsOf(threeDs) }),
    ...(recurringInit && { setup_credential_usage: 'recurring' as const }),
    ...(cryptogram && {
      network_token: {
        cryptogram: cryptogram.reveal(),
        ...(eci && { electronic_commerce_indicator: eci }),
      },
    }),
  }
}

/** A charge of the merchant names the payment in which the payer agreed to it. A registered card is linked to that by Stripe itself. */
function mitOptionsOf(order: Order, source: Source) {
  const { storedCredential, networkTransactionId } = order
  if (!isOffSession(order)) return {}
  if (source.kind === 'registered')
    return {
      stored_credential_usage:
        storedCredential?.source === 'card_token' ? ('unscheduled' as const) : ('recurring' as const),
    }
  return networkTransactionId ? { mit_exemption: { network_transaction_id: networkTransactionId } } : {}
}

const threeDsOf = ({ authenticationValue, dsTransId, eci, transStatus, version, xid }: ExternalThreeDs) => ({
  version,
  cryptogram: authenticationValue.reveal(),
  transaction_id: version.startsWith('1') && xid ? xid : dsTransId,
  ...(eci && { electronic_commerce_indicator: eci }),
  ...(transStatus && { ares_trans_status: transStatus }),
})

function billingOf({ payer, card }: Order) {
  const name = card?.holder || [payer.first_name, payer.last_name].filter(Boolean).join(' ')
  const line1 = [payer.address, payer.house_number].filter(Boolean).join(' ')
  const address = {
    ...(line1 && { line1 }),
    ...(payer.address2 && { line2: payer.address2 }),
    ...(payer.city && { city: payer.city }),
    ...(payer.state && { state: payer.state }),
    ...(payer.zip && { postal_code: payer.zip }),
    ...(payer.country && { country: payer.country }),
  }
  return {
    ...(name && { name }),
    ...(payer.email && { email: payer.email }),
    ...(payer.phone && { phone: payer.phone }),
    ...(Object.keys(address).length > 0 && { address }),
  }
}

/** At most 22 characters, without < > \ ' " *, with at least one letter; otherwise Stripe refuses the payment. */
function descriptorSuffix(descriptor: string): string | null {
  const suffix = descriptor
    .replace(/[<>\\'"*]/g, '')
    .replace(/[^ -~]/g, '')
    .trim()
    .slice(0, 22)
    .trim()
  return /[A-Za-z]/.test(suffix) ? suffix : null
}
