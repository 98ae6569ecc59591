import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expiryStage, nextStageAt } from './expiry-stages.ts'

const now = new Date('2026-03-01T00:00:00Z')

// Chapter 40 §6: alert at 60, 30, 14, 7, 3, 1 days before and at expiry.
// biome-ignore format: a table is read in columns.
const stages: readonly (readonly [daysLeft: number, stage: number | null])[] = [
  [60.001, null], [60, 60], [30.5, 60], [30, 30], [14, 14], [7.1, 14], [7, 7], [3, 3], [1, 1], [0.5, 1], [0, 0], [-100, 0],
]
test('an expiry is in the last stage whose day has come', () => {
  for (const [daysLeft, stage] of stages) {
    const until = new Date(now.getTime() + daysLeft * 86_400_000)
    assert.equal(expiryStage(until, now), stage, `${daysLeft} days left`)
    const next = nextStageAt(until, now)
    if (next) assert.notEqual(expiryStage(until, next), stage, `the stage changes at ${next.toISOString()}`)
    else assert.ok(daysLeft <= 0)
  }
})
