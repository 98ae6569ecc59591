/** One sample per action of S2S APM, in an order in which each can follow the one before. */
import type { ApmFormulaName } from '../openapi/formula-text.ts'
import type { Sample, SampleFields } from './sample.ts'

type ApmSample = Pick<Sample, 'id' | 'title' | 'fields' | 'keeps' | 'answer'> & { readonly formula: ApmFormulaName }

const apmSample = ({ formula, ...sample }: ApmSample): Sample => ({
  ...sample,
  path: '/post-va',
  encoding: 'form',
  keyName: 'client_key',
  formula: { protocol: 'apm', name: formula },
})

const order = {
  order_id: '{{new_order}}',
  order_amount: '10.00',
  order_currency: 'EUR',
  order_description: 'Shoes',
}
const payer = {
  brand: 'vcard',
  identifier: 'success@example.com',
  payer_ip: '203.0.113.7',
  return_url: 'https://shop.example.com/return',
}
const debit: SampleFields = {
  brand: 'account-debit',
  identifier: 'success@example.com',
  payer_ip: '203.0.113.7',
  payer_return_url: 'https://shop.example.com/return',
  parameters: { account_number: 'DE89370400440532013000' },
}
const bankAccount: SampleFields = {
  account_holder: 'Jane Doe',
  account_number: 'DE89370400440532013000',
  payee_country: 'DE',
}

export const apmSamples: readonly Sample[] = [
  apmSample({
    id: 'apm-sale',
    title: 'Pay with an alternative payment method',
    formula: 'start',
    fields: { action: 'SALE', ...order, ...payer },
    keeps: { apm_trans_id: 'trans_id', apm_order_id: 'order_id' },
    answer: { action: 'SALE', result: 'SUCCESS', status: 'SETTLED' },
  }),
  apmSample({
    id: 'apm-sale-redirect',
    title: 'Send the payer to the payment method',
    formula: 'start',
    fields: { action: 'SALE', ...order, ...payer, identifier: 'redirect@example.com' },
    answer: { result: 'REDIRECT', status: 'REDIRECT' },
  }),
  apmSample({
    id: 'apm-status',
    title: 'Look up the payment',
    formula: 'followUp',
    fields: { action: 'GET_TRANS_STATUS', trans_id: '{{apm_trans_id}}' },
    answer: { result: 'SUCCESS', status: 'SETTLED' },
  }),
  apmSample({
    id: 'apm-status-by-order',
    title: 'Look up an order',
    formula: 'byOrder',
    fields: { action: 'GET_TRANS_STATUS_BY_ORDER', order_id: '{{apm_order_id}}' },
    answer: { result: 'SUCCESS', status: 'SETTLED' },
  }),
  apmSample({
    id: 'apm-refund',
    title: 'Refund a part',
    formula: 'creditVoid',
    fields: { action: 'CREDITVOID', trans_id: '{{apm_trans_id}}', amount: '4.00' },
    answer: { result: 'ACCEPTED' },
  }),
  apmSample({
    id: 'apm-hold',
    title: 'Hold an amount',
    formula: 'start',
    fields: { action: 'SALE', ...order, ...payer, auth: 'Y' },
    keeps: { apm_hold_trans_id: 'trans_id' },
    answer: { result: 'SUCCESS', status: 'PENDING' },
  }),
  apmSample({
    id: 'apm-capture',
    title: 'Capture the hold',
    formula: 'followUp',
    fields: { action: 'CAPTURE', trans_id: '{{apm_hold_trans_id}}' },
    answer: { result: 'SUCCESS', status: 'SETTLED' },
  }),
  apmSample({
    id: 'apm-void',
    title: 'Cancel it the same day',
    formula: 'followUp',
    fields: { action: 'VOID', trans_id: '{{apm_hold_trans_id}}' },
    answer: { result: 'SUCCESS', status: 'VOID' },
  }),
  apmSample({
    id: 'apm-payout',
    title: 'Pay out to a bank account',
    formula: 'payout',
    fields: { action: 'CREDIT2VIRTUAL', ...order, brand: 'bank-payout', parameters: bankAccount },
    answer: { result: 'SUCCESS', status: 'SETTLED' },
  }),
  apmSample({
    id: 'apm-crypto-payout',
    title: 'Pay out in a crypto currency',
    formula: 'payout',
    fields: {
      action: 'CREDIT2CRYPTO',
      ...order,
      order_amount: '0.00150000',
      order_currency: 'BTC',
      brand: 'crypto-pay',
      parameters: { address: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq' },
    },
    answer: { result: 'INIT', status: 'PENDING' },
  }),
  apmSample({
    id: 'apm-debit-quote',
    title: 'Ask for the price of a debit',
    formula: 'start',
    fields: { action: 'DEBIT2VIRTUAL_CALC', ...order, ...debit },
    keeps: { apm_quote_trans_id: 'trans_id' },
    answer: { result: 'SUCCESS' },
  }),
  apmSample({
    id: 'apm-debit-complete',
    title: 'Complete the debit at that price',
    formula: 'followUp',
    fields: { action: 'DEBIT2VIRTUAL_COMPLETE', trans_id: '{{apm_quote_trans_id}}' },
    answer: { result: 'SUCCESS', status: 'SETTLED' },
  }),
  apmSample({
    id: 'apm-debit',
    title: 'Debit an account',
    formula: 'start',
    fields: { action: 'DEBIT2VIRTUAL', ...order, ...debit },
    answer: { result: 'SUCCESS', status: 'SETTLED' },
  }),
]
