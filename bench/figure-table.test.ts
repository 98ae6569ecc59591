import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatFigures, isMet } from './figure-table.ts'
import { percentile } from './load.ts'

test('a goal is met at its bound and beyond it, in its direction', () => {
  const figure = { name: 'sale', value: '500 /s' }
  assert.equal(isMet({ ...figure, ratio: 0.25, goal: { at: 'least', ratio: 0.25 } }), true)
  assert.equal(isMet({ ...figure, ratio: 0.24, goal: { at: 'least', ratio: 0.25 } }), false)
  assert.equal(isMet({ ...figure, ratio: 6.1, goal: { at: 'most', ratio: 6 } }), false)
  assert.equal(isMet(figure), null)
})

test('columns are as wide as their widest cell', () => {
  const lines = formatFigures([
    { name: 'a', value: '1' },
    { name: 'long name', value: '22222', against: 'b', ratio: 1.5, goal: { at: 'most', ratio: 2 } },
  ]).split('\n')
  assert.deepEqual(lines, [
    'figure     value  against  ratio  goal  met',
    'a          1',
    'long name  22222  b        1.50   ≤ 2   yes',
  ])
})

test('ranges stand beside the value and beside the ratio', () => {
  const lines = formatFigures([
    { name: 'SALE', value: '310 /s', range: '290 – 402 /s', against: 'floor', ratio: 0.55, ratioRange: '0.50 – 0.61' },
  ]).split('\n')
  assert.deepEqual(lines, [
    'figure  value   range         against  ratio  range',
    'SALE    310 /s  290 – 402 /s  floor    0.55   0.50 – 0.61',
  ])
})

test('a percentile is the value that this share of answers does not exceed', () => {
  const hundred = Float64Array.from({ length: 100 }, (_, index) => index + 1)
  assert.equal(percentile(hundred, 0.5), 51)
  assert.equal(percentile(hundred, 0.99), 100)
  assert.equal(percentile(hundred, 1), 100)
  assert.equal(percentile(new Float64Array(), 0.5), 0)
})
