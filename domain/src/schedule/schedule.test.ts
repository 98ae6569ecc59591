import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { addDays, isDay, weekdayOf } from './day.ts'
import { firstDate, type IntervalUnit, normaliseSchedule, planDate, type Schedule } from './schedule.ts'
import { monthly } from './testing/schedule-example.ts'
import { addUnits, ymd } from './testing/schedule-model.ts'

const from = (initiatedOn: string, startDate: string | null = null) => ({ initiatedOn, startDate })
/** The dates of plan payments 1 to `count`. */
const planDates = (schedule: Schedule, start: Parameters<typeof planDate>[1], count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => planDate(schedule, start, index + 1)).filter((date) => date !== null)
const every = (length: number, unit: IntervalUnit): Schedule => ({
  ...monthly,
  intervalLength: length,
  intervalUnit: unit,
})
const delayed = (length: number, unit: IntervalUnit): Partial<Schedule> => ({
  delayedFirstPayment: 'delay_by_interval',
  firstPaymentIntervalLength: length,
  firstPaymentIntervalUnit: unit,
})
const onWeekday = (day: number): Partial<Schedule> => ({
  delayedFirstPayment: 'day_of_week',
  firstPaymentDayOfWeek: day,
})
const onMonthday = (day: number): Partial<Schedule> => ({
  delayedFirstPayment: 'day_of_month',
  firstPaymentDayOfMonth: day,
})

// Chapter 10 §9.4, row by row; "monday" and 1 are the same once the protocol has read them.
// biome-ignore format: a table is read in columns.
const workedExamples: readonly [string, Schedule, Partial<Schedule>, string][] = [
  // D            interval             first payment and day     plan
  [ '2026-03-10', every(14, 'day'),    {},                       '2026-03-24 2026-04-07 2026-04-21' ],
  [ '2026-01-31', every(1, 'month'),   {},                       '2026-02-28 2026-03-31 2026-04-30 2026-05-31' ],
  [ '2026-01-20', every(1, 'month'),   { dayOfMonth: 15 },       '2026-02-15 2026-03-15 2026-04-15' ],
  [ '2026-01-10', every(1, 'month'),   { dayOfMonth: 31 },       '2026-02-28 2026-03-31 2026-04-30' ],
  [ '2024-02-29', every(1, 'year'),    {},                       '2025-02-28 2026-02-28 2027-02-28 2028-02-29' ],
  [ '2026-01-30', every(1, 'month'),   delayed(3, 'day'),        '2026-02-02 2026-03-02 2026-04-02' ],
  [ '2026-01-31', every(1, 'month'),   delayed(1, 'month'),      '2026-02-28 2026-03-31 2026-04-30' ],
  [ '2026-03-11', every(1, 'week'),    onWeekday(1),             '2026-03-16 2026-03-23 2026-03-30' ],
  [ '2026-03-09', every(1, 'week'),    onWeekday(1),             '2026-03-16 2026-03-23 2026-03-30' ],
  [ '2026-01-05', every(1, 'month'),   onMonthday(10),           '2026-01-10 2026-02-10 2026-03-10' ],
  [ '2026-01-15', every(1, 'month'),   onMonthday(10),           '2026-02-10 2026-03-10 2026-04-10' ],
  [ '2026-02-10', every(1, 'month'),   onMonthday(31),           '2026-02-28 2026-03-31 2026-04-30' ],
  [ '2026-03-31', every(1, 'month'),   onMonthday(31),           '2026-04-30 2026-05-31 2026-06-30' ],
]

for (const [d, interval, rule, expected] of workedExamples) {
  const { intervalLength, intervalUnit } = interval
  test(`from ${d} every ${intervalLength} ${intervalUnit} with ${JSON.stringify(rule)}: ${expected}`, () => {
    const dates = expected.split(' ')
    const schedule = { ...interval, ...rule }
    assert.deepEqual(planDates(schedule, from(d), dates.length), dates)
    assert.equal(firstDate(schedule, from(d)), dates[0])
  })
}

test('a start date overrides every rule of the schedule for the first payment', () => {
  const rules = [{}, { dayOfMonth: 15 }, delayed(3, 'day'), onWeekday(1), onMonthday(10), { delays: 2 }]
  for (const rule of rules) {
    const dates = planDates({ ...monthly, ...rule }, from('2026-03-10', '2026-05-31'), 3)
    assert.deepEqual(dates, ['2026-05-31', '2026-06-30', '2026-07-31'])
  }
})

