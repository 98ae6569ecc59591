import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayOf, daysBefore, distanceText, endOfDay, startOfDay } from './instants.ts'

test('a day reaches from its first instant to that of the next', () => {
  const [from, to] = [startOfDay('2026-03-28'), endOfDay('2026-03-28')]
  assert.ok(from !== undefined && to !== undefined)
  assert.equal(dayOf(new Date(from)), '2026-03-28')
  assert.equal(dayOf(new Date(to)), '2026-03-29')
  assert.equal(startOfDay('no day'), undefined)
  assert.equal(endOfDay(''), undefined)
})

test('days are counted across months and leap days', () => {
  assert.equal(daysBefore('2028-03-01', 1), '2028-02-29')
  assert.equal(daysBefore('2026-01-01', 1), '2025-12-31')
  assert.equal(daysBefore('2026-01-01', 0), '2026-01-01')
})

test('a distance is told in the largest unit that fits', () => {
  assert.match(distanceText(3 * 86_400_000), /3 days/)
  assert.match(distanceText(-90_000), /minute/)
  assert.match(distanceText(0), /now/)
})
