import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isMet } from '../figure-table.ts'
import { limitFigure, lowerQuartile, median, timeByTurns, timeFigure } from './by-turns.ts'

test('both are timed equally often, by turns', async () => {
  const calls: string[] = []
  const work = (name: string) => () => Promise.resolve(calls.push(name))
  const { small, large } = await timeByTurns({ small: work('small'), large: work('large') })
  assert.ok(small >= 0 && large >= 0)
  assert.equal(calls.length, 36)
  assert.ok(calls.every((name, index) => name === (index % 2 === 0 ? 'small' : 'large')))
})

test('a figure has the ratio of both, or its time against a limit', () => {
  const times = { small: 2, large: 5 }
  const figure = timeFigure('search', times, { at: 'most', ratio: 3 })
  assert.deepEqual([figure.ratio, figure.value, figure.against, isMet(figure)], [2.5, '5.00 ms', '2.00 ms', true])
  assert.deepEqual(
    [300, 301].map((large) => isMet(limitFigure('page', { small: 1, large }, 300))),
    [true, false],
  )
})

test('of many times the lower quartile counts, of speeds the median', () => {
  assert.equal(lowerQuartile([9, 1, 5, 3]), 3)
  assert.equal(median([9, 1, 5]), 5)
})
