/** One signed request for every action of every protocol and every formula of requests and returns. */

/** The merchant, payer and payment of all vectors; none of them exists. */
export const sample = {
  password: '13a4822c5907ed235f3a068c76184fc3',
  previousPassword: 'b8d9a1f04c3e7265918d0e5fa2c47b60',
  key: '5b6492f0-f8f5-11ea-976a-0242c0a85007',
  email: 'doe@example.com',
  cardNumber: '4111111111111111',
  pan10: '4111111111',
  transId: 'aaaff66a-904f-11ea-833e-0242ac1f0007',
  orderId: 'ORDER-12345',
  scheduleId: '57fddecf-17b9-4d38-9320-a670f0c29ec0',
  cardToken: 'f5d6a0ab6fcfb6487a39e8256e50fff3c95aaa97a8dd5d2e3d7e2d1d0c5b1a2f',
  recurringToken: '9a4f6f0e-5b1c-4b8a-8f0a-2f6f3d1c7e55',
} as const

export type TextTree = { readonly [name: string]: string | TextTree }

export interface RequestCase {
  readonly title: string
  /** The action of a form, or the path of Checkout; `return` for the query with which the payer's browser comes back. */
  readonly action: string
  readonly formula: string
  /** As sent, without the key and the hash. */
  readonly parameters: TextTree
  /** Values of the payment that the formula covers and the request does not carry. */
  readonly known?: Readonly<Record<string, string>>
  readonly upperCasing?: 'unicode'
}

const { email, cardNumber, pan10, transId, orderId, scheduleId, cardToken, recurringToken } = sample

const order = { order_id: orderId, order_amount: '10.00', order_currency: 'EUR', order_description: 'Shoes' }
const card = { card_number: cardNumber, card_exp_month: '01', card_exp_year: '2038', card_cvv2: '000' }
const payer = {
  payer_first_name: 'John',
  payer_last_name: 'Doe',
  payer_email: email,
  payer_phone: '199999999',
  payer_ip: '203.0.113.7',
}
const returns = { term_url_3ds: 'https://shop.example.com/return' }
const payment = { trans_id: transId }
/** Of the order, as the merchant has stored it. */
const paid = { order_amount: '10.00', order_currency: 'EUR' }
const known = { email, pan10 }
const schedule = { schedule_id: scheduleId }
const chain = { recurring_init_trans_id: transId, recurring_token: recurringToken }
const charge = { order_id: orderId, order_amount: '10.00', order_description: 'Shoes' }
const nonAscii = 'zoë@exämple.com'

