import assert from 'node:assert/strict'
import { test } from 'node:test'
import { figureOver, medianOf, milliseconds, perSecond } from './rounds.ts'

test('a figure is the median of its rounds, with the least and the most of them', () => {
  const figure = figureOver({ name: 'SALE', values: [310, 290, 402], format: perSecond, ratios: [0.5, 0.61, 0.55] })
  assert.deepEqual(figure, {
    name: 'SALE',
    value: '310 /s',
    range: '290 – 402 /s',
    ratio: 0.55,
    ratioRange: '0.50 – 0.61',
  })
})

test('a goal without a reference is one of the value itself', () => {
  const goal = { at: 'most', ratio: 3, unit: ' ms' } as const
  const figure = figureOver({ name: 'CPU', values: [3.2, 2.5, 2.9], format: milliseconds, goal })
  assert.deepEqual(figure, { name: 'CPU', value: '2.90 ms', range: '2.50 – 3.20 ms', ratio: 2.9, goal })
})

test('a single round has no range', () => {
  assert.deepEqual(figureOver({ name: 'SALE', values: [310], format: perSecond, against: 'floor', ratios: [0.5] }), {
    name: 'SALE',
    value: '310 /s',
    range: '',
    against: 'floor',
    ratio: 0.5,
    ratioRange: '',
  })
})

test('the median of an even number of rounds is one of them, and no round is no measurement', () => {
  assert.equal(medianOf([4, 1, 3, 2]), 3)
  assert.throws(() => medianOf([]), RangeError)
})
