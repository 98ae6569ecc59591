/** Our orders and follow-ups as requests of Adyen's Checkout API. Fields that say nothing are left out. */
import type { FollowUp, Order, PayerReturn, SentTransaction } from '../connector.ts'
import { merchantReference } from '../merchant-reference.ts'
import { adyenAmounts } from './currencies.ts'
import { paymentMethodOf } from './payment-method.ts'
import { shopperOf } from './shopper.ts'
import { readStoredReference } from './stored-card.ts'
import { threeDsOf } from './three-ds.ts'

interface PaymentOptions {
  readonly merchantAccount: string
  readonly capture: 'at-once' | 'later'
}

/** Null if Adyen has no form for the order: another amount than this exact one, or a payment method that it does not take from us. */
export function paymentOf(order: Order, { merchantAccount, capture }: PaymentOptions) {
  const amount = amountOf(order.amountMinor, order.currency)
  const paymentMethod = paymentMethodOf(order)
  if (!amount || !paymentMethod) return null
  return {
    merchantAccount,
    amount,
    reference: merchantReference(order),
    merchantOrderReference: order.orderId,
    paymentMethod,
    returnUrl: order.returnUrl ?? noBrowser,
    ...captureOf(amount.value, capture),
    ...shopperOf(order),
    ...recurrenceOf(order),
    ...threeDsOf(order),
  }
}

/** The field is compulsory, also where no payer could be sent anywhere. */
const noBrowser = 'https://no-browser.invalid/'

const amountOf = (amountMinor: bigint | null, currency: string) => {
  const value = amountMinor === null ? null : adyenAmounts.toAcquirer(amountMinor, currency)
  return value === null ? null : { currency, value }
}

/** The order overrules the setting of the merchant account both ways. Nothing is captured of a card that is only verified. */
function captureOf(value: bigint, capture: PaymentOptions['capture']) {
  if (value === 0n) return {}
  return capture === 'at-once' ? { captureDelayHours: 0 } : { additionalData: { manualCapture: 'true' } }
}

const models = { card_token: 'CardOnFile', recurring: 'UnscheduledCardOnFile', schedule: 'Subscription' } as const

function recurrenceOf(order: Order) {
  const { storedCredential, moto, recurringInit, registerCard, paymentId } = order
  if (moto) return { shopperInteraction: 'Moto' as const }
  const isLater = storedCredential?.sequence === 'subsequent'
  const isFirst = recurringInit || registerCard
  if (!isLater && !isFirst) return { shopperInteraction: 'Ecommerce' as const }
  const source = storedCredential?.source ?? (recurringInit ? 'recurring' : 'card_token')
  return {
    shopperInteraction: isLater ? ('ContAuth' as const) : ('Ecommerce' as const),
    recurringProcessingModel: models[source],
    shopperReference: readStoredReference(storedCredential?.reference ?? null)?.shopperReference ?? paymentId,
    ...(registerCard && { storePaymentMethod: true }),
  }
}

/** A capture or a refund, of all or a part. Null if the amount has no exact form. */
export function captureOrRefundOf(followUp: FollowUp, merchantAccount: string) {
  const amount = amountOf(followUp.amountMinor, followUp.currency)
  return amount && { merchantAccount, amount, reference: merchantReference(followUp) }
}

/** Cancels what is not captured yet and refunds what is, always all of it. */
export const reversalOf = (followUp: FollowUp, merchantAccount: string) => ({
  merchantAccount,
  reference: merchantReference(followUp),
})

/** Cancels a payment of which we never learned Adyen's reference. */
export const technicalCancelOf = (sent: SentTransaction, merchantAccount: string) => ({
  merchantAccount,
  paymentReference: merchantReference(sent),
  reference: merchantReference(sent),
})

/** Null if the browser did not bring what Adyen's page gave it. */
export function detailsOf({ fields, state }: PayerReturn) {
  const { redirectResult, MD, PaRes } = fields
  const { paymentData } = state
  const known = typeof paymentData === 'string' ? { paymentData } : {}
  if (redirectResult) return { details: { redirectResult }, ...known }
  return MD && PaRes ? { details: { MD, PaRes }, ...known } : null
}
