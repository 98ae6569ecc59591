import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasRoom, openWindows, readBudgets, spentWindow, usualBudgets } from './budget.ts'

const now = new Date('2026-03-31T12:00:00Z')
const hoursAgo = (hours: number): Date => new Date(now.getTime() - hours * 3_600_000)
const many = (count: number, hours: number): readonly Date[] => Array.from({ length: count }, () => hoursAgo(hours))

// biome-ignore format: a table is read in columns.
const cases = [
  // network       tries so far                                  one more
  ['visa',        [],                                            true],
  ['visa',        many(19, 1),                                   true],
  ['visa',        many(20, 1),                                   false],
  ['visa',        many(20, 30 * 24 - 1),                         false],
  ['visa',        many(20, 30 * 24),                             true],
  ['mastercard',  many(9, 1),                                    true],
  ['mastercard',  many(10, 23),                                  false],
  ['mastercard',  many(10, 24),                                  true],
  ['mastercard',  [...many(9, 1), ...many(25, 48)],              true],
  ['mastercard',  [...many(9, 1), ...many(26, 48)],              false],
  ['mastercard',  many(35, 29 * 24),                             false],
  ['amex',        many(500, 1),                                  true],
  [null,          many(500, 1),                                  true],
] as const

for (const [network, tries, room] of cases) {
  const at = tries.map((try_) => (now.getTime() - try_.getTime()) / 3_600_000)
  test(`${network}: after ${tries.length} tries ${at[0] ?? 0} h ago there is ${room ? '' : 'no '}room for one more`, () => {
    assert.equal(hasRoom(openWindows(usualBudgets, network, now), tries), room)
  })
}

test('the setting changes the windows of the networks it names, and of no other', () => {
  const budgets = readBudgets('visa 2/24h, 5/30d; amex 3/7d')
  assert.deepEqual(budgets?.['visa'], [
    { tries: 2, withinMs: 86_400_000 },
    { tries: 5, withinMs: 30 * 86_400_000 },
  ])
  assert.deepEqual(budgets?.['amex'], [{ tries: 3, withinMs: 7 * 86_400_000 }])
  assert.deepEqual(budgets?.['mastercard'], usualBudgets['mastercard'])
})

test('a network that is named without windows has no limit', () => {
  assert.deepEqual(openWindows(readBudgets('visa') ?? {}, 'visa', now), [])
})

test('an invalid text is refused', () => {
  for (const text of ['', 'visa 20', 'visa 0/24h', 'visa 20/30m', 'visa 20/30d,', 'Visa 20/30d', ';'])
    assert.equal(readBudgets(text), null, text)
})

test('the spent window is reported, the shortest if several are spent', () => {
  const budgets = readBudgets('mastercard 2/24h, 3/30d') ?? {}
  const spent = (...hours: readonly number[]) => spentWindow(budgets, 'mastercard', hours.map(hoursAgo), now)
  assert.equal(spent(1), null)
  assert.deepEqual(spent(1, 2), { tries: 2, withinMs: 24 * 3_600_000 })
  assert.deepEqual(spent(1, 30, 40), { tries: 3, withinMs: 30 * 24 * 3_600_000 })
  assert.deepEqual(spent(1, 2, 40), { tries: 2, withinMs: 24 * 3_600_000 })
  assert.equal(spentWindow(budgets, 'amex', [now, now], now), null)
})
