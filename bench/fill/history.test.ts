import assert from 'node:assert/strict'
import { test } from 'node:test'
import { historyUntil, momentIn, monthsOf, numbersIn, spread } from './history.ts'
import { progressLine } from './progress.ts'

const now = new Date('2026-11-17T20:00:00Z')

test('every payment of a history is in one month, and none is younger than some minutes', () => {
  const history = historyUntil(now, 1_000_003)
  const months = monthsOf(history)
  assert.deepEqual([months.length, months[0]], [10, new Date('2026-02-01T00:00:00Z')])
  const ranges = months.map((from, index) => numbersIn(history, { from, to: months[index + 1] ?? null }))
  assert.deepEqual([ranges[0]?.from, ranges.at(-1)?.to], [0, history.payments])
  for (const [index, { from }] of ranges.entries()) {
    assert.equal(from, ranges[index - 1]?.to ?? 0)
    const start = months[index] ?? assert.fail()
    assert.ok(momentIn(history, from) >= start && (from === 0 || momentIn(history, from - 1) < start))
  }
  assert.ok(now.getTime() - momentIn(history, history.payments - 1).getTime() >= 600_000)
})

test('a spread has payments of every merchant and kind', () => {
  for (const [payments, count] of [
    [10_000, 5000],
    [10_000_000, 5000],
    [100, 5000],
  ] as const) {
    const step = spread({ payments, oldest: 0 }, count)
    const numbers = Array.from({ length: 400 }, (_, index) => index * step)
    for (const factor of [5, 31]) assert.equal(new Set(numbers.map((number) => number % factor)).size, factor)
    assert.ok(step >= Math.floor(payments / count))
  }
})

test('the time left counts only what this run has done', () => {
  const line = progressLine({ done: 600, before: 400, all: 1000, seconds: 10 })
  assert.equal(line, '10 s: 600 of 1000 payments, 60 %, 20 per second, about 1 min left.')
})
