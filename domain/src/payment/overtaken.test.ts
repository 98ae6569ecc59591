/** Commands overtaken by what the acquirer did by itself. Chapter 10 §6, §6.2. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { concludeOvertaken, isOvertaken } from './overtaken.ts'
import { newPayment, type Payment, type TransactionType } from './payment.ts'

const sale = newPayment({ kind: 'sale', amountMinor: 1000n, holds: false, recurring: false })
const settled: Payment = { ...sale, status: 'SETTLED', authorisedMinor: 1000n, capturedMinor: 1000n }
const held: Payment = { ...sale, holds: true, status: 'PENDING', authorisedMinor: 1000n }
const disputed = (minor: bigint): Payment => ({ ...settled, status: 'CHARGEBACK', chargedBackMinor: minor })
const lapsed: Payment = { ...held, status: 'REVERSAL' }
const declined: Payment = { ...sale, status: 'DECLINED' }

// biome-ignore format: a table is read in columns.
const rows: readonly (readonly [what: string, payment: Payment, type: TransactionType, amountMinor: bigint, overtaken: boolean])[] = [
  // what happened                         payment          command      amount  overtaken
  ['nothing',                              held,            'CAPTURE',   1000n,  false],
  ['the hold lapsed',                      lapsed,          'CAPTURE',   1000n,  true],
  ['nothing',                              held,            'REVERSAL',  1000n,  false],
  ['the hold lapsed',                      lapsed,          'REVERSAL',  1000n,  true],
  ['nothing',                              settled,         'REFUND',    1000n,  false],
  ['all was disputed',                     disputed(1000n), 'REFUND',       1n,  true],
  ['a part was disputed',                  disputed(600n),  'REFUND',     401n,  true],
  ['a part was disputed, enough is left',  disputed(600n),  'REFUND',     400n,  false],
  ['a part of a debit was disputed',       disputed(600n),  'REVERSAL',   401n,  true],
  ['enough of a debit is left',            disputed(600n),  'REVERSAL',   400n,  false],
  ['nothing',                              settled,         'VOID',      1000n,  false],
  ['a part was disputed',                  disputed(1n),    'VOID',      1000n,  true],
  ['a late charge is reversed',            declined,        'REVERSAL',  1000n,  false],
  ['nothing',                              sale,            'SALE',      1000n,  false],
]

for (const [what, payment, type, amountMinor, overtaken] of rows) {
  test(`${type} of ${amountMinor} on ${payment.status}, ${what}: ${overtaken ? 'overtaken' : 'goes on'}`, () => {
    assert.equal(isOvertaken(payment, { type, amountMinor }), overtaken)
  })
}

test('a failed transaction ends and leaves the payment unchanged', () => {
  const open = { ...lapsed, inFlight: true }
  const after = concludeOvertaken(open, { type: 'CAPTURE', amountMinor: 1000n }, 'fail')
  assert.deepEqual(after, { state: 'fail', payment: { ...open, inFlight: false }, entries: [] })
})

test('a second release of a hold changes nothing', () => {
  const after = concludeOvertaken({ ...lapsed, inFlight: true }, { type: 'REVERSAL', amountMinor: 1000n }, 'ok')
  assert.deepEqual(after, { state: 'success', payment: { ...lapsed, inFlight: false }, entries: [] })
})

test('an outcome that moved money or is unknown is not ignored', () => {
  for (const type of ['CAPTURE', 'REVERSAL'] as const) {
    assert.equal(concludeOvertaken(lapsed, { type, amountMinor: 1000n }, 'unknown'), null)
  }
  assert.equal(concludeOvertaken(lapsed, { type: 'CAPTURE', amountMinor: 1000n }, 'ok'), null)
  assert.equal(concludeOvertaken({ ...lapsed, holds: false }, { type: 'REVERSAL', amountMinor: 1000n }, 'ok'), null)
})