// biome-ignore format: a table is read in columns.
export const cardRequests: readonly RequestCase[] = [
  { title: 'SALE with card data', action: 'SALE', formula: 'card.start', parameters: { ...order, ...card, ...payer, ...returns } },
  { title: 'SALE with an e-mail that is not ASCII: bytes are reversed, not characters', action: 'SALE', formula: 'card.start', parameters: { ...order, ...card, ...payer, payer_email: nonAscii, ...returns } },
  { title: 'SALE with a saved card', action: 'SALE', formula: 'card.start-with-token', parameters: { ...order, card_token: cardToken, ...payer, ...returns } },
  { title: 'SALE with a wallet token', action: 'SALE', formula: 'card.wallet', parameters: { ...order, digital_wallet: 'walletapay', payment_token: '{"version":"EC_v1"}', ...payer, ...returns } },
  { title: 'SALE with members of custom_data', action: 'SALE', formula: 'card.start', parameters: { ...order, ...card, ...payer, ...returns, custom_data: { basket: 'A&B=C', lines: { 0: 'one', 1: 'two' } } } },
  { title: 'DEBIT', action: 'DEBIT', formula: 'card.start', parameters: { ...order, ...card, ...payer, ...returns } },
  { title: 'DEBIT without an e-mail: a missing value is left out', action: 'DEBIT', formula: 'card.start', parameters: { ...order, ...card, ...returns } },
  { title: 'DEBIT with a saved card', action: 'DEBIT', formula: 'card.start-with-token', parameters: { ...order, card_token: cardToken, ...payer, ...returns } },
  { title: 'CARD2CARD: the payer’s card signs', action: 'CARD2CARD', formula: 'card.start', parameters: { ...order, payer_card_number: cardNumber, payer_card_exp_month: '01', payer_card_exp_year: '2038', payer_card_cvv2: '000', payee_card_number: '5555555555554444', ...payer, ...returns } },
  { title: 'CREDIT2CARD', action: 'CREDIT2CARD', formula: 'card.credit', parameters: { ...order, card_number: cardNumber } },
  { title: 'CREDIT2CARD with a saved card', action: 'CREDIT2CARD', formula: 'card.credit-with-token', parameters: { ...order, card_token: cardToken } },
  { title: 'CAPTURE of a part', action: 'CAPTURE', formula: 'card.follow-up', parameters: { ...payment, amount: '5.00' }, known },
  { title: 'CAPTURE of a wallet payment in virtual flow, which has no card', action: 'CAPTURE', formula: 'card.follow-up', parameters: payment, known: { email } },
  { title: 'CREDITVOID', action: 'CREDITVOID', formula: 'card.follow-up', parameters: payment, known },
  { title: 'VOID', action: 'VOID', formula: 'card.follow-up', parameters: payment, known },
  { title: 'RETRY', action: 'RETRY', formula: 'card.follow-up', parameters: payment, known },
  { title: 'RETRY by formula 1, which is also accepted', action: 'RETRY', formula: 'card.start', parameters: payment, known },
  { title: 'GET_TRANS_STATUS', action: 'GET_TRANS_STATUS', formula: 'card.follow-up', parameters: payment, known },
  { title: 'GET_TRANS_STATUS of a payout', action: 'GET_TRANS_STATUS', formula: 'card.credit-follow-up', parameters: payment, known: { pan10 } },
  { title: 'GET_TRANS_DETAILS', action: 'GET_TRANS_DETAILS', formula: 'card.follow-up', parameters: payment, known },
  { title: 'GET_TRANS_STATUS_BY_ORDER', action: 'GET_TRANS_STATUS_BY_ORDER', formula: 'card.by-order', parameters: { order_id: orderId }, known },
  { title: 'GET_TRANS_STATUS_BY_ORDER of a payout', action: 'GET_TRANS_STATUS_BY_ORDER', formula: 'card.by-order', parameters: { order_id: orderId }, known: { pan10 } },
  { title: 'RECURRING_SALE, signed with the data of the first payment', action: 'RECURRING_SALE', formula: 'card.start', parameters: { ...charge, ...chain }, known },
  { title: 'RECURRING_DEBIT', action: 'RECURRING_DEBIT', formula: 'card.start', parameters: { ...charge, ...chain }, known },
  { title: 'CREATE_SCHEDULE: only the password signs', action: 'CREATE_SCHEDULE', formula: 'card.create-schedule', parameters: { name: 'Monthly', interval_length: '1', interval_unit: 'month', payments_count: '12' } },
  { title: 'UPDATE_SCHEDULE', action: 'UPDATE_SCHEDULE', formula: 'card.schedule', parameters: { ...schedule, name: 'Monthly', interval_length: '1', interval_unit: 'month', payments_count: '6' } },
  { title: 'PAUSE_SCHEDULE', action: 'PAUSE_SCHEDULE', formula: 'card.schedule', parameters: schedule },
  { title: 'RUN_SCHEDULE', action: 'RUN_SCHEDULE', formula: 'card.schedule', parameters: schedule },
  { title: 'DELETE_SCHEDULE', action: 'DELETE_SCHEDULE', formula: 'card.schedule', parameters: schedule },
  { title: 'SCHEDULE_INFO', action: 'SCHEDULE_INFO', formula: 'card.schedule', parameters: schedule },
  { title: 'DESCHEDULE', action: 'DESCHEDULE', formula: 'card.schedule', parameters: { recurring_token: recurringToken, ...schedule } },
  { title: 'the payer’s return to term_url_3ds', action: 'return', formula: 'return', parameters: { trans_id: transId, order_id: orderId }, known: { ...paid, outcome: 'success' } },
  { title: 'the payer’s return after a declined payment', action: 'return', formula: 'return', parameters: { trans_id: transId, order_id: orderId }, known: { ...paid, outcome: 'failure' } },
]

