import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  addDays,
  dateTimeIn,
  dayIn,
  daysInMonth,
  financialDay,
  instantAt,
  isBookingDay,
  isDay,
  isZone,
  weekdayOf,
} from './day.ts'

const at = (iso: string): Date => new Date(iso)

test('a day exists in the calendar', () => {
  for (const day of ['2026-01-31', '2024-02-29', '2000-02-29', '2026-12-31', '0001-01-01', '9999-12-31']) {
    assert.ok(isDay(day), day)
  }
  for (const day of [
    '2026-02-29',
    '1900-02-29',
    '2026-04-31',
    '2026-13-01',
    '2026-00-10',
    '2026-01-00',
    '2026-01-32',
    '0000-01-01',
    '0000-02-29',
  ]) {
    assert.ok(!isDay(day), day)
  }
})

test('money is booked on a day of this century', () => {
  for (const day of ['2000-01-01', '2028-02-29', '2099-12-31']) assert.ok(isBookingDay(day), day)
  for (const day of ['0000-01-01', '0001-01-01', '1026-03-01', '1999-12-31', '2100-01-01', '9999-12-31', '2026-02-29'])
    assert.ok(!isBookingDay(day), day)
})

test('a day is written in exactly one form', () => {
  for (const text of [
    '',
    '2026-1-1',
    '26-01-01',
    '20260101',
    '2026/01/01',
    ' 2026-01-01',
    '2026-01-01\n',
    '+002026-01-01',
  ]) {
    assert.ok(!isDay(text), text)
  }
})

test('a month ends on the same day as in the calendar of the runtime', () => {
  for (let year = 1890; year <= 2110; year += 1) {
    for (let month = 1; month <= 12; month += 1) {
      assert.equal(daysInMonth(year, month), at(new Date(Date.UTC(year, month, 0)).toISOString()).getUTCDate())
    }
  }
})

const anyDay = fc
  .tuple(fc.integer({ min: 1970, max: 2199 }), fc.nat(365))
  .map(([year, n]) => addDays(`${year}-01-01`, n))

test('days are counted over months, years and leap days', () => {
  assert.equal(addDays('2026-12-31', 1), '2027-01-01')
  assert.equal(addDays('2024-02-28', 1), '2024-02-29')
  assert.equal(addDays('2026-02-28', 1), '2026-03-01')
  assert.equal(addDays('2026-03-01', -1), '2026-02-28')
  assert.equal(addDays('2026-03-10', 14), '2026-03-24')
  fc.assert(
    fc.property(anyDay, fc.integer({ min: -5000, max: 5000 }), (day, count) => {
      const moved = addDays(day, count)
      assert.ok(isDay(moved))
      assert.equal(addDays(moved, -count), day)
      assert.equal(moved > day, count > 0)
    }),
  )
})

test('the week begins on Monday with 1 and ends on Sunday with 7', () => {
  assert.equal(weekdayOf('2026-03-09'), 1)
  assert.equal(weekdayOf('2026-03-11'), 3)
  assert.equal(weekdayOf('2026-03-15'), 7)
  fc.assert(fc.property(anyDay, (day) => assert.equal(weekdayOf(addDays(day, 1)), (weekdayOf(day) % 7) + 1)))
})

test('an instant is shown in the zone asked for', () => {
  const instant = at('2026-03-10T23:30:05.999Z')
  assert.equal(dateTimeIn(instant, 'UTC'), '2026-03-10 23:30:05')
  assert.equal(dateTimeIn(instant, 'Europe/Berlin'), '2026-03-11 00:30:05')
  assert.equal(dateTimeIn(instant, 'America/New_York'), '2026-03-10 19:30:05')
  assert.equal(dateTimeIn(instant, 'Asia/Kathmandu'), '2026-03-11 05:15:05')
  assert.equal(dayIn(instant, 'Asia/Tokyo'), '2026-03-11')
  assert.equal(dayIn(instant, 'Pacific/Honolulu'), '2026-03-10')
})

test('midnight is 00 and not 24', () => {
  assert.equal(dateTimeIn(at('2026-03-10T00:00:00Z'), 'UTC'), '2026-03-10 00:00:00')
  assert.equal(dateTimeIn(at('2026-03-09T23:00:00Z'), 'Europe/Berlin'), '2026-03-10 00:00:00')
})

test('UTC reads the same under each of its names', () => {
  fc.assert(
    fc.property(fc.date({ min: at('1970-01-01'), max: at('2199-12-31'), noInvalidDate: true }), (instant) => {
      assert.equal(dateTimeIn(instant, 'UTC'), dateTimeIn(instant, 'Etc/UTC'))
    }),
  )
})

test('summer time is followed', () => {
  assert.equal(dateTimeIn(at('2026-03-29T00:59:59Z'), 'Europe/Berlin'), '2026-03-29 01:59:59')
  assert.equal(dateTimeIn(at('2026-03-29T01:00:00Z'), 'Europe/Berlin'), '2026-03-29 03:00:00')
})

test('a zone is a name of the IANA data base, not an offset', () => {
  for (const zone of ['UTC', 'Europe/Berlin', 'Asia/Calcutta', 'America/Argentina/Buenos_Aires'])
    assert.ok(isZone(zone), zone)
  for (const zone of ['', 'Mars/Olympus', '+01:00', 'Europe/Berlin ', 'local']) assert.ok(!isZone(zone), zone)
})

test('by default the financial day is the calendar day in UTC', () => {
  assert.equal(financialDay(at('2026-03-10T00:00:00Z')), '2026-03-10')
  assert.equal(financialDay(at('2026-03-10T23:59:59.999Z')), '2026-03-10')
})

