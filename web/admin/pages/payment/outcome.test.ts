import assert from 'node:assert/strict'
import { test } from 'node:test'
import { outcomeOf } from './outcome.ts'

const euros = { currency: 'EUR', amountDecimals: 2 }
const capture = { status: 'SETTLED', type: 'CAPTURE', state: 'success', amountMinor: '1000', declineReason: null }

test('a success shows the amount and the new status of the payment', () => {
  const { text, tone } = outcomeOf(capture, euros)
  assert.equal(tone, 'good')
  assert.match(text, /^CAPTURE of 10\D00 EUR succeeded\. The payment is SETTLED\.$/)
})

test('a decline shows its reason, in the tone of an error', () => {
  const outcome = outcomeOf({ ...capture, state: 'fail', declineReason: 'Do not honour' }, euros)
  assert.deepEqual(outcome, { text: 'CAPTURE was declined: Do not honour.', tone: 'bad' })
})

test('an unknown outcome is never shown as done', () => {
  assert.match(outcomeOf({ ...capture, state: 'undefined' }, euros).text, /not known yet/)
})
