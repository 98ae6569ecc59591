import assert from 'node:assert/strict'
import { test } from 'node:test'
import { barsOf } from './bars.ts'

test('a zero has no bar, and other values keep theirs', () => {
  assert.deepEqual(barsOf([0, 12.5, null, -3]), [null, 12.5, null, -3])
})
