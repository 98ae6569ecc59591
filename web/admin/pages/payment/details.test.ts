import assert from 'node:assert/strict'
import { test } from 'node:test'
import { needsSecondPerson, type Offers, type Payment, refundableOf } from './details.ts'

const settledPayment = {
  authorisedMinor: '1000',
  capturedMinor: '1000',
  refundedMinor: '0',
  chargedBackMinor: '0',
} as Payment
const limitedOffers = { refundLimitMinor: '800' } as Offers

test('a hold can be released in full; a captured payment can be refunded less earlier refunds', () => {
  assert.equal(refundableOf({ ...settledPayment, capturedMinor: '0' }), 1000n)
  assert.equal(refundableOf({ ...settledPayment, refundedMinor: '300' }), 700n)
  assert.equal(refundableOf({ ...settledPayment, refundedMinor: '300', chargedBackMinor: '200' }), 500n)
})

test('a refund above the limit needs a second person, also if several small refunds exceed it together', () => {
  assert.equal(needsSecondPerson(settledPayment, limitedOffers, 800n), false)
  assert.equal(needsSecondPerson(settledPayment, limitedOffers, 801n), true)
  assert.equal(needsSecondPerson({ ...settledPayment, refundedMinor: '500' }, limitedOffers, 301n), true)
  assert.equal(needsSecondPerson(settledPayment, { ...limitedOffers, refundLimitMinor: null }, 10_000n), false)
})
