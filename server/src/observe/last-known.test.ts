import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lastKnown } from './last-known.ts'

test('a figure that could not be read for a minute is no longer known', async () => {
  let now = 0
  let isAway = false
  const figure = lastKnown(
    () => (isAway ? Promise.reject(new Error('away')) : Promise.resolve(5)),
    () => now,
  )
  assert.equal(figure.ageSeconds, null)
  assert.equal(await figure.read(), 5)
  isAway = true
  now = 60_000
  assert.deepEqual([await figure.read(), figure.ageSeconds], [5, 60])
  now = 60_001
  assert.equal(await figure.read(), null)
  isAway = false
  assert.equal(await figure.read(), 5)
})
