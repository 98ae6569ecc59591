import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limits } from './limits.ts'
import { retention } from './retention.ts'
import { readBudgets, usualBudgets } from './routing/budget.ts'

const day = 86_400_000
const days = { cards: 180, payers: 1095 }

test('an idempotency record is kept for exactly as long as the interface promises', () => {
  assert.equal(retention(days, usualBudgets)['idempotency keys'].keptMs, 24 * 3_600_000)
})

test('the operator sets periods in days', () => {
  const { cards, payers } = retention(days, usualBudgets)
  assert.deepEqual([cards.keptMs, payers.keptMs], [180 * day, 1095 * day])
})

test('tries of a card are kept until the longest window of any network is over', () => {
  assert.equal(retention(days, usualBudgets)['card tries'].keptMs, 30 * day)
  const longer = readBudgets('visa 5/90d')
  assert.ok(longer)
  assert.equal(retention(days, longer)['card tries'].keptMs, 90 * day)
  assert.equal(retention(days, {})['card tries'].keptMs, day)
})

test('counts outlive the longest period that a limit has, which is a month', () => {
  assert.ok(retention(days, usualBudgets)['limit counts'].keptMs > 31 * day)
})

test('a trace number outlives the last reversal that the reconciler sends', () => {
  const lastSeconds = limits.reconcile.afterSeconds.reduce<number>((sum, seconds) => sum + seconds, 0)
  assert.ok(retention(days, usualBudgets)['trace numbers'].keptMs > lastSeconds * 1000)
})

test('nothing is looked through less often than every quarter', () => {
  for (const { everyMs } of Object.values(retention(days, usualBudgets))) assert.ok(everyMs <= 90 * day)
})

test('a session outlives the longest time that one lasts', () => {
  assert.ok(retention(days, usualBudgets).sessions.keptMs > limits.checkout.sessionMinutesHigh * 60_000)
})
