import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { addJitter } from './jitter.ts'

test('a jittered duration is never shorter than planned, and longer by less than its share', () => {
  const word = fc.integer({ min: 0, max: 0xffff_ffff })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2_592_000_000 }), word, (value, random) => {
      const span = addJitter(value, 0.1, { random: (bytes) => random.toString(16).padStart(bytes * 2, '0') })
      assert.ok(span >= value && span < value * 1.1)
    }),
  )
})

test('different randomness gives different durations', () => {
  const spans = ['00000000', '40000000', '80000000', 'ffffffff'].map((random) =>
    addJitter(100, 0.1, { random: () => random }),
  )
  assert.deepEqual(spans.map(Math.floor), [100, 102, 105, 109])
})
