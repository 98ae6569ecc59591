/** The body of a payment. Chapter 30 §7.10. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askedFields, startingValues } from '../fields/asked-fields.ts'
import { readSession } from '../read-answers.ts'
import { type CommonMembers, paymentBody, shownAmount, walletPaymentBody } from './payment-body.ts'

const frame: CommonMembers = {
  attempt_id: 'a',
  shown: { amount: '10.00', currency: 'EUR' },
  browser_info: readInfo(),
  terms: false,
  consent: false,
  language: 'en',
}

function readInfo(): CommonMembers['browser_info'] {
  const names = [
    'user_agent',
    'language',
    'color_depth',
    'screen_height',
    'screen_width',
    'timezone_offset',
    'java_enabled',
    'javascript_enabled',
    'platform',
  ]
  return Object.fromEntries(names.map((name) => [name, ''])) as unknown as CommonMembers['browser_info']
}

const field = (name: string): object => ({ name, type: 'text', required: true })
const session = readSession({
  methods: [
    {
      code: 'card',
      kind: 'card',
      fields: [
        'card.number',
        'card.expiry',
        'card.cvv',
        'customer.name',
        'billing_address.country',
        'billing_address.state',
      ].map(field),
    },
    { code: 'voucher', kind: 'brand', fields: ['customer.email', 'fields.document_number', 'fields.chain'].map(field) },
    {
      code: 'card',
      kind: 'card',
      fields: ['card.number', 'card.expiry', 'card.cvv', 'payee_card.number', 'amount', 'payee.name'].map(field),
    },
  ],
  card_tokens: [
    { token: 't', asks: ['cvv'] },
    { token: 'u', asks: ['expiry'] },
  ],
})
const [card, voucher, transfer] = session.methods
const [saved, payout] = session.card_tokens
assert.ok(card && voucher && transfer && saved && payout)

const values = {
  'card.number': '4111 1111 1111 1111',
  'card.expiry': '1/38',
  'card.cvv': ' 123 ',
  'customer.name': 'Jane Roe',
  'billing_address.country': 'DE',
  'billing_address.state': 'BE',
  'payee_card.number': '5555 5555 5555 4444',
  amount: '12.50',
  'payee.name': 'John Doe',
  'fields.document_number': '12345',
  'fields.chain': '',
}

function buildOrder(method: typeof card, savedCard: typeof saved | null = null): object {
  assert.ok(method)
  const fields = askedFields({ method, savedCard, country: 'DE' })
  const {
    attempt_id: _,
    shown: ______,
    browser_info: __,
    terms: ___,
    consent: ____,
    language: _____,
    ...body
  } = paymentBody({ method, savedCard, fields, values }, frame)
  return body
}

test('a card is sent as digits with a full expiry date, and a state only for countries that have states', () => {
  assert.deepEqual(buildOrder(card), {
    method: 'card',
    card: { number: '4111111111111111', expiry: '01/2038', cvv: '123' },
    customer: { name: 'Jane Roe' },
    billing_address: { country: 'DE' },
  })
})

test('a saved card is sent as its token with the required fields, and without data of another card', () => {
  const address = { customer: {}, billing_address: { country: 'DE' } }
  assert.deepEqual(buildOrder(card, saved), { method: 'card', card_token: 't', cvv: '123', ...address })
  assert.deepEqual(buildOrder(card, payout), { method: 'card', card_token: 'u', expiry: '01/2038', ...address })
})

test('a brand gets the fields it asked for, and no card', () => {
  assert.deepEqual(buildOrder(voucher), {
    method: 'voucher',
    fields: { document_number: '12345' },
    customer: {},
    billing_address: {},
  })
})

test('a transfer contains the recipient, the recipient’s card and the amount', () => {
  assert.deepEqual(buildOrder(transfer), {
    method: 'card',
    card: { number: '4111111111111111', expiry: '01/2038', cvv: '123' },
    customer: {},
    billing_address: {},
    payee: { name: 'John Doe' },
    payee_card: { number: '5555555555554444' },
    amount: '12.50',
  })
})

test('a transfer starts with the amount of the order, or empty if the order leaves it open', () => {
  const order = { number: '1', currency: 'EUR', description: '' }
  const begun = (amount: string): object => startingValues({ methods: session.methods, order: { ...order, amount } })
  assert.deepEqual(begun('12.50'), { amount: '12.50' })
  assert.deepEqual(begun('-1'), {})
  assert.deepEqual(startingValues({ methods: [voucher], order: { ...order, amount: '12.50' } }), {})
})

test('a wallet’s token is sent unchanged', () => {
  assert.equal(walletPaymentBody(card, '{"version":"EC_v1"}', frame).wallet_token, '{"version":"EC_v1"}')
})

test('an attempt names what the page showed, and no amount while the payer may choose it', () => {
  const order = { number: '1', amount: '10.00', currency: 'EUR', description: '' }
  assert.deepEqual(shownAmount({ total: '11.90', order }), { amount: '11.90', currency: 'EUR' })
  assert.deepEqual(shownAmount({ total: null, order }), { currency: 'EUR' })
})
