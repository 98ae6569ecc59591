/** How the payer pays, in PayPal's words: a card, a card in its vault, or the payer's PayPal account. */
import type { CardData, Order } from '../connector.ts'
import type { PaypalCredentials } from './credentials.ts'

/** Null if PayPal cannot take this method. */
export function paymentSource(order: Order, { three_ds }: PaypalCredentials) {
  // Every brand that names this connector and sends the payer to a page is the payer's PayPal account.
  if (order.brand) return order.brand.kind === 'redirect' ? { paypal: payerAccount(order) } : null
  if (!order.card || order.wallet || order.threeDs || order.moto) return null
  return { card: cardOf(order.card, order, three_ds ?? 'SCA_WHEN_REQUIRED') }
}

/** A query parameter tells a payer who cancelled from one who approved; what happened PayPal is asked. */
const cancelParameter = 'paypal_cancelled'

/** PayPal sends the payer back to one of these. */
function returnAddresses({ returnUrl }: Order) {
  if (returnUrl === null) return {}
  const cancelled = new URL(returnUrl)
  cancelled.searchParams.set(cancelParameter, '1')
  return { return_url: returnUrl, cancel_url: cancelled.href }
}

function payerAccount(order: Order) {
  const { first_name: given_name, last_name: surname, email } = order.payer
  const address = addressOf(order)
  return {
    ...(email && { email_address: email }),
    ...((given_name || surname) && { name: { ...(given_name && { given_name }), ...(surname && { surname }) } }),
    ...(address && { address }),
    experience_context: {
      // Money that comes days later would leave the order open beyond the payer's time.
      payment_method_preference: 'IMMEDIATE_PAYMENT_REQUIRED',
      shipping_preference: 'NO_SHIPPING',
      user_action: 'PAY_NOW',
      ...returnAddresses(order),
    },
  } as const
}

function cardOf(card: CardData, order: Order, threeDs: 'SCA_WHEN_REQUIRED' | 'SCA_ALWAYS') {
  const attributes = {
    ...(order.registerCard && { vault: { store_in_vault: 'ON_SUCCESS' } as const }),
    // Without a browser the payer cannot be authenticated.
    ...(isPayerHere(order) && { verification: { method: threeDs } }),
  }
  const storedCredential = storedCredentialOf(order)
  const address = addressOf(order)
  return {
    ...(card.holder && { name: card.holder }),
    ...numberOf(card, order),
    // PayPal refuses the code in a charge that the merchant begins.
    ...(card.verificationCode && !isMerchantInitiated(order) && { security_code: card.verificationCode.reveal() }),
    ...(address && { billing_address: address }),
    ...(Object.keys(attributes).length > 0 && { attributes }),
    ...(storedCredential && { stored_credential: storedCredential }),
    ...(isPayerHere(order) && { experience_context: returnAddresses(order) }),
  }
}

const isMerchantInitiated = ({ storedCredential }: Order): boolean => storedCredential?.initiator === 'merchant'

const isPayerHere = (order: Order): boolean =>
  order.payerPresent && order.returnUrl !== null && !isMerchantInitiated(order)

/** A card in the vault is named by the vault's reference alone. */
function numberOf({ number, expiryMonth, expiryYear }: CardData, { storedCredential }: Order) {
  if (storedCredential?.reference) return { vault_id: storedCredential.reference }
  const expiry = expiryMonth === null || expiryYear === null ? null : monthOf(expiryYear, expiryMonth)
  return { number: number.reveal(), ...(expiry && { expiry }) }
}

const monthOf = (year: number, month: number): string => `${year}-${String(month).padStart(2, '0')}`

/** PayPal counts a plan with fixed dates as RECURRING, and charges of the merchant's own choice of time as UNSCHEDULED. */
function storedCredentialOf(order: Order) {
  const { storedCredential, recurringInit, networkTransactionId } = order
  if (!storedCredential) {
    return recurringInit
      ? ({ payment_initiator: 'CUSTOMER', payment_type: 'UNSCHEDULED', usage: 'FIRST' } as const)
      : null
  }
  const { initiator, sequence, source, reference } = storedCredential
  const isOneTime = source === 'card_token' && initiator === 'cardholder'
  const isLater = sequence === 'subsequent'
  return {
    payment_initiator: initiator === 'merchant' ? 'MERCHANT' : 'CUSTOMER',
    payment_type: isOneTime ? 'ONE_TIME' : source === 'schedule' ? 'RECURRING' : 'UNSCHEDULED',
    usage: isLater ? 'SUBSEQUENT' : 'FIRST',
    ...(isLater &&
      !reference &&
      networkTransactionId &&
      isNetworkId(networkTransactionId) && { previous_network_transaction_reference: { id: networkTransactionId } }),
  } as const
}

/** PayPal refuses the whole order otherwise. */
const isNetworkId = (id: string): boolean => /^[a-zA-Z0-9\-_@.:&+=*^'~#!$%()]{9,36}$/.test(id)

/** PayPal takes no address without a country. */
function addressOf({ payer }: Order) {
  const { country = '', address, address2, city, state, zip } = payer
  if (!/^[A-Z]{2}$/.test(country)) return null
  return {
    ...(address && { address_line_1: address.slice(0, 300) }),
    ...(address2 && { address_line_2: address2.slice(0, 300) }),
    ...(city && { admin_area_2: city.slice(0, 120) }),
    ...(state && { admin_area_1: state.slice(0, 300) }),
    ...(zip && { postal_code: zip.slice(0, 60) }),
    country_code: country,
  }
}
