/**
 * One sample per endpoint of Checkout. A payer makes these payments in a browser, so that no sample can keep `payment_id`,
 * `payment_id_hold`, `payment_id_declined` and the pair of a chain: the reader enters them.
 */
import type { CheckoutFormulaName } from '../openapi/formula-text.ts'
import type { Sample } from './sample.ts'

type CheckoutSample = Pick<Sample, 'id' | 'title' | 'path' | 'fields' | 'keeps' | 'answer'> & {
  readonly formula: CheckoutFormulaName
}

const checkoutSample = ({ formula, ...sample }: CheckoutSample): Sample => ({
  ...sample,
  encoding: 'json',
  keyName: 'merchant_key',
  formula: { protocol: 'checkout', name: formula },
})

const order = { number: '{{new_order}}', amount: '10.00', currency: 'EUR', description: 'Shoes' }

export const checkoutSamples: readonly Sample[] = [
  checkoutSample({
    id: 'checkout-session',
    title: 'Create a session of the hosted page',
    path: '/api/v1/session',
    formula: 'session',
    fields: {
      operation: 'purchase',
      order,
      success_url: 'https://shop.example.com/paid',
      cancel_url: 'https://shop.example.com/cart',
    },
    keeps: { redirect_url: 'redirect_url' },
    answer: {},
  }),
  checkoutSample({
    id: 'checkout-session-subscription',
    title: 'Create a session that starts a subscription',
    path: '/api/v1/session',
    formula: 'session',
    fields: {
      operation: 'purchase',
      order,
      success_url: 'https://shop.example.com/paid',
      recurring_init: true,
      req_token: true,
    },
    answer: {},
  }),
  checkoutSample({
    id: 'checkout-session-wallet',
    title: 'Create a session that offers both wallets',
    path: '/api/v1/session',
    formula: 'session',
    fields: {
      operation: 'purchase',
      methods: ['walletapay', 'walletbpay', 'card'],
      order,
      success_url: 'https://shop.example.com/paid',
    },
    answer: {},
  }),
  checkoutSample({
    id: 'checkout-session-token',
    title: 'Create a session of hosted fields',
    path: '/api/v1/session/token',
    formula: 'session',
    fields: {
      operation: 'purchase',
      order,
      return_url: 'https://shop.example.com/return',
      customer: { name: 'John Doe', email: 'doe@example.com' },
    },
    keeps: { token: 'token', client_token: 'client_token' },
    answer: {},
  }),
  {
    id: 'checkout-session-update',
    title: 'Change the amount of the session',
    method: 'PUT',
    path: '/api/v1/session/update',
    encoding: 'json',
    keyName: null,
    formula: null,
    headers: { token: '{{token}}' },
    fields: { order_amount: '12.00' },
    answer: { result: 'success' },
  },
  {
    id: 'checkout-processing',
    title: 'Pay with the collected card data',
    path: '/api/v1/processing/purchase/card',
    encoding: 'json',
    keyName: null,
    formula: null,
    headers: { token: '{{token}}' },
    fields: { with_hosted_fields: true, name: 'John Doe', order_amount: '12.00', order_currency: 'EUR' },
    keeps: { payment_id: 'public_id' },
    answer: { result: 'success' },
  },
  checkoutSample({
    id: 'checkout-status',
    title: 'Look up a payment',
    path: '/api/v1/payment/status',
    formula: 'payment',
    fields: { payment_id: '{{payment_id}}' },
    answer: { status: 'settled' },
  }),
  checkoutSample({
    id: 'checkout-refund',
    title: 'Refund a part',
    path: '/api/v1/payment/refund',
    formula: 'paymentAmount',
    fields: { payment_id: '{{payment_id}}', amount: '4.00' },
    answer: { result: 'accepted' },
  }),
  checkoutSample({
    id: 'checkout-capture',
    title: 'Capture a hold',
    path: '/api/v1/payment/capture',
    formula: 'paymentAmount',
    fields: { payment_id: '{{payment_id_hold}}', amount: '10.00' },
    answer: { status: 'settled', trans_status: 'SUCCESS' },
  }),
  checkoutSample({
    id: 'checkout-void',
    title: 'Cancel a payment the same day',
    path: '/api/v1/payment/void',
    formula: 'payment',
    fields: { payment_id: '{{payment_id_hold}}' },
    answer: { status: 'SUCCESS', payment_status: 'void' },
  }),
  checkoutSample({
    id: 'checkout-recurring',
    title: 'Charge a chain',
    path: '/api/v1/payment/recurring',
    formula: 'recurring',
    fields: {
      recurring_init_trans_id: '{{checkout_init_trans_id}}',
      recurring_token: '{{checkout_recurring_token}}',
      order: { number: '{{new_order}}', amount: '9.00', description: 'Extra month' },
    },
    answer: { status: 'settled' },
  }),
  checkoutSample({
    id: 'checkout-retry',
    title: 'Retry a declined charge',
    path: '/api/v1/payment/retry',
    formula: 'payment',
    fields: { payment_id: '{{payment_id_declined}}' },
    answer: { result: 'accepted' },
  }),
  checkoutSample({
    id: 'checkout-payout',
    title: 'Pay out to a card',
    path: '/api/v1/payment/card/credit',
    formula: 'cardCredit',
    fields: {
      order_id: '{{new_order}}',
      order_amount: '10.00',
      order_currency: 'EUR',
      order_description: 'Prize',
      card_number: '4111111111111111',
    },
    answer: { result: 'accepted' },
  }),
]
