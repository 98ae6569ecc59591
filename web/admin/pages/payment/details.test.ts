import assert from 'node:assert/strict'
import { test } from 'node:test'
import { needsSecondPerson, type Offers, type Payment, refundableOf } from './details.ts'

const paid = { authorisedMinor: '1000', capturedMinor: '1000', refundedMinor: '0', chargedBackMinor: '0' } as Payment
const limited = { refundLimitMinor: '800' } as Offers

test('a hold can be released in full; a captured payment can be refunded less earlier refunds', () => {
  assert.equal(refundableOf({ ...paid, capturedMinor: '0' }), 1000n)
  assert.equal(refundableOf({ ...paid, refundedMinor: '300' }), 700n)
  assert.equal(refundableOf({ ...paid, refundedMinor: '300', chargedBackMinor: '200' }), 500n)
})

test('a refund above the limit needs a second person, also if several small refunds exceed it together', () => {
  assert.equal(needsSecondPerson(paid, limited, 800n), false)
  assert.equal(needsSecondPerson(paid, limited, 801n), true)
  assert.equal(needsSecondPerson({ ...paid, refundedMinor: '500' }, limited, 301n), true)
  assert.equal(needsSecondPerson(paid, { ...limited, refundLimitMinor: null }, 10_000n), false)
})
