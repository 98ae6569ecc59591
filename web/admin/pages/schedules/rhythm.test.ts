import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Rhythm, rhythmText } from './rhythm.ts'

const monthly: Rhythm = {
  intervalLength: 1,
  intervalUnit: 'month',
  dayOfMonth: null,
  delayedFirstPayment: 'none',
  firstPaymentIntervalLength: null,
  firstPaymentIntervalUnit: null,
  firstPaymentDayOfWeek: null,
  firstPaymentDayOfMonth: null,
}

// biome-ignore format: a table is read in columns.
const rows: readonly (readonly [Partial<Rhythm>, string])[] = [
  [{},                                                      'Every month'],
  [{ intervalLength: 2, intervalUnit: 'week' },             'Every 2 weeks'],
  [{ dayOfMonth: 31 },                                      'Every month on day 31'],
  [{ delayedFirstPayment: 'delay_by_interval', firstPaymentIntervalLength: 3, firstPaymentIntervalUnit: 'day' }, 'Every month, first after 3 days'],
  [{ delayedFirstPayment: 'delay_by_interval', firstPaymentIntervalLength: 1, firstPaymentIntervalUnit: 'week' }, 'Every month, first after 1 week'],
  [{ delayedFirstPayment: 'day_of_week', firstPaymentDayOfWeek: 7 },   'Every month, first on the next Sunday'],
  [{ delayedFirstPayment: 'day_of_month', firstPaymentDayOfMonth: 15 }, 'Every month, first on the next day 15 of a month'],
]

for (const [change, text] of rows) {
  test(`a schedule reads "${text}"`, () => {
    assert.equal(rhythmText({ ...monthly, ...change }), text)
  })
}
