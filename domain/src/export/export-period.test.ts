import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays } from '../schedule/day.ts'
import {
  type ExportTimes,
  exportPeriods,
  firstPeriodDueAfter,
  lastPeriodEndedAt,
  periodAfter,
  periodOf,
} from './export-period.ts'

const berlin = (changes: Partial<ExportTimes> = {}): ExportTimes => ({
  period: 'day',
  timeZone: 'Europe/Berlin',
  minuteOfDay: 6 * 60,
  ...changes,
})
const textOf = ({ label, from, to, dueAt }: ReturnType<typeof periodOf>): string =>
  [label, ...[from, to, dueAt].map((at) => at.toISOString().slice(0, 16))].join(' ')

// biome-ignore format: a table is read in columns.
const cases = [
  // day          times                                          label, from, to, due in UTC                                    why
  ['2026-03-27', berlin(),                                       '2026-03-27 2026-03-26T23:00 2026-03-27T23:00 2026-03-28T05:00', 'a day of winter time'],
  ['2026-03-28', berlin(),                                       '2026-03-28 2026-03-27T23:00 2026-03-28T23:00 2026-03-29T04:00', 'due at 06:00 of the first day of summer time'],
  ['2026-03-29', berlin(),                                       '2026-03-29 2026-03-28T23:00 2026-03-29T22:00 2026-03-30T04:00', 'the day of 23 hours'],
  ['2026-10-25', berlin(),                                       '2026-10-25 2026-10-24T22:00 2026-10-25T23:00 2026-10-26T05:00', 'the day of 25 hours'],
  ['2026-03-28', berlin({ minuteOfDay: 150 }),                   '2026-03-28 2026-03-27T23:00 2026-03-28T23:00 2026-03-29T01:30', '02:30 does not exist on that day'],
  ['2026-10-24', berlin({ minuteOfDay: 150 }),                   '2026-10-24 2026-10-23T22:00 2026-10-24T22:00 2026-10-25T00:30', '02:30 comes twice: the first counts'],
  ['2026-03-27', berlin({ minuteOfDay: 0 }),                     '2026-03-27 2026-03-26T23:00 2026-03-27T23:00 2026-03-27T23:05', 'at midnight: not before all payments are stored'],
  ['2026-01-01', berlin({ period: 'week', timeZone: 'UTC' }),    '2026-W01 2025-12-29T00:00 2026-01-05T00:00 2026-01-05T06:00', 'the first week of a year begins in December'],
  ['2027-01-01', berlin({ period: 'week', timeZone: 'UTC' }),    '2026-W53 2026-12-28T00:00 2027-01-04T00:00 2027-01-04T06:00', 'a year with 53 weeks'],
  ['2028-02-10', berlin({ period: 'month' }),                    '2028-02 2028-01-31T23:00 2028-02-29T23:00 2028-03-01T05:00', 'February of a leap year'],
  ['2026-12-31', berlin({ period: 'month', timeZone: 'UTC' }),   '2026-12 2026-12-01T00:00 2027-01-01T00:00 2027-01-01T06:00', 'the end of a year'],
] as const

for (const [day, times, expected, why] of cases)
  test(`a period has its limits and its time: ${why}`, () => {
    assert.equal(textOf(periodOf(times, day)), expected)
  })

for (const timeZone of ['Europe/Berlin', 'America/Sao_Paulo', 'Asia/Beirut', 'Pacific/Apia', 'UTC'])
  test(`periods follow each other without gap or overlap in ${timeZone}`, () => {
    for (const period of exportPeriods) {
      const times = berlin({ period, timeZone })
      let one = periodOf(times, '2026-01-01')
      while (one.firstDay < '2027-06-01') {
        const next = periodAfter(times, one)
        assert.equal(next.from.getTime(), one.to.getTime(), one.label)
        assert.equal(periodOf(times, addDays(next.firstDay, -1)).label, one.label)
        assert.ok(one.dueAt > one.to, 'due when it is over')
        assert.notEqual(next.label, one.label)
        one = next
      }
    }
  })

test('the first period of a new schedule is the one whose time comes next', () => {
  const at = (text: string) => firstPeriodDueAfter(berlin(), new Date(text)).label
  assert.deepEqual(
    [at('2026-03-10T04:59:59Z'), at('2026-03-10T05:00:00Z'), at('2026-03-10T22:59:00Z')],
    ['2026-03-09', '2026-03-10', '2026-03-10'],
  )
  assert.equal(firstPeriodDueAfter(berlin({ period: 'month' }), new Date('2026-03-10T12:00:00Z')).label, '2026-03')
})

test('a period is over only when its payments are all stored', () => {
  const at = (text: string) => lastPeriodEndedAt(berlin({ timeZone: 'UTC' }), new Date(text)).label
  assert.deepEqual([at('2026-03-10T00:04:59Z'), at('2026-03-10T00:05:00Z')], ['2026-03-08', '2026-03-09'])
})
