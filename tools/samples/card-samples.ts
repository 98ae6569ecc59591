/** One sample per action of S2S CARD, in an order in which each can follow the one before. */
import type { CardFormulaName } from '../openapi/formula-text.ts'
import type { Sample, SampleFields } from './sample.ts'

type CardSample = Pick<Sample, 'keeps' | 'signed'> & {
  readonly id: string
  readonly title: string
  readonly formula: CardFormulaName
  readonly fields: SampleFields
  readonly answer: Sample['answer']
}

const cardSample = ({ formula, ...sample }: CardSample): Sample => ({
  ...sample,
  path: '/post',
  encoding: 'form',
  keyName: 'client_key',
  formula: { protocol: 'card', name: formula },
})

const order = {
  order_id: '{{new_order}}',
  order_amount: '10.00',
  order_currency: 'EUR',
  order_description: 'Shoes',
}
const card = {
  card_number: '4111111111111111',
  card_exp_month: '01',
  card_exp_year: '2038',
  card_cvv2: '000',
}
const payer = {
  payer_first_name: 'John',
  payer_last_name: 'Doe',
  payer_email: 'doe@example.com',
  payer_phone: '199999999',
  payer_ip: '203.0.113.7',
  term_url_3ds: 'https://shop.example.com/return',
}
const signedByCard = { email: 'doe@example.com', pan10: '4111111111' }

const sale = (over: SampleFields): SampleFields => ({ action: 'SALE', ...order, ...card, ...payer, ...over })

const onSchedule = (id: string, title: string, action: string, fields: SampleFields = {}) =>
  cardSample({
    id,
    title,
    formula: 'schedule',
    fields: { action, schedule_id: '{{schedule_id}}', ...fields },
    answer: { result: 'SUCCESS' },
  })

const onPayment = (id: string, title: string, fields: SampleFields, answer: Sample['answer']) =>
  cardSample({ id, title, formula: 'followUp', signed: signedByCard, fields, answer })

