import assert from 'node:assert/strict'
import { test } from 'node:test'
import { differenceOf, firstDayOf, type SettledTransaction, transactionOf } from './settlement-match.ts'
import type { SettlementRow } from './settlement-row.ts'

const sale: SettledTransaction = {
  id: 'T-1',
  merchantId: 'M',
  paymentId: 'P',
  midId: 'MID',
  type: 'SALE',
  state: 'success',
  reference: 'REF-1',
  amountMinor: 1000n,
  currency: 'EUR',
  endedAt: new Date('2026-03-01T23:59:00Z'),
}
const refund = { ...sale, id: 'T-2', type: 'REFUND', reference: 'REF-2', amountMinor: 400n }
const again = { ...refund, id: 'T-3', reference: 'REF-3' }
const elsewhere = { ...sale, midId: 'OTHER' }
const row: SettlementRow = {
  ref: 'R',
  kind: 'charge',
  paymentId: 'P',
  transactionId: null,
  reference: null,
  currency: 'EUR',
  grossMinor: 1000n,
  feeMinor: 0n,
  netMinor: 1000n,
  bookedOn: '2026-03-02',
  payout: null,
  conversion: null,
}
const [refunded, chargedBack] = [{ ...row, kind: 'refund' } as const, { ...row, kind: 'chargeback' } as const]
const chargeback = { ...sale, id: 'T-4', type: 'CHARGEBACK', reference: 'CB-1' }
const secondChargeback = { ...chargeback, id: 'T-5', reference: 'CB-9' }
const captured = { ...sale, id: 'T-5', type: 'CAPTURE', reference: 'REF-5' }
const failed = (one: SettledTransaction) => ({ ...one, state: 'fail' })

// biome-ignore format: a table is read in columns.
const cases: readonly (readonly [why: string, row: SettlementRow, of: readonly SettledTransaction[], expected: string | null])[] = [
  ['the payment alone',                           row,                                       [sale, refund],          'T-1'],
  ['another kind',                                refunded,                                  [sale, refund],          'T-2'],
  ['its identifier',                              { ...refunded, transactionId: 'T-3' },     [sale, refund, again],   'T-3'],
  ['its reference',                               { ...refunded, reference: 'REF-2' },       [sale, refund, again],   'T-2'],
  ['two of a kind leave a choice',                refunded,                                  [sale, refund, again],   null],
  ['one of two failed',                           refunded,                                  [failed(refund), again], 'T-3'],
  ['both failed: the newest',                     refunded,                                  [again, refund].map(failed), 'T-3'],
  ['an unknown reference, and no choice',         { ...row, reference: 'CAPTURE-9' },        [sale],                  'T-1'],
  ['an identifier that none has',                 { ...row, transactionId: 'T-9' },          [sale],                  null],
  ['a reference of its payment at another MID',   { ...row, reference: 'REF-1' },            [elsewhere, again],      null],
  ['a chargeback with a reference of its own',    { ...chargedBack, reference: 'CB-2' },     [sale, chargeback],      'T-4'],
  ['a chargeback that failed at another MID',     { ...chargedBack, reference: 'CB-1' },     [failed({ ...chargeback, midId: 'OTHER' }), secondChargeback], 'T-5'],
  ['a reference of a failure at another MID',     { ...row, reference: 'REF-1' },            [failed(elsewhere), captured], null],
  ['one reference twice: the success',            { ...refunded, reference: 'REF-2' },       [refund, failed({ ...again, reference: 'REF-2' })], 'T-2'],
  ['two without a reference leave a choice',      refunded,                                  [refund, again].map((one) => ({ ...one, reference: null })), null],
  ['a chargeback that came back',                 { ...row, kind: 'chargeback-reversal', reference: 'CB-2' }, [sale, chargeback], 'T-4'],
  ['of two chargebacks the one that is named',    { ...row, kind: 'chargeback-reversal', reference: 'CB-9' }, [chargeback, secondChargeback], 'T-5'],
  ['a void',                                      refunded,                                  [sale, { ...refund, type: 'VOID' }], 'T-2'],
  ['a reversal',                                  refunded,                                  [sale, { ...refund, type: 'REVERSAL' }], 'T-2'],
  ['another MID',                                 row,                                       [elsewhere],             null],
  ['the reference alone',                         { ...row, paymentId: null, reference: 'REF-1' }, [sale],            'T-1'],
  ['neither payment nor reference',               { ...row, paymentId: null },               [sale],                  null],
  ['a fee',                                       { ...row, kind: 'fee' },                   [sale],                  null],
]

