import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loneValues } from './lone-values.ts'

test('a value without neighbours gets a point, also at both ends of the range', () => {
  assert.deepEqual(loneValues([1]), [0])
  assert.deepEqual(loneValues([null, null, 1]), [2])
  assert.deepEqual(loneValues([0, null, 5, null, 5]), [0, 2, 4])
})

test('a value next to another one gets no point', () => {
  assert.deepEqual(loneValues([1, 2]), [])
  assert.deepEqual(loneValues([null, 1, 0, null]), [])
})

test('a missing value gets no point', () => {
  assert.deepEqual(loneValues([]), [])
  assert.deepEqual(loneValues([null, null]), [])
})
