import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayMs, growingPauseMs, utcText } from './time.ts'

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