export const cardSamples: readonly Sample[] = [
  cardSample({
    id: 'card-sale',
    title: 'Charge a card',
    formula: 'start',
    signed: signedByCard,
    fields: sale({}),
    keeps: { trans_id: 'trans_id', order_id: 'order_id' },
    answer: { action: 'SALE', result: 'SUCCESS', status: 'SETTLED' },
  }),
  onPayment(
    'card-status',
    'Look up the payment',
    { action: 'GET_TRANS_STATUS', trans_id: '{{trans_id}}' },
    { result: 'SUCCESS', status: 'SETTLED' },
  ),
  onPayment(
    'card-details',
    'Look up its transactions',
    { action: 'GET_TRANS_DETAILS', trans_id: '{{trans_id}}' },
    { result: 'SUCCESS', status: 'SETTLED' },
  ),
  cardSample({
    id: 'card-status-by-order',
    title: 'Look up an order',
    formula: 'byOrder',
    signed: signedByCard,
    fields: { action: 'GET_TRANS_STATUS_BY_ORDER', order_id: '{{order_id}}' },
    answer: { result: 'SUCCESS', status: 'SETTLED' },
  }),
  onPayment(
    'card-refund',
    'Refund a part',
    { action: 'CREDITVOID', trans_id: '{{trans_id}}', amount: '4.00' },
    { result: 'ACCEPTED' },
  ),
  cardSample({
    id: 'card-sale-3ds',
    title: 'Charge a card with 3-D Secure',
    formula: 'start',
    signed: signedByCard,
    fields: sale({ card_exp_month: '05' }),
    keeps: { trans_id_3ds: 'trans_id' },
    answer: { result: 'REDIRECT', status: '3DS' },
  }),
  cardSample({
    id: 'card-sale-declined',
    title: 'Try a declined card',
    formula: 'start',
    signed: signedByCard,
    fields: sale({ card_exp_month: '02' }),
    answer: { result: 'DECLINED', status: 'DECLINED' },
  }),
  cardSample({
    id: 'card-hold',
    title: 'Hold an amount',
    formula: 'start',
    signed: signedByCard,
    fields: sale({ auth: 'Y' }),
    keeps: { trans_id_hold: 'trans_id' },
    answer: { result: 'SUCCESS', status: 'PENDING' },
  }),
  onPayment(
    'card-capture',
    'Capture the hold',
    { action: 'CAPTURE', trans_id: '{{trans_id_hold}}', amount: '10.00' },
    { result: 'SUCCESS', status: 'SETTLED' },
  ),
  onPayment(
    'card-void',
    'Cancel it the same day',
    { action: 'VOID', trans_id: '{{trans_id_hold}}' },
    { result: 'SUCCESS', status: 'VOID' },
  ),
  cardSample({
    id: 'card-save',
    title: 'Charge a card and save it',
    formula: 'start',
    signed: signedByCard,
    fields: sale({ req_token: 'Y' }),
    keeps: { card_token: 'card_token' },
    answer: { result: 'SUCCESS', status: 'SETTLED' },
  }),
  cardSample({
    id: 'card-saved',
    title: 'Charge the saved card',
    formula: 'startWithToken',
    signed: { email: 'doe@example.com' },
    fields: { action: 'SALE', ...order, card_token: '{{card_token}}', ...payer },
    answer: { result: 'SUCCESS', status: 'SETTLED' },
  }),
  cardSample({
    id: 'card-schedule',
    title: 'Create a schedule',
    formula: 'createSchedule',
    fields: {
      action: 'CREATE_SCHEDULE',
      name: 'Monthly plan',
      interval_length: '1',
      interval_unit: 'month',
      payments_count: '12',
    },
    keeps: { schedule_id: 'schedule_id' },
    answer: { action: 'CREATE_SCHEDULE', result: 'SUCCESS' },
  }),
  cardSample({
    id: 'card-subscribe',
    title: 'Start a subscription',
    formula: 'start',
    signed: signedByCard,
    fields: sale({ recurring_init: 'Y', schedule_id: '{{schedule_id}}' }),
    keeps: { recurring_init_trans_id: 'trans_id', recurring_token: 'recurring_token' },
    answer: { result: 'SUCCESS', status: 'SETTLED' },
  }),
  cardSample({
    id: 'card-recurring',
    title: 'Charge the chain on demand',
    formula: 'start',
    signed: signedByCard,
    fields: {
      action: 'RECURRING_SALE',
      order_id: '{{new_order}}',
      order_amount: '9.00',
      order_description: 'Extra month',
      recurring_init_trans_id: '{{recurring_init_trans_id}}',
      recurring_token: '{{recurring_token}}',
    },
    answer: { result: 'SUCCESS', status: 'SETTLED' },
  }),
  cardSample({
    id: 'card-chain-soft',
    title: 'Start a chain whose charges are declined softly',
    formula: 'start',
    signed: signedByCard,
    fields: sale({ recurring_init: 'Y', card_exp_year: '2039' }),
    keeps: { soft_init_trans_id: 'trans_id', soft_token: 'recurring_token' },
    answer: { result: 'SUCCESS', status: 'SETTLED' },
  }),
  cardSample({
    id: 'card-recurring-declined',
    title: 'Charge it',
    formula: 'start',
    signed: signedByCard,
    fields: {
      action: 'RECURRING_SALE',
      order_id: '{{new_order}}',
      order_amount: '9.00',
      order_description: 'Extra month',
      recurring_init_trans_id: '{{soft_init_trans_id}}',
      recurring_token: '{{soft_token}}',
    },
    keeps: { trans_id_declined: 'trans_id' },
    answer: { result: 'DECLINED', status: 'DECLINED' },
  }),
  onPayment(
    'card-retry',
    'Retry the declined charge',
    { action: 'RETRY', trans_id: '{{trans_id_declined}}' },
    { result: 'ACCEPTED' },
  ),
  onSchedule('card-schedule-info', 'Look up the schedule', 'SCHEDULE_INFO'),
  onSchedule('card-schedule-update', 'Change the schedule', 'UPDATE_SCHEDULE', { payments_count: '24' }),
  onSchedule('card-schedule-pause', 'Pause the schedule', 'PAUSE_SCHEDULE'),
  onSchedule('card-schedule-run', 'Resume the schedule', 'RUN_SCHEDULE'),
  onSchedule('card-deschedule', 'Stop the subscription', 'DESCHEDULE', { recurring_token: '{{recurring_token}}' }),
  onSchedule('card-schedule-delete', 'Delete the schedule', 'DELETE_SCHEDULE'),
  cardSample({
    id: 'card-debit',
    title: 'Debit a card',
    formula: 'start',
    signed: signedByCard,
    fields: { action: 'DEBIT', ...order, ...card, ...payer, recurring_init: 'Y' },
    keeps: { debit_init_trans_id: 'trans_id', debit_token: 'recurring_token' },
    answer: { result: 'SUCCESS', status: 'SETTLED' },
  }),
  cardSample({
    id: 'card-recurring-debit',
    title: 'Debit the chain again',
    formula: 'start',
    signed: signedByCard,
    fields: {
      action: 'RECURRING_DEBIT',
      order_id: '{{new_order}}',
      order_amount: '9.00',
      order_description: 'Extra month',
      recurring_init_trans_id: '{{debit_init_trans_id}}',
      recurring_token: '{{debit_token}}',
    },
    answer: { result: 'SUCCESS', status: 'SETTLED' },
  }),
  cardSample({
    id: 'card-payout',
    title: 'Pay out to a card',
    formula: 'credit',
    signed: { pan10: '4111111111' },
    fields: { action: 'CREDIT2CARD', ...order, card_number: '4111111111111111' },
    answer: { result: 'SUCCESS', status: 'SETTLED' },
  }),
  cardSample({
    id: 'card-transfer',
    title: 'Transfer from card to card',
    formula: 'start',
    signed: { email: 'doe@example.com', pan10: '4111111111' },
    fields: { action: 'CARD2CARD', ...order, ...payer, ...transferCards() },
    answer: { result: 'SUCCESS', status: 'SETTLED' },
  }),
]

function transferCards(): SampleFields {
  return {
    payer_card_number: '4111111111111111',
    payer_card_exp_month: '01',
    payer_card_exp_year: '2038',
    payer_card_cvv2: '000',
    payee_card_number: '5555555555554444',
  }
}
