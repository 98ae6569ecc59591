import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { jittered } from './jitter.ts'

test('a jittered span is never shorter than planned, and longer by less than its share', () => {
  const word = fc.integer({ min: 0, max: 0xffff_ffff })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2_592_000_000 }), word, (value, random) => {
      const span = jittered(value, 0.1, { random: (bytes) => random.toString(16).padStart(bytes * 2, '0') })
      assert.ok(span >= value && span < value * 1.1)
    }),
  )
})

test('different randomness gives different spans', () => {
  const spans = ['00000000', '40000000', '80000000', 'ffffffff'].map((random) =>
    jittered(100, 0.1, { random: () => random }),
  )
  assert.deepEqual(spans.map(Math.floor), [100, 102, 105, 109])
})
