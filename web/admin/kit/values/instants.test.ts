import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dateText, dayOf, daysBefore, distanceText, durationText, endOfDay, startOfDay, zoneText } from './instants.ts'

test('a day ends at the first instant of the next day', () => {
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

test('a distance is shown in the largest suitable unit', () => {
  assert.match(distanceText(3 * 86_400_000), /3 days/)
  assert.match(distanceText(-90_000), /minute/)
  assert.match(distanceText(0), /now/)
})

test('a day without a time zone is the same day in every zone', () => {
  assert.match(dateText('2026-03-05'), /\b5\b/)
  assert.match(dateText('2026-12-31'), /2026/)
  assert.equal(dateText('no day'), 'no day')
})

test('the time zone is shown with its offset from UTC at that instant', () => {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  assert.match(zoneText(new Date('2026-07-01T00:00:00Z')), new RegExp(`^${timeZone}(, UTC.*)?$`))
})

test('a duration is shown in the largest unit that divides it', () => {
  assert.match(durationText(3600), /^1 hour$/)
  assert.match(durationText(5400), /^90 minutes$/)
  assert.match(durationText(86_400 * 7), /^7 days$/)
  assert.match(durationText(61), /^61 seconds$/)
})
