import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pauseText } from './pause-text.ts'

test('a pause is named in its largest unit, rounded up', () => {
  assert.deepEqual([1000, 60_000, 900_000, 3_600_000, 5_400_000, 86_400_000, 90_000_000].map(pauseText), [
    '1 minute',
    '1 minute',
    '15 minutes',
    '1 hour',
    '2 hours',
    '1 day',
    '2 days',
  ])
})