const apmOrder = { brand: 'vcard', ...order }

// biome-ignore format: a table is read in columns.
export const apmRequests: readonly RequestCase[] = [
  { title: 'SALE', action: 'SALE', formula: 'apm.start', parameters: { ...apmOrder, identifier: 'success@example.com', payer_ip: '203.0.113.7', return_url: 'https://shop.example.com/return' } },
  { title: 'SALE without an identifier', action: 'SALE', formula: 'apm.start', parameters: { ...apmOrder, payer_ip: '203.0.113.7', return_url: 'https://shop.example.com/return' } },
  { title: 'DEBIT2VIRTUAL', action: 'DEBIT2VIRTUAL', formula: 'apm.start', parameters: { ...apmOrder, identifier: 'success@example.com', payer_ip: '203.0.113.7', payer_return_url: 'https://shop.example.com/return' } },
  { title: 'DEBIT2VIRTUAL_CALC', action: 'DEBIT2VIRTUAL_CALC', formula: 'apm.start', parameters: { ...apmOrder, identifier: 'success@example.com', payer_ip: '203.0.113.7', payer_return_url: 'https://shop.example.com/return' } },
  { title: 'DEBIT2VIRTUAL_COMPLETE', action: 'DEBIT2VIRTUAL_COMPLETE', formula: 'apm.follow-up', parameters: payment },
  { title: 'CREDIT2VIRTUAL', action: 'CREDIT2VIRTUAL', formula: 'apm.payout', parameters: apmOrder },
  { title: 'CREDIT2CRYPTO', action: 'CREDIT2CRYPTO', formula: 'apm.payout', parameters: { ...apmOrder, brand: 'crypto' } },
  { title: 'CAPTURE', action: 'CAPTURE', formula: 'apm.follow-up', parameters: payment },
  { title: 'CREDITVOID', action: 'CREDITVOID', formula: 'apm.credit-void', parameters: { ...payment, amount: '4.00' } },
  { title: 'VOID', action: 'VOID', formula: 'apm.follow-up', parameters: payment },
  { title: 'GET_TRANS_STATUS', action: 'GET_TRANS_STATUS', formula: 'apm.follow-up', parameters: payment },
  { title: 'GET_TRANS_STATUS_BY_ORDER', action: 'GET_TRANS_STATUS_BY_ORDER', formula: 'apm.by-order', parameters: { order_id: orderId } },
  { title: 'the payer’s return', action: 'return', formula: 'return', parameters: { trans_id: transId, order_id: orderId }, known: { ...paid, outcome: 'open' } },
  { title: 'the payer’s return, values that are not ASCII and an amount that the payer chooses', action: 'return', formula: 'return', parameters: { trans_id: transId, order_id: 'Größe 42' }, known: { order_currency: 'BTC', outcome: 'open' } },
]

const session = { number: orderId, amount: '10.00', currency: 'EUR', description: 'Shoes' }
const french = { ...session, description: 'Café à la crème' }

