import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countedSince, hasRoom } from './retry-budget.ts'

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
    assert.equal(hasRoom(network, tries, now), room)
  })
}

test('tries are looked for as far back as the longest window, and not at all where nobody counts', () => {
  assert.deepEqual(countedSince('mastercard', now), hoursAgo(30 * 24))
  assert.equal(countedSince('amex', now), null)
  assert.equal(countedSince(null, now), null)
})
