/** Chapter 10 §6.2: "Status stays DECLINED; the service reverses the charge at the acquirer". */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { concludeLateReversal, reversesLateCharge } from './late-success.ts'
import { newPayment, type Payment, statuses } from './payment.ts'

const declined: Payment = {
  ...newPayment({ kind: 'sale', amountMinor: 1000n, holds: false, recurring: true }),
  status: 'DECLINED',
  declineClass: 'technical',
}

// biome-ignore format: a table is read in columns.
const results = [
  // the reversal   its state     still in flight
  [ 'ok',          'success',    false ],
  [ 'fail',        'fail',       false ],
  [ 'unknown',     'undefined',  true  ],
  [ 'waiting',     'waiting',    true  ],
] as const

for (const [result, state, inFlight] of results) {
  test(`${result}: the payment and its money stay as they were`, () => {
    assert.deepEqual(concludeLateReversal(declined, result), { state, payment: { ...declined, inFlight }, entries: [] })
  })
}

test('a reversal has no payer step', () => {
  for (const result of ['3DS', 'REDIRECT'] as const) assert.equal(concludeLateReversal(declined, result), null)
})

test('a REVERSAL on a declined payment reverses a late charge; on any other it is the merchant’s command', () => {
  assert.deepEqual(
    statuses.filter((status) => reversesLateCharge({ status }, 'REVERSAL')),
    ['DECLINED'],
  )
  assert.equal(reversesLateCharge(declined, 'REFUND'), false)
})
