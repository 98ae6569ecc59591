import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bodyOf, clockText, minutesOf, newChannel } from './channel-values.ts'

test('times of the day are minutes', () => {
  assert.deepEqual([0, 450, 1439].map(clockText), ['00:00', '07:30', '23:59'])
  assert.deepEqual(['00:00', '07:30', '23:59'].map(minutesOf), [0, 450, 1439])
})

test('quiet hours are sent only if they are chosen', () => {
  assert.equal(bodyOf(newChannel()).quiet, null)
  assert.deepEqual(bodyOf({ ...newChannel(), isQuiet: true }).quiet, { from: 1320, until: 420 })
})
