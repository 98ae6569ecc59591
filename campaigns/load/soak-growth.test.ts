import assert from 'node:assert/strict'
import { test } from 'node:test'
import { growthOf } from './soak-growth.ts'

const megabyte = 1e6
const count = 30

/** A process of which each sample has the given descriptors and megabytes. */
function growth(descriptors: (at: number) => number, heap: (at: number) => number = () => 50) {
  const samples = Array.from({ length: count }, (_, at) => ({
    rss: 200 * megabyte,
    heap: heap(at) * megabyte,
    descriptors: descriptors(at),
    lateMs: 10,
  }))
  return growthOf('api-1', samples, { slackBytes: 6 * megabyte, requests: samples.map(() => 0) })
}

test('a process that opens descriptors for good leaks them', () => {
  assert.equal(growth((at) => 40 + 3 * at).leaksDescriptors, true)
})

test('more requests in flight at the end, or now and then, are no leak', () => {
  assert.equal(growth((at) => (at === count - 1 ? 300 : 150)).leaksDescriptors, false)
  assert.equal(growth((at) => (at % 4 === 0 ? 220 : 150)).leaksDescriptors, false)
})

test('memory that grows from the middle to the end beyond its slack leaks', () => {
  assert.equal(
    growth(
      () => 40,
      (at) => 50 + at,
    ).leaksMemory,
    true,
  )
  assert.equal(
    growth(
      () => 40,
      (at) => (at < count / 2 ? 30 + at : 45),
    ).leaksMemory,
    false,
  )
})