// biome-ignore format: a table is read in columns.
export const checkoutRequests: readonly RequestCase[] = [
  { title: 'authentication request', action: '/api/v1/session', formula: 'checkout.session', parameters: { operation: 'purchase', success_url: 'https://shop.example.com/paid', order: session } },
  { title: 'authentication request whose description is not ASCII, upper-cased as ASCII', action: '/api/v1/session', formula: 'checkout.session', parameters: { operation: 'purchase', order: french } },
  { title: 'the same, upper-cased by the rules of Unicode, which is also accepted', action: '/api/v1/session', formula: 'checkout.session', parameters: { operation: 'purchase', order: french }, upperCasing: 'unicode' },
  { title: 'session token of hosted fields', action: '/api/v1/session/token', formula: 'checkout.session', parameters: { operation: 'purchase', return_url: 'https://shop.example.com/return', order: session } },
  { title: 'status by payment', action: '/api/v1/payment/status', formula: 'checkout.payment', parameters: { payment_id: transId } },
  { title: 'status by order', action: '/api/v1/payment/status', formula: 'checkout.order', parameters: { order_id: orderId } },
  { title: 'capture', action: '/api/v1/payment/capture', formula: 'checkout.payment-amount', parameters: { payment_id: transId, amount: '5.00' } },
  { title: 'refund; the amount signs as it is sent', action: '/api/v1/payment/refund', formula: 'checkout.payment-amount', parameters: { payment_id: transId, amount: '0.10' } },
  { title: 'void', action: '/api/v1/payment/void', formula: 'checkout.payment', parameters: { payment_id: transId } },
  { title: 'recurring', action: '/api/v1/payment/recurring', formula: 'checkout.recurring', parameters: { recurring_init_trans_id: transId, recurring_token: recurringToken, order: { number: orderId, amount: '10.00', description: 'Shoes' } } },
  { title: 'retry', action: '/api/v1/payment/retry', formula: 'checkout.payment', parameters: { payment_id: transId } },
  { title: 'card credit', action: '/api/v1/payment/card/credit', formula: 'checkout.card-credit', parameters: { ...order, card_number: cardNumber } },
  { title: 'the payer’s return to success_url', action: 'return', formula: 'return', parameters: { payment_id: transId, trans_id: transId, order_id: orderId }, known: { ...paid, outcome: 'success' } },
]

/** A request that is signed as a whole. */
export interface SignedRequestCase {
  readonly title: string
  readonly id: string
  readonly method: 'POST' | 'GET' | 'PUT'
  readonly target: string
  readonly token?: string
  readonly idempotencyKey?: string
  readonly body: string
}

const signedSale = `action=SALE&client_key=${sample.key}&order_id=${orderId}&order_amount=10.00`

// biome-ignore format: a table is read in columns.
export const signedRequests: readonly SignedRequestCase[] = [
  { title: 'S2S CARD, a form',                             id: 'msg_1', method: 'POST', target: '/post', body: signedSale },
  { title: 'S2S CARD, with an idempotency key',            id: 'msg_2', method: 'POST', target: '/post', idempotencyKey: orderId, body: signedSale },
  { title: 'S2S APM, its own address',                     id: 'msg_3', method: 'POST', target: '/post-va', body: signedSale },
  { title: 'a look-up by GET: the query, and no body',     id: 'msg_4', method: 'GET',  target: `/post?action=SCHEDULE_INFO&client_key=${sample.key}&schedule_id=${scheduleId}`, body: '' },
  { title: 'Checkout, letters beyond ASCII',               id: 'msg_5', method: 'POST', target: '/api/v1/session', body: '{"order":{"number":"Bestellung-7","description":"Schuhe für Zoë"}}' },
  { title: 'Checkout, the same body at another address',   id: 'msg_5', method: 'POST', target: '/api/v1/session/token', body: '{"order":{"number":"Bestellung-7","description":"Schuhe für Zoë"}}' },
  { title: 'hosted fields, with a token',                  id: 'msg_6', method: 'PUT',  target: '/api/v1/session/update', token: 'ZXlKMGVYQWlPaUpLVjFRaQ', body: '{"order_amount":"12.50"}' },
  { title: 'hosted fields, with a token and an idempotency key', id: 'msg_7', method: 'POST', target: '/api/v1/processing/purchase/card', token: 'ZXlKMGVYQWlPaUpLVjFRaQ', idempotencyKey: 'payment-7', body: '{"with_hosted_fields":true}' },
]
