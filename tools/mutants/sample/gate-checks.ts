/** Checks of `gate.ts`, not a test of the project: it covers one function only. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mayEnter } from './gate.ts'

test('people of 18 may enter', () => {
  assert.deepEqual([17, 18].map(mayEnter), [false, true])
})
