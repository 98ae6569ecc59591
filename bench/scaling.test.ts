import assert from 'node:assert/strict'
import { test } from 'node:test'
import { coresIn } from './cores.ts'
import { layOut } from './scaling.ts'

test('lists of cores are read as taskset writes them', () => {
  assert.deepEqual(coresIn('0-3'), [0, 1, 2, 3])
  assert.deepEqual(coresIn('0,2-3,7'), [0, 2, 3, 7])
  assert.deepEqual(coresIn('5'), [5])
})

test('with four cores each api process has one, and the database has others', () => {
  assert.deepEqual(layOut([0, 1, 2, 3]), { apis: [0, 1], others: [2, 3] })
  assert.deepEqual(layOut([4, 5, 6, 7, 8]), { apis: [4, 5], others: [6, 7, 8] })
})

test('with fewer the api processes share one', () => {
  assert.deepEqual(layOut([0, 1]), { apis: [0, 0], others: [1] })
  assert.deepEqual(layOut([0, 1, 2]), { apis: [0, 0], others: [1, 2] })
  assert.deepEqual(layOut([0]), { apis: [0, 0], others: [0] })
})