test('day_of_month of the schedule counts with none and months alone', () => {
  const rules = [delayed(3, 'day'), onWeekday(1), onMonthday(10)]
  for (const rule of rules) {
    const schedule = { ...monthly, ...rule }
    assert.deepEqual(
      planDates({ ...schedule, dayOfMonth: 25 }, from('2026-03-10'), 5),
      planDates(schedule, from('2026-03-10'), 5),
    )
  }
  for (const unit of ['day', 'week', 'year'] as const) {
    const schedule = every(1, unit)
    assert.deepEqual(
      planDates({ ...schedule, dayOfMonth: 25 }, from('2026-03-10'), 5),
      planDates(schedule, from('2026-03-10'), 5),
    )
  }
})

test('delays of a schedule brought over skip whole intervals', () => {
  assert.deepEqual(planDates({ ...monthly, delays: 2 }, from('2026-01-31'), 3), [
    '2026-04-30',
    '2026-05-31',
    '2026-06-30',
  ])
  assert.deepEqual(planDates({ ...monthly, delays: 0 }, from('2026-01-31'), 2), ['2026-02-28', '2026-03-31'])
  assert.equal(firstDate({ ...every(2, 'week'), delays: 1 }, from('2026-03-10')), '2026-04-07')
})

test('a delay is independent of the interval, and keeps the wanted day when it is one of months or years', () => {
  const yearAfterLeapDay = { ...monthly, ...delayed(1, 'year') }
  assert.deepEqual(planDates(yearAfterLeapDay, from('2024-02-29'), 3), ['2025-02-28', '2025-03-29', '2025-04-29'])
  const weekly = { ...every(1, 'week'), ...delayed(1, 'month') }
  assert.deepEqual(planDates(weekly, from('2026-01-31'), 3), ['2026-02-28', '2026-03-07', '2026-03-14'])
})

test('a day of the month that is clamped onto D does not lie after it', () => {
  assert.equal(firstDate({ ...monthly, ...onMonthday(31) }, from('2026-02-28')), '2026-03-31')
  assert.equal(firstDate({ ...monthly, ...onMonthday(1) }, from('2026-12-31')), '2027-01-01')
})

test('ten years of the 31st end every month on its last day', () => {
  const dates = planDates(monthly, from('2026-01-31'), 120)
  const lastDays = Array.from({ length: 120 }, (_, k) => new Date(Date.UTC(2026, k + 2, 0)).toISOString().slice(0, 10))
  assert.deepEqual(dates, lastDays)
})

test('ten years from a leap day keep February and see the 29th again in leap years alone', () => {
  const dates = planDates(every(1, 'year'), from('2024-02-29'), 10)
  const leap = dates.filter((date) => date.endsWith('-29'))
  assert.deepEqual(leap, ['2028-02-29', '2032-02-29'])
  assert.ok(dates.every((date) => leap.includes(date) || date.endsWith('-02-28')))
  assert.equal(planDate(every(4, 'year'), from('2096-02-29'), 1), '2100-02-28')
  assert.equal(planDate(every(4, 'year'), from('2096-02-29'), 2), '2104-02-29')
})

test('ten years of weeks stay on the weekday', () => {
  const dates = planDates({ ...every(1, 'week'), ...onWeekday(5) }, from('2026-03-11'), 522)
  assert.equal(dates.length, 522)
  dates.forEach((date, index) => {
    assert.equal(date, addDays('2026-03-13', 7 * index))
    assert.equal(weekdayOf(date), 5)
  })
})

test('the calendar ends with the year 9999, and so does every grid', () => {
  assert.deepEqual(planDates(every(999, 'year'), from('2026-03-10', '8500-06-30'), 5), ['8500-06-30', '9499-06-30'])
  for (const unit of ['day', 'week', 'month', 'year'] as const) {
    const start = from('2026-03-10', '9999-12-31')
    assert.deepEqual(planDates(every(1, unit), start, 3), ['9999-12-31'])
    assert.equal(planDate(every(999, unit), start, 9999), null)
  }
  assert.equal(firstDate({ ...every(999, 'year'), delays: 9 }, from('2026-03-10')), null)
})

const anyDay = fc.integer({ min: 0, max: 60_000 }).map((count) => addDays('1990-01-01', count))
const anyUnit = fc.constantFrom<IntervalUnit>('day', 'week', 'month', 'year')
const anyLength = fc.integer({ min: 1, max: 40 })
const anyRule = fc.oneof(
  fc.constant({}),
  fc.integer({ min: 1, max: 31 }).map((dayOfMonth) => ({ dayOfMonth })),
  fc.tuple(anyLength, anyUnit).map(([length, unit]) => delayed(length, unit)),
  fc.integer({ min: 1, max: 7 }).map(onWeekday),
  fc.integer({ min: 1, max: 31 }).map(onMonthday),
  fc.nat(5).map((delays) => ({ delays })),
)
const anySchedule = fc
  .tuple(anyLength, anyUnit, anyRule)
  .map(([length, unit, rule]) => normaliseSchedule({ ...every(length, unit), ...rule }))