for (const [why, given, candidates, expected] of cases)
  test(`a row finds its transaction: ${why}`, () => {
    assert.equal(transactionOf(given, 'MID', candidates)?.id ?? null, expected)
  })

const found = { transaction: sale, isOfOtherMid: false, isSettled: false }

test('a row has the first difference that applies', () => {
  const of = (change: Partial<SettlementRow>, more: Partial<typeof found> | { transaction: null } = {}) =>
    differenceOf({ ...row, ...change }, { ...found, ...more })
  assert.equal(of({}), null)
  assert.equal(of({}, { transaction: null }), 'missing-here')
  assert.equal(differenceOf(row, { transaction: null, isOfOtherMid: true, isSettled: false }), 'other-mid')
  assert.equal(of({ kind: 'fee' }, { transaction: null }), null)
  assert.equal(of({}, { transaction: failed(sale), isSettled: true }), 'other-outcome')
  assert.equal(of({ grossMinor: 900n }, { isSettled: true }), 'doubled')
  assert.equal(of({ currency: 'USD', grossMinor: 900n }), 'currency')
  assert.equal(of({ grossMinor: 900n }), 'amount')
  assert.equal(of({ grossMinor: -1000n }), null, 'a refund has a negative amount')
  const conversion = { currency: 'EUR', grossMinor: 1000n, rate: '1.1' }
  assert.equal(of({ currency: 'USD', grossMinor: 1100n, conversion }), null, 'compared in the payment’s currency')
  assert.equal(of({ currency: 'USD', conversion: { ...conversion, grossMinor: 900n } }), 'amount')
  assert.deepEqual([of({ bookedOn: '2026-03-06' }), of({ bookedOn: '2026-03-07' })], [null, 'late'])
})

test('of a transfer only the fee is expected, in whatever currency the acquirer takes it', () => {
  const transfer = { ...sale, type: 'TRANSFER' }
  const of = (change: Partial<SettlementRow>) =>
    differenceOf({ ...row, ...change }, { ...found, transaction: transfer })
  assert.equal(of({ grossMinor: 0n }), null)
  assert.equal(of({ grossMinor: 0n, currency: 'USD' }), null)
  assert.equal(of({ grossMinor: 1000n }), 'amount')
  assert.equal(of({ grossMinor: 1000n, currency: 'USD' }), 'currency')
})

test('the return of a chargeback is compared with what our ledger returned, and when', () => {
  const of = (returned: SettledTransaction['returned'], change: Partial<SettlementRow> = {}) =>
    differenceOf(
      { ...row, kind: 'chargeback-reversal', grossMinor: 400n, ...change },
      { ...found, transaction: { ...chargeback, ...(returned && { returned }) } },
    )
  const returned = { amountMinor: 400n, endedAt: new Date('2026-03-20T12:00:00Z') }
  assert.equal(of(undefined), 'missing-here', 'the dispute is open')
  assert.equal(of(returned), null)
  assert.equal(of(returned, { grossMinor: 1000n }), 'amount')
  assert.deepEqual([of(returned, { bookedOn: '2026-03-25' }), of(returned, { bookedOn: '2026-03-26' })], [null, 'late'])
  const reversal = { ...row, kind: 'chargeback-reversal', bookedOn: '2026-03-22' } as const
  assert.equal(firstDayOf(reversal, { ...chargeback, returned }), '2026-03-20')
  assert.equal(firstDayOf(reversal, chargeback), '2026-03-22')
})

test('a row covers the day of its transaction, unless it is late', () => {
  assert.equal(firstDayOf(row, sale), '2026-03-01')
  assert.equal(firstDayOf({ ...row, bookedOn: '2026-03-06' }, sale), '2026-03-01')
  assert.equal(firstDayOf({ ...row, bookedOn: '2026-03-07' }, sale), '2026-03-07')
  assert.equal(firstDayOf({ ...row, bookedOn: '2026-02-28' }, sale), '2026-02-28')
  assert.equal(firstDayOf(row, null), '2026-03-02')
})
