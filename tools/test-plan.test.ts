import assert from 'node:assert/strict'
import { test } from 'node:test'
import { batchesOf } from './test-plan.ts'

const files = [
  'domain/src/day.test.ts',
  'tools/docs.test.ts',
  'server/test/flows/sale.test.ts',
  'domain/src/money.test.ts',
  'campaigns/crash-points.test.ts',
  'server/test/browser/checkout-states.test.ts',
]

test('every file is run, once', () => {
  const planned = batchesOf(files).flatMap((batch) => batch.files)
  assert.deepEqual(planned.toSorted(), files.toSorted())
})

test('files that only compute share a process, all others have one of their own', () => {
  const sizes = batchesOf(files).map((batch) => [batch.files.length, batch.files[0]])
  assert.deepEqual(
    sizes.filter(([size]) => size !== 1),
    [[2, 'domain/src/day.test.ts']],
  )
})

test('what takes longest begins first', () => {
  const order = batchesOf(files).map((batch) => batch.files[0])
  assert.deepEqual(order.slice(0, 3), [
    'campaigns/crash-points.test.ts',
    'server/test/browser/checkout-states.test.ts',
    'domain/src/day.test.ts',
  ])
})
