/** Callbacks of Checkout: types and statuses of chapter 30 §5.2, parameters of §5.5 in the order of §12, signed over the order. */
import { formatExpiry } from '#domain/card.ts'
import type { ProtocolMapping } from '#domain/mapping.ts'
import type { PayerFacts, PaymentFacts } from '#domain/payment/facts.ts'
import { selectCallbackFields } from '#domain/report-fields.ts'
import { checkoutFormulas, type SigningKey, signCheckout } from '#domain/signature/signature.ts'
import { fullName } from '../../payments/sessions/people.ts'
import type { TextTree } from '../kit/bodies/form.ts'
import { amountOf, dateOf, exchangeFields, reportedTransaction, textTreeOf } from '../kit/reported-values.ts'
import { type CallbackType, isPayerStep, statusOf, typeOf } from './callback-type.ts'
import { orderAmount, orderStatus, reasonOf } from './words.ts'

/** The parameters of the callback for `facts.transaction`; fields without a value are left out. */
export function checkoutCallbackFields(facts: PaymentFacts, mapping: ProtocolMapping, key: SigningKey): TextTree {
  const type = typeOf(facts)
  const status = statusOf(facts, type)
  const order = {
    id: facts.id,
    order_number: facts.order.id,
    order_amount: orderAmount(facts),
    order_currency: facts.order.currency,
    order_description: facts.order.description,
  }
  return textTreeOf({
    ...order,
    order_status: orderStatus(facts),
    type,
    status,
    reason: status === 'fail' ? reasonOf(facts) : undefined,
    ...cardOf(facts, status === 'success' && !isPayerStep(facts)),
    ...customerOf(facts.payer),
    ...(facts.kind === 'credit' || facts.kind === 'transfer' ? payeeOf(facts) : {}),
    ...(isPayerStep(facts) ? {} : chainOf(facts, type, status)),
    moto_type: facts.motoType,
    digital_wallet: facts.digitalWallet,
    pan_type: facts.panType,
    custom_data: facts.customData,
    vat_amount: facts.vatMinor === null ? undefined : amountOf(facts, facts.vatMinor),
    crypto_network: facts.crypto?.network,
    crypto_address: facts.crypto?.address,
    ...(isPayerStep(facts) || type === 'init' || status !== 'success' ? {} : exchangeFields(facts)),
    ...Object.fromEntries(addedTo(facts, mapping, type)),
    date: dateOf(facts, reportedTransaction(facts).at),
    customer_ip: facts.ip,
    hash: signCheckout(checkoutFormulas.callback, order, key, mapping.hashUpperCasing),
  })
}

/** The card is always sent. A debit's token is sent at once, even before it can be used. */
function cardOf({ card, kind, reqToken, paidWithToken, cardToken }: PaymentFacts, isPaid: boolean) {
  const expiry = card?.expiryMonth && card.expiryYear ? { month: card.expiryMonth, year: card.expiryYear } : null
  const hasToken = kind === 'debit' ? reqToken || paidWithToken : reqToken && isPaid
  return {
    card: card?.mask,
    card_expiration_date: expiry ? formatExpiry(expiry) : undefined,
    card_token: hasToken ? cardToken : undefined,
  }
}

const customerOf = (payer: PayerFacts) => ({
  customer_name: fullName(payer),
  customer_email: payer.email,
  customer_phone: payer.phone,
  customer_country: payer.country,
  customer_state: payer.state,
  customer_city: payer.city,
  customer_address: payer.address,
})

const payeeOf = ({ payee, payeeCardMask }: PaymentFacts) => ({
  payee_name: fullName(payee),
  payee_email: payee.email,
  payee_country: payee.country,
  payee_state: payee.state,
  payee_city: payee.city,
  payee_address: payee.address,
  payee_card: payeeCardMask,
})

const withoutPair: readonly CallbackType[] = ['capture', 'void', 'chargeback']

/** Chain, schedule and consent. The first payment of a chain carries them once it has succeeded; later payments always do. */
function chainOf(facts: PaymentFacts, type: CallbackType, status: string): Readonly<Record<string, unknown>> {
  const { recurring, schedule, consent } = facts
  const isStarted = recurring !== null && (!recurring.init || status === 'success' || type === 'refund')
  const hasPair = isStarted && !withoutPair.includes(type)
  const hasConsent = consent !== null && consent.state !== 'ignored'
  return {
    recurring_init_trans_id: hasPair ? recurring.initTransId : undefined,
    recurring_token: hasPair ? recurring.token : undefined,
    schedule_id: schedule?.id,
    schedule_start_date: schedule?.startDate,
    payment_schedule_amount: schedule?.amount,
    first_recurring_date: facts.status === 'DECLINED' ? undefined : schedule?.firstDate,
    consent_state: hasConsent ? consent.state : undefined,
    consent_id: hasConsent ? consent.id : undefined,
  }
}

/** The card is excluded, because it is always sent; an issued address counts as a payer step too. */
function addedTo(facts: PaymentFacts, mapping: ProtocolMapping, type: CallbackType) {
  const step = isPayerStep(facts) || type === 'init'
  return selectCallbackFields(mapping, facts, {
    protocol: 'CHECKOUT',
    type: step ? 'REDIRECT' : reportedTransaction(facts).type,
  })
}
