import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayMs, growingPauseMs, utcDay, utcText } from './time.ts'

test('the day of an instant is that of UTC, whatever the zone in which it was written', () => {
  assert.equal(utcDay(new Date('2026-01-31T23:30:00-02:00')), '2026-02-01')
  assert.equal(utcDay(new Date('2026-02-01T01:30:00+02:00')), '2026-01-31')
  assert.deepEqual([utcDay(0), utcDay(dayMs - 1), utcDay(dayMs)], ['1970-01-01', '1970-01-01', '1970-01-02'])
})

test('an invalid date has no day', () => {
  assert.throws(() => utcDay(new Date('2026-02-30T25:00:00Z')), RangeError)
  assert.throws(() => utcDay(Number.NaN), RangeError)
})

test('an instant is written to the minute, in UTC whatever its zone', () => {
  assert.equal(utcText(new Date('2026-01-31T23:05:59.999+02:00')), '2026-01-31 21:05 UTC')
})

test('a pause doubles with each failure up to the longest', () => {
  assert.deepEqual(
    [1, 2, 3, 4, 5000].map((failures) => growingPauseMs(failures, 500, 3000)),
    [500, 1000, 2000, 3000, 3000],
  )
})

test('a day has 24 hours', () => assert.equal(dayMs, 86_400_000))
