import assert from 'node:assert/strict'
import { test } from 'node:test'
import { outcomeOf } from './outcome.ts'

const euros = { currency: 'EUR', amountDecimals: 2 }
const done = { status: 'SETTLED', type: 'CAPTURE', state: 'success', amountMinor: '1000', declineReason: null }

test('what was done is told with its amount and what the payment is now', () => {
  const { text, tone } = outcomeOf(done, euros)
  assert.equal(tone, 'good')
  assert.match(text, /^CAPTURE of 10\D00 EUR succeeded\. The payment is SETTLED\.$/)
})

test('a decline is told with its reason, and as something that went wrong', () => {
  const told = outcomeOf({ ...done, state: 'fail', declineReason: 'Do not honour' }, euros)
  assert.deepEqual(told, { text: 'CAPTURE was declined: Do not honour.', tone: 'bad' })
})

test('an outcome that is not known yet is never told as done', () => {
  assert.match(outcomeOf({ ...done, state: 'undefined' }, euros).text, /not known yet/)
})
