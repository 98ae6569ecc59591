/** Chapter 10 §6.2 ("Unknown outcome"), chapter 20 §5.1 ("expires_after"), chapter 50 §5: when an acquirer is asked. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextAsk, reverseAgainWithinMs } from './ask-times.ts'

const start = new Date('2026-02-03T10:00:00Z')
const minute = 60
const hour = 60 * minute
const day = 24 * hour

/** Seconds after the start at which it is asked, when no question gets an answer; at most `most` of them. */
function asks(until: number | null, most = 200): readonly number[] {
  const payerHasUntil = until === null ? null : new Date(start.getTime() + until * 1000)
  const moments: number[] = []
  let at = start
  while (moments.length < most) {
    const next = nextAsk(at, moments.length, payerHasUntil)
    if (next === null) break
    moments.push((next.getTime() - start.getTime()) / 1000)
    at = next
  }
  return moments
}

const plan = [5, 30, 120, 600, hour, 6 * hour, day]
const planned = plan.map((_, index) => plan.slice(0, index + 1).reduce((sum, seconds) => sum + seconds))

test('without a payer the plan of seven questions ends', () => assert.deepEqual(asks(null), planned))

test('a reversal is repeated every five minutes for two hours, then hourly for a day, and then an operator decides', () => {
  const againAfter = (seconds: number): number | null => {
    const now = new Date(start.getTime() + seconds * 1000)
    const ms = reverseAgainWithinMs(now, { createdAt: start })
    return ms === null ? null : ms / 1000
  }
  assert.deepEqual([0, 2 * hour - 1, 2 * hour, day - 1, day].map(againAfter), [
    5 * minute,
    5 * minute,
    hour,
    hour,
    null,
  ])
})

test('the end of the payer’s time is a question of its own', () => {
  const quarter = asks(15 * minute)
  assert.ok(quarter.includes(15 * minute))
  assert.deepEqual(quarter.slice(0, 4), planned.slice(0, 4))
})

for (const days of [1, 3, 90]) {
  test(`a payer with ${days} days is waited for to the end, with a question every day`, () => {
    const moments = asks(days * day)
    assert.ok(moments.includes(days * day))
    const gaps = moments.map((moment, index) => moment - (moments[index - 1] ?? 0))
    assert.ok(Math.max(...gaps) <= day)
  })
}

test('polling stops a month after the payer’s time', () => {
  const last = asks(3 * day, 10_000).at(-1) ?? 0
  assert.ok(last >= 33 * day && last <= 35 * day)
})
