/** What an authentication came to decides whether the attempt after it may be followed. Chapter 10 §6.2, chapter 50 §4. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Outcome } from '../../connectors/connector.ts'
import { mayBeFollowed } from './cascade.ts'

type Payment = Parameters<typeof mayBeFollowed>[0]

const softDecline: Outcome = { result: 'declined', reason: 'Declined', declineClass: 'soft', facts: {} }

const paymentWith = (transStatus: string | null, authenticationFlow: string | null): Payment => {
  const threeDs = transStatus === null ? {} : { threeDs: { transStatus, authenticationFlow } }
  // Nothing else of the payment is looked at.
  return { facts: { cascade: { maximum: 3, left: [{}] }, ...threeDs } } as unknown as Payment
}

for (const [transStatus, follows] of [
  [null, true],
  ['U', true],
  ['I', true],
  ['Y', false],
  ['A', false],
] as const) {
  test(`after an authentication that ended in ${transStatus} a soft decline is ${follows ? '' : 'not '}followed`, () => {
    assert.equal(mayBeFollowed(paymentWith(transStatus, 'Challenge'), softDecline), follows)
  })
}

test('what a merchant brought along of an authentication counts as a proof, whatever it says', () => {
  for (const transStatus of ['Y', 'U']) assert.equal(mayBeFollowed(paymentWith(transStatus, null), softDecline), false)
})
