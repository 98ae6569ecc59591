import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { betaDraw, drawsFrom, fraction } from './draw.ts'

const sample = (count: number, draw: (index: number) => number): readonly number[] =>
  Array.from({ length: count }, (_, index) => draw(index))
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
function variance(values: readonly number[]): number {
  const middle = mean(values)
  return mean(values.map((value) => (value - middle) ** 2))
}

test('fractions of neighbouring texts are even: a tenth of them in each tenth', () => {
  const drawn = sample(20_000, (index) => fraction(`payment-${index}`))
  assert.ok(drawn.every((value) => value > 0 && value < 1))
  for (let tenth = 0; tenth < 10; tenth += 1) {
    const inside = drawn.filter((value) => Math.floor(value * 10) === tenth).length
    assert.ok(Math.abs(inside - 2000) < 200, `${inside} of 20000 in tenth ${tenth}`)
  }
})

test('a seed draws the same again, and another seed something else', () => {
  const draws = (seed: string) => sample(5, drawsFrom(seed))
  assert.deepEqual(draws('a'), draws('a'))
  assert.notDeepEqual(draws('a'), draws('b'))
})

describe('the beta distribution', () => {
  // Its mean is a / (a + b), its variance ab / ((a + b)² (a + b + 1)).
  for (const [a, b] of [
    [1, 1],
    [2, 5],
    [31, 11],
    [900, 100],
  ] as const) {
    test(`of ${a} and ${b} has its mean and its variance`, () => {
      const drawn = sample(20_000, (index) => betaDraw(a, b, drawsFrom(`draw ${index}`)))
      const spread = (a * b) / ((a + b) ** 2 * (a + b + 1))
      assert.ok(drawn.every((value) => value > 0 && value < 1))
      assert.ok(Math.abs(mean(drawn) - a / (a + b)) < 4 * Math.sqrt(spread / 20_000), `mean ${mean(drawn)}`)
      assert.ok(Math.abs(variance(drawn) / spread - 1) < 0.06, `variance ${variance(drawn)} for ${spread}`)
    })
  }
})
