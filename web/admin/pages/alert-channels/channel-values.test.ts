import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bodyOf, digestText, newChannel } from './channel-values.ts'

test('quiet hours are sent only if they are chosen', () => {
  assert.equal(bodyOf(newChannel()).quiet, null)
  assert.deepEqual(bodyOf({ ...newChannel(), isQuiet: true }).quiet, { from: 1320, until: 420 })
})

test('the time between messages is in words, also one that the form does not offer', () => {
  assert.deepEqual([0, 60, 1440, 720].map(digestText), [
    'At once',
    'Every hour, together',
    'Once a day, together',
    'Every 12 hours, together',
  ])
})
