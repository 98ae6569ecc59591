import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clockText } from '#domain/time.ts'
import { minutesOf } from './minutes-of-day.ts'

test('times of the day are minutes', () => {
  assert.deepEqual([0, 450, 1439].map(clockText), ['00:00', '07:30', '23:59'])
  assert.deepEqual(['00:00', '07:30', '23:59'].map(minutesOf), [0, 450, 1439])
})