test('the k-th payment is counted from the anchor by the formula of the interface, never from the one before', () => {
  const k = fc.integer({ min: 1, max: 100 })
  fc.assert(
    fc.property(anyDay, anyUnit, anyLength, fc.nat(3), k, (d, unit, length, delays, index) => {
      const schedule = { ...every(length, unit), delays }
      assert.equal(planDate(schedule, from(d), index), addUnits(ymd(d), (index + delays) * length, unit))
      assert.equal(
        planDate(schedule, from('2026-01-01', d), index),
        addUnits(ymd(d), (index - 1) * length, unit),
        'with a start date',
      )
    }),
    { numRuns: 1000 },
  )
})

test('day_of_month replaces the day of D and is clamped in each month by itself', () => {
  const day = fc.integer({ min: 1, max: 31 })
  fc.assert(
    fc.property(anyDay, anyLength, day, fc.integer({ min: 1, max: 100 }), (d, length, dayOfMonth, k) => {
      const [year, month] = ymd(d)
      const expected = addUnits([year, month, dayOfMonth], k * length, 'month')
      assert.equal(planDate({ ...every(length, 'month'), dayOfMonth }, from(d), k), expected)
    }),
  )
})

test('whatever the rule, dates exist, lie after D and strictly increase', () => {
  fc.assert(
    fc.property(anySchedule, anyDay, (schedule, d) => {
      const dates = planDates(schedule, from(d), 30)
      assert.equal(dates.length, 30)
      assert.ok(dates.every(isDay))
      ;[d, ...dates].reduce((before, date) => {
        assert.ok(date > before, `${date} after ${before}`)
        return date
      })
    }),
    { numRuns: 500 },
  )
})

test('the first payment on a weekday comes within the next seven days, on that weekday', () => {
  fc.assert(
    fc.property(anyDay, fc.integer({ min: 1, max: 7 }), (d, weekday) => {
      const date = firstDate({ ...monthly, ...onWeekday(weekday) }, from(d)) ?? ''
      assert.equal(weekdayOf(date), weekday)
      assert.ok(date > d && date <= addDays(d, 7))
    }),
  )
})

test('the first payment on a day of the month is the nearest one after D', () => {
  fc.assert(
    fc.property(anyDay, fc.integer({ min: 1, max: 31 }), (d, wanted) => {
      const fits = (day: string): boolean => {
        const [year, month] = ymd(day)
        return day === addUnits([year, month, wanted], 0, 'month')
      }
      let nearest = addDays(d, 1)
      while (!fits(nearest)) nearest = addDays(nearest, 1)
      assert.equal(firstDate({ ...monthly, ...onMonthday(wanted) }, from(d)), nearest)
    }),
  )
})

test('fields of another first-payment rule and a day without months are dropped', () => {
  const full: Schedule = {
    ...monthly,
    dayOfMonth: 15,
    firstPaymentIntervalLength: 3,
    firstPaymentIntervalUnit: 'week',
    firstPaymentDayOfWeek: 2,
    firstPaymentDayOfMonth: 20,
    delays: 1,
    paused: true,
  }
  const usedFields = { ...monthly, dayOfMonth: 15, delays: 1, paused: true }
  assert.deepEqual(normaliseSchedule(full), usedFields)
  assert.deepEqual(normaliseSchedule({ ...full, ...delayed(3, 'week') }), { ...usedFields, ...delayed(3, 'week') })
  assert.deepEqual(normaliseSchedule({ ...full, ...onWeekday(2) }), { ...usedFields, ...onWeekday(2) })
  assert.deepEqual(normaliseSchedule({ ...full, ...onMonthday(20) }), { ...usedFields, ...onMonthday(20) })
  for (const intervalUnit of ['day', 'week', 'year'] as const) {
    assert.equal(normaliseSchedule({ ...full, intervalUnit }).dayOfMonth, null)
  }
})

test('a schedule that lacks a field of its rule is a fault, not a guess', () => {
  for (const delayedFirstPayment of ['delay_by_interval', 'day_of_week', 'day_of_month'] as const) {
    assert.throws(() => firstDate({ ...monthly, delayedFirstPayment }, from('2026-03-10')), /lacks a field/)
  }
})
