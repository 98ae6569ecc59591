/** Chapter 70 §3: what an acquirer announced against what the bank booked, in every way in which they can differ. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AnnouncedPayout, type BookedLine, isOverdue, payoutDifferences } from './bank-comparison.ts'
import { bankingDaysAfter } from './banking-days.ts'
import { payoutNames, payoutOf } from './named-payout.ts'

const sum = (over: Partial<AnnouncedPayout> = {}): AnnouncedPayout => ({
  midId: 'mid',
  payout: 'PO-1',
  currency: 'USD',
  netMinor: 1000n,
  postedMinor: 0n,
  lastDay: '2026-03-02',
  ...over,
})
const line = (amountMinor: bigint, over: Partial<BookedLine> = {}): BookedLine => ({
  account: 'A',
  ref: 'B1',
  currency: 'USD',
  amountMinor,
  bookedOn: '2026-03-04',
  ...over,
})
const read = new Map([['USD', { firstDay: '2026-03-01', lastDay: '2026-03-09' }]])
const found = (payouts: readonly AnnouncedPayout[], lines: readonly BookedLine[], covered = read) =>
  payoutDifferences(payouts, lines, covered).map(
    ({ kind, currency, announcedMinor, bookedMinor, lineRef }) =>
      `${kind} ${currency} ${announcedMinor} ${bookedMinor} ${lineRef}`,
  )

test('a payout that the bank booked, whole or in parts, or that it collected, differs in nothing', () => {
  assert.deepEqual(found([sum()], [line(1000n)]), [])
  assert.deepEqual(found([sum()], [line(400n), line(600n, { ref: 'B2' })]), [])
  assert.deepEqual(found([sum({ netMinor: -5n })], [line(-5n)]), [])
  assert.deepEqual(
    found([sum()], [line(1000n), line(1000n, { ref: 'B2' }), line(-1000n, { ref: 'B3' })]),
    [],
    'returned',
  )
  assert.deepEqual(found([], [line(1n)]), [])
})

test('a payout is missing only where the bank was read from its last day to the fifth banking day after it', () => {
  assert.deepEqual(found([sum()], []), ['bank-missing USD 1000 null null'])
  const upTo = (firstDay: string, lastDay: string) => found([sum()], [], new Map([['USD', { firstDay, lastDay }]]))
  assert.deepEqual(upTo('2026-03-02', '2026-03-09').length, 1)
  assert.deepEqual(upTo('2026-03-02', '2026-03-08'), [], 'the fifth banking day was not read')
  assert.deepEqual(upTo('2026-03-03', '2026-03-20'), [], 'it may have been booked before')
  assert.deepEqual(found([sum()], [], new Map()), [], 'no statement in its currency')
})

test('another amount, another currency and a second booking are differences of their own', () => {
  assert.deepEqual(found([sum()], [line(999n)]), ['bank-amount USD 1000 999 null'])
  assert.deepEqual(
    found([sum()], [line(900n, { currency: 'EUR' })]),
    ['bank-currency EUR null 900 B1'],
    'and not missing',
  )
  const twice = [
    line(1000n, { ref: 'B2', bookedOn: '2026-03-05' }),
    line(1000n),
    line(1000n, { ref: 'B0', bookedOn: '2026-03-06' }),
  ]
  assert.deepEqual(found([sum()], twice), ['bank-doubled USD 1000 1000 B2', 'bank-doubled USD 1000 1000 B0'])
  const both = [sum(), sum({ currency: 'EUR', netMinor: 7n })]
  assert.deepEqual(found(both, [line(1000n), line(8n, { currency: 'EUR' })]), ['bank-amount EUR 7 8 null'])
})

test('what was posted to the account of differences is no longer expected, and differs if it comes after all', () => {
  assert.deepEqual(found([sum({ postedMinor: 1n })], [line(999n)]), [])
  assert.deepEqual(found([sum({ postedMinor: 1000n })], []), [])
  assert.deepEqual(found([sum({ postedMinor: 1000n })], [line(1000n)]), ['bank-amount USD 0 1000 null'])
  assert.deepEqual(found([sum({ postedMinor: -1000n })], [line(1000n), line(1000n, { ref: 'B2' })]), [])
})

test('banking days leave out weekends, and for the euro the days on which TARGET is closed', () => {
  // biome-ignore format: a table is read in columns.
  const cases = [
    ['2026-03-02', 5, 'USD', '2026-03-09'],
    ['2026-03-06', 1, 'USD', '2026-03-09'],
    ['2026-04-02', 1, 'USD', '2026-04-03'],
    ['2026-04-02', 1, 'EUR', '2026-04-07'],
    ['2027-03-25', 1, 'EUR', '2027-03-30'],
    ['2026-12-24', 1, 'EUR', '2026-12-28'],
    ['2026-12-31', 1, 'EUR', '2027-01-04'],
    ['2026-04-30', 1, 'EUR', '2026-05-04'],
    ['2026-03-07', 0, 'EUR', '2026-03-07'],
  ] as const
  for (const [day, count, currency, after] of cases) assert.equal(bankingDaysAfter(day, count, currency), after, day)
  assert.deepEqual(
    [isOverdue('2026-03-02', 'USD', '2026-03-09'), isOverdue('2026-03-02', 'USD', '2026-03-10')],
    [false, true],
  )
})

test('a line names payouts by its words, by two words, and by its identification', () => {
  assert.deepEqual(payoutNames({ text: 'Settlement (po_1.) batch 7,ABC', endToEndId: 'E2E' }), [
    'E2E',
    'Settlement',
    'po_1',
    'batch',
    '7',
    'ABC',
    'Settlement po_1',
    'po_1 batch',
    'batch 7',
    '7 ABC',
  ])
})

test('a line belongs to the payout of its amount, or to the only one that it names with a telling reference', () => {
  const named = (payout: string, netMinor: bigint, midId = 'a', currency = 'USD') => ({
    midId,
    payout,
    currency,
    netMinor,
  })
  const owner = (amountMinor: bigint, sums: readonly ReturnType<typeof named>[]) => {
    const found = payoutOf({ currency: 'USD', amountMinor }, sums)
    return found && `${found.midId} ${found.payout}`
  }
  assert.equal(owner(5n, [named('PO1', 5n), named('PO1', 6n, 'b')]), 'a PO1')
  assert.equal(owner(5n, [named('PAYOUT-1', 6n)]), 'a PAYOUT-1', 'another amount')
  assert.equal(
    owner(5n, [named('PAYOUT-1', 6n, 'a', 'EUR'), named('PAYOUT-1', 7n, 'a', 'JPY')]),
    'a PAYOUT-1',
    'another currency',
  )
  assert.equal(owner(5n, [named('1001', 6n)]), null, 'a short number may be anything')
  assert.equal(owner(5n, [named('PAYOUT-1', 6n), named('PAYOUT-1', 7n, 'b')]), null)
  assert.equal(owner(5n, [named('PAYOUT-1', 5n), named('PAYOUT-1', 5n, 'b')]), null)
  assert.equal(owner(5n, []), null)
})
