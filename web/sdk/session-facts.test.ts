import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSession } from '../checkout/read-answers.ts'
import { billingAddressIn, cardTokensIn, customerIn, expiryIn, orderIn, stateIn } from './session-facts.ts'

const session = readSession({
  state: 'ready',
  order: { number: 'order-1', amount: '49.90', currency: 'EUR', description: 'Shoes' },
  expires_at: '2026-11-15T10:00:00.000Z',
  customer: { name: 'Jane Roe' },
  billing_address: { country: 'DE', zip: '10115' },
  declines: { count: 0, max: 3 },
  card_tokens: [{ token: 't', last: '1111', month: 1, year: 2038, brand: 'visa', asks: ['cvv'] }],
})

test('unknown values are empty texts', () => {
  assert.deepEqual(billingAddressIn(session), {
    address: '',
    city: '',
    country: 'DE',
    phone: '',
    state: '',
    zip: '10115',
  })
  assert.deepEqual(customerIn(session), { name: 'Jane Roe', email: '', birth_date: '' })
})

test('the order has its amount as it was sent', () => {
  assert.deepEqual(orderIn(session), { number: 'order-1', amount: '49.90', currency: 'EUR', description: 'Shoes' })
})

test('the month of a saved card has two digits and its year four, as text', () => {
  assert.deepEqual(cardTokensIn(session), [
    { token: 't', last: '1111', month: '01', year: '2038', brand: 'visa', cardholder_name: '' },
  ])
})

test('the expiry is in unix seconds', () => {
  assert.equal(expiryIn(session), 1_794_736_800)
})

test('the state is empty before a payment, and decline after a decline', () => {
  const declines = { count: 0, max: 3 }
  assert.equal(stateIn({ state: 'ready', declines }), '')
  assert.equal(stateIn({ state: 'ready', declines: { count: 1, max: 3 } }), 'decline')
  assert.equal(stateIn({ state: 'limit', declines }), 'decline')
  assert.equal(stateIn({ state: 'complete', declines }), 'complete')
  assert.equal(stateIn({ state: 'declined', declines }), 'decline')
  assert.equal(stateIn({ state: 'away', declines }), 'redirect')
  assert.equal(stateIn({ state: 'undefined', declines }), 'waiting')
})
