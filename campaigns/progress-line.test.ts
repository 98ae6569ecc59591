import assert from 'node:assert/strict'
import { test } from 'node:test'
import { progressLine } from './progress-line.ts'

test('how far a campaign has come is told once a minute, and not at its end', () => {
  const lines: string[] = []
  let time = 0
  const progress = progressLine(
    (text) => lines.push(text),
    () => time,
  )
  for (const [at, done] of [
    [30_000, 1],
    [61_000, 2],
    [90_000, 3],
    [125_000, 4],
    [300_000, 5],
  ] as const) {
    time = at
    progress(done, 5)
  }
  assert.deepEqual(lines, ['… 2 of 5', '… 4 of 5'])
})