test('a financial day begins at the cut-off of the day it is named after', () => {
  const evening = { cutOff: '18:00', zone: 'Europe/Berlin' }
  assert.equal(financialDay(at('2026-03-10T16:59:59Z'), evening), '2026-03-09')
  assert.equal(financialDay(at('2026-03-10T17:00:00Z'), evening), '2026-03-10')
  assert.equal(financialDay(at('2026-03-11T16:59:59Z'), evening), '2026-03-10')
  assert.equal(financialDay(at('2026-07-10T16:00:00Z'), evening), '2026-07-10')
  assert.equal(financialDay(at('2026-07-10T15:59:59Z'), evening), '2026-07-09')
})

test('a financial day that has begun does not end when the clock is put back', () => {
  // On 2026-10-25 the clock of Berlin shows 02:00 to 02:59 twice, at 00:00Z and at 01:00Z.
  const night = { cutOff: '02:30', zone: 'Europe/Berlin' }
  assert.equal(financialDay(at('2026-10-25T00:29:59Z'), night), '2026-10-24')
  assert.equal(financialDay(at('2026-10-25T00:30:00Z'), night), '2026-10-25')
  assert.equal(financialDay(at('2026-10-25T01:00:00Z'), night), '2026-10-25')
  assert.equal(financialDay(at('2026-10-25T01:29:59Z'), night), '2026-10-25')
  assert.equal(financialDay(at('2026-10-26T01:29:59Z'), night), '2026-10-25')
})

test('a cut-off after the hour that is repeated is not taken for one inside it', () => {
  const later = { cutOff: '03:15', zone: 'Europe/Berlin' }
  assert.equal(financialDay(at('2026-10-25T01:30:00Z'), later), '2026-10-24')
  assert.equal(financialDay(at('2026-10-25T02:14:59Z'), later), '2026-10-24')
  assert.equal(financialDay(at('2026-10-25T02:15:00Z'), later), '2026-10-25')
})

test('a cut-off that the clock leaps over begins the day at the leap', () => {
  const night = { cutOff: '02:30', zone: 'Europe/Berlin' }
  assert.equal(financialDay(at('2026-03-29T00:59:59Z'), night), '2026-03-28')
  assert.equal(financialDay(at('2026-03-29T01:00:00Z'), night), '2026-03-29')
})

test('a later instant never has an earlier financial day', () => {
  const zone = fc.constantFrom(
    'UTC',
    'Europe/Berlin',
    'America/New_York',
    'Australia/Lord_Howe',
    'Asia/Kathmandu',
    'Africa/Cairo',
  )
  const time = fc
    .tuple(fc.nat(23), fc.nat(59))
    .map((pair) => pair.map((part) => String(part).padStart(2, '0')).join(':'))
  // Around the clock changes of 2026 in those zones, where it could go wrong.
  const change = fc.constantFrom(
    '2026-03-29T01:00Z',
    '2026-10-25T01:00Z',
    '2026-11-01T06:00Z',
    '2026-04-04T15:00Z',
    '2026-10-29T21:00Z',
  )
  const minutes = fc.integer({ min: -300, max: 300 })
  fc.assert(
    fc.property(zone, time, change, minutes, fc.nat(300), (name, cutOff, near, start, length) => {
      const from = at(near).getTime() + start * 60_000
      const day = (ms: number): string => financialDay(new Date(ms), { cutOff, zone: name })
      assert.ok(day(from) <= day(from + length * 60_000))
    }),
    { numRuns: 1000 },
  )
})

// biome-ignore format: a table is read in columns.
const clocks = [
  // shown                 zone               instant                       what is special
  ['2026-03-10 11:51:53', 'UTC',              '2026-03-10T11:51:53.000Z', 'nothing'],
  ['2026-01-15 09:30:00', 'America/New_York', '2026-01-15T14:30:00.000Z', 'winter'],
  ['2026-07-15 09:30:00', 'America/New_York', '2026-07-15T13:30:00.000Z', 'summer'],
  ['2026-03-29 02:30:00', 'Europe/Berlin',    '2026-03-29T01:30:00.000Z', 'put forward over it: an hour later'],
  ['2026-10-25 02:30:00', 'Europe/Berlin',    '2026-10-25T00:30:00.000Z', 'shown twice: the first'],
  ['2026-03-29 03:00:00', 'Europe/Berlin',    '2026-03-29T01:00:00.000Z', 'the moment it is put forward'],
  ['2026-10-25 03:00:00', 'Europe/Berlin',    '2026-10-25T02:00:00.000Z', 'the moment it is not shown twice any more'],
  ['2026-03-10 00:00:00', 'Asia/Kathmandu',   '2026-03-09T18:15:00.000Z', 'an offset of quarters'],
  ['2026-03-10 00:00:00', 'Pacific/Kiritimati', '2026-03-09T10:00:00.000Z', 'the far side of the date line'],
] as const

for (const [shown, zone, instant, special] of clocks) {
  test(`clocks in ${zone} show ${shown} at ${instant} (${special})`, () => {
    assert.equal(instantAt(shown, zone).toISOString(), instant)
  })
}

test('what clocks show at an instant leads back to it, or to the first of two instants that they show alike', () => {
  const zones = fc.constantFrom(
    'UTC',
    'Europe/Berlin',
    'America/New_York',
    'Australia/Lord_Howe',
    'Asia/Kathmandu',
    'Africa/Casablanca',
  )
  const seconds = fc.integer({ min: Date.parse('2000-01-01') / 1000, max: Date.parse('2040-01-01') / 1000 })
  fc.assert(
    fc.property(zones, seconds, (zone, second) => {
      const instant = new Date(second * 1000)
      const found = instantAt(dateTimeIn(instant, zone), zone)
      assert.ok(found <= instant)
      assert.equal(dateTimeIn(found, zone), dateTimeIn(instant, zone))
    }),
  )
})
