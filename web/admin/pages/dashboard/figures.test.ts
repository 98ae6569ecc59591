import assert from 'node:assert/strict'
import { test } from 'node:test'
import { currenciesOf, type Dashboard, type Figures, largestFirst, outSeriesOf, seriesOf, stepsOf } from './figures.ts'

const row = (over: Partial<Figures> & { at?: string } = {}) => ({
  payments: 4,
  approved: 3,
  declined: 1,
  open: 0,
  approvalRate: 0.75,
  authorisedMinor: '0',
  capturedMinor: '3050',
  refundedMinor: '0',
  chargedBackMinor: '0',
  currency: 'EUR',
  decimals: 2,
  at: new Date(2026, 0, 2).toISOString(),
  ...over,
})

const range = {
  from: new Date(2026, 0, 1, 15).toISOString(),
  to: new Date(2026, 0, 4, 9).toISOString(),
  bucket: 'day' as const,
}

test('every day of the range is present and begins at its first instant', () => {
  const days = stepsOf(range).map((step) => new Date(step).getDate())
  assert.deepEqual(days, [1, 2, 3, 4])
  assert.ok(stepsOf(range).every((step) => new Date(step).getHours() === 0))
})

test('weeks begin on Monday, hours on the hour', () => {
  const [week = 0] = stepsOf({ ...range, bucket: 'week' })
  assert.equal(new Date(week).getDay(), 1)
  const hours = stepsOf({ ...range, to: new Date(2026, 0, 1, 17, 30).toISOString(), bucket: 'hour' })
  assert.deepEqual(
    hours.map((step) => new Date(step).getHours()),
    [15, 16, 17],
  )
})

test('a day without payments is shown with zero payments and no approval rate', () => {
  const overTime = [row({ chargedBackMinor: '550' }), row({ currency: 'GBP', approved: 9 })]
  const series = seriesOf({ ...range, countedFrom: range.from, overTime } as unknown as Dashboard, 'EUR')
  assert.deepEqual(series.approved, [0, 3, 0, 0])
  assert.deepEqual(series.approvalRate, [null, 75, null, null])
  assert.deepEqual(series.captured, [0, 30.5, 0, 0])
  assert.deepEqual(series.chargedBack, [0, 5.5, 0, 0])
  assert.equal(series.times.length, 4)
})

test('if only the newest payments were counted, the time before them is not shown as empty', () => {
  const countedFrom = new Date(2026, 0, 2, 18).toISOString()
  const series = seriesOf({ ...range, countedFrom, overTime: [row()] } as unknown as Dashboard, 'EUR')
  assert.deepEqual(series.approved, [3, 0, 0])
})

test('the currency with the most payments comes first', () => {
  const totals = [row({ payments: 1 }), row({ payments: 7, currency: 'GBP' })]
  const byKind = [{ ...row({ currency: 'USD' }), kind: 'credit', amountMinor: '100' }]
  assert.deepEqual(currenciesOf({ totals, byKind }), ['GBP', 'EUR', 'USD'])
})

test('payouts are a chart by themselves, also in a currency without sales', () => {
  const paid = { at: row().at, currency: 'USD', decimals: 2, amountMinor: '1250' }
  const dashboard = {
    ...range,
    countedFrom: range.from,
    overTime: [row()],
    payoutsOverTime: [paid],
    transfersOverTime: [],
  }
  const series = outSeriesOf(dashboard as unknown as Dashboard, 'USD')
  assert.deepEqual([series?.paidOut, series?.transferred, series?.times.length], [[0, 12.5, 0, 0], null, 4])
  assert.equal(outSeriesOf(dashboard as unknown as Dashboard, 'EUR'), null)
})

test('a list is sorted by the payments that it shows, and equal rows stay as they were', () => {
  const rows = [31, 18, 8, 5, 6, 5].map((payments, index) => ({ payments, name: String(index) }))
  assert.deepEqual(
    largestFirst(rows).map(({ payments, name }) => `${payments} ${name}`),
    ['31 0', '18 1', '8 2', '6 4', '5 3', '5 5'],
  )
})
