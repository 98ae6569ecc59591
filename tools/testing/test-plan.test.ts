import assert from 'node:assert/strict'
import { test } from 'node:test'
import { batchesOf, timeLimitMs } from './test-plan.ts'

const files = [
  'domain/src/schedule/day.test.ts',
  'tools/docs.test.ts',
  'server/test/flows/card/sale.test.ts',
  'domain/src/money/money.test.ts',
  'campaigns/crash/crash-points.test.ts',
  'server/test/browser/pages/checkout-states.test.ts',
]

test('every file is run, once', () => {
  const planned = batchesOf(files).flatMap((batch) => batch.files)
  assert.deepEqual(planned.toSorted(), files.toSorted())
})

test('short files of a kind share a process, long ones have their own', () => {
  const shared = batchesOf(files)
    .map((batch) => batch.files)
    .filter((together) => together.length !== 1)
  assert.deepEqual(shared, [['domain/src/schedule/day.test.ts', 'domain/src/money/money.test.ts']])
})

test('all files have their own process on request', () => {
  assert.ok(batchesOf(files, true).every((batch) => batch.files.length === 1))
})

test('many files of one kind make several batches of about the same size', () => {
  const many = Array.from({ length: 147 }, (_, n) => `server/test/flows/${n}.test.ts`)
  const sizes = batchesOf(many).map((batch) => batch.files.length)
  assert.ok(sizes.length > 2)
  assert.ok(Math.max(...sizes) - Math.min(...sizes) <= sizes.length, sizes.join())
})

test('the longest batches begin first', () => {
  const order = batchesOf(files).map((batch) => batch.files[0])
  assert.deepEqual(order.slice(0, 3), [
    'server/test/browser/pages/checkout-states.test.ts',
    'campaigns/crash/crash-points.test.ts',
    'tools/docs.test.ts',
  ])
})

test('a file that builds and installs a release has more time than others', () => {
  assert.equal(timeLimitMs('server/src/app.test.ts'), 480_000)
  assert.ok(timeLimitMs('tools/package/image.full.test.ts') >= 1_800_000)
})
