import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isAtLeast } from './alert-severity.ts'
import { type DeliveryRules, deliveryTime, isTimeZone } from './delivery-time.ts'

const rules = (changes: Partial<DeliveryRules> = {}): DeliveryRules => ({
  quiet: null,
  timeZone: 'Europe/Berlin',
  digestMinutes: 0,
  ...changes,
})
const night = { from: 22 * 60, until: 7 * 60 }
const timeOf = (text: string, severity: 'notice' | 'warning' | 'critical', of: DeliveryRules): string =>
  deliveryTime(new Date(text), severity, of).toISOString()

// biome-ignore format: a table is read in columns.
const cases = [
  // raised                      severity    rules                                   sent                        why
  ['2026-03-01T12:00:30.000Z',  'warning',  rules(),                                '2026-03-01T12:00:30.000Z', 'at once'],
  ['2026-03-01T12:00:30.000Z',  'warning',  rules({ digestMinutes: 60 }),           '2026-03-01T13:00:00.000Z', 'with the digest of the hour'],
  ['2026-03-01T13:00:00.000Z',  'warning',  rules({ digestMinutes: 60 }),           '2026-03-01T13:00:00.000Z', 'exactly at a digest'],
  ['2026-03-01T12:00:30.000Z',  'critical', rules({ digestMinutes: 60 }),           '2026-03-01T12:00:30.000Z', 'critical: no digest'],
  ['2026-03-01T22:30:10.000Z',  'warning',  rules({ quiet: night }),                '2026-03-02T06:00:00.000Z', '23:30 in Berlin waits until 07:00'],
  ['2026-03-02T05:59:59.000Z',  'notice',   rules({ quiet: night }),                '2026-03-02T06:00:00.000Z', '06:59 in Berlin'],
  ['2026-03-02T06:00:00.000Z',  'notice',   rules({ quiet: night }),                '2026-03-02T06:00:00.000Z', '07:00 is no longer quiet'],
  ['2026-03-01T22:30:10.000Z',  'critical', rules({ quiet: night }),                '2026-03-01T22:30:10.000Z', 'critical: at night, too'],
  ['2026-03-01T20:59:00.000Z',  'warning',  rules({ quiet: night, digestMinutes: 60 }), '2026-03-02T06:00:00.000Z', 'the digest of 22:00 is in the quiet hours'],
  ['2026-03-28T22:00:00.000Z',  'warning',  rules({ quiet: night }),                '2026-03-29T06:00:00.000Z', 'the night of summer time is short; never before 07:00'],
  ['2026-10-24T21:00:00.000Z',  'warning',  rules({ quiet: night }),                '2026-10-25T06:00:00.000Z', 'the night of winter time is long'],
  ['2026-03-01T11:30:00.000Z',  'warning',  rules({ quiet: { from: 720, until: 780 } }), '2026-03-01T12:00:00.000Z', 'a range within the day'],
] as const

for (const [raised, severity, channelRules, sent, why] of cases)
  test(`an alert is sent in its time: ${why}`, () => {
    assert.equal(timeOf(raised, severity, channelRules), sent)
  })

test('severities are ordered', () => {
  assert.deepEqual(
    [isAtLeast('critical', 'warning'), isAtLeast('warning', 'warning'), isAtLeast('notice', 'warning')],
    [true, true, false],
  )
})

test('only time zones that exist are accepted', () => {
  assert.deepEqual(['Europe/Berlin', 'UTC', 'Mars/Olympus', ''].map(isTimeZone), [true, true, false, false])
})
