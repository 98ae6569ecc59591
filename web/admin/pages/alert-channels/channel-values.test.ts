import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bodyOf, newChannel } from './channel-values.ts'

test('quiet hours are sent only if they are chosen', () => {
  assert.equal(bodyOf(newChannel()).quiet, null)
  assert.deepEqual(bodyOf({ ...newChannel(), isQuiet: true }).quiet, { from: 1320, until: 420 })
})
