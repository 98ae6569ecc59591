import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  afterFiring,
  afterResume,
  afterUpdate,
  comingDates,
  dueUpTo,
  type IntervalUnit,
  nextDue,
  noProgress,
  type PlanProgress,
  type PlanStart,
  paymentsLeft,
  type Schedule,
} from './schedule.ts'
import { monthly } from './testing/schedule-example.ts'

const from = (initiatedOn: string, startDate: string | null = null): PlanStart => ({ initiatedOn, startDate })
const every = (intervalLength: number, intervalUnit: IntervalUnit, paymentsCount: number): Schedule => ({
  ...monthly,
  intervalLength,
  intervalUnit,
  paymentsCount,
})
const onMondays: Partial<Schedule> = { delayedFirstPayment: 'day_of_week', firstPaymentDayOfWeek: 1 }

/** The plan that made its payments on exactly these dates, written apart by spaces. */
function planAfter(dates: string, schedule: Schedule, start: PlanStart): PlanProgress {
  return dates
    .split(' ')
    .filter((date) => date !== '')
    .reduce((plan, date) => {
      assert.equal(nextDue(plan, schedule, start), date)
      return afterFiring(plan, schedule, start)
    }, noProgress)
}

const coming = (plan: PlanProgress, schedule: Schedule, start: PlanStart): string =>
  comingDates(plan, schedule, start).join(' ')

// The first four rows are those of Chapter 10 §9.5.
// biome-ignore format: a table is read in columns.
const runs: readonly [string, Schedule, string, string, string][] = [
  // D            schedule                              made                     RUN           remaining dates
  [ '2026-01-31', every(1, 'month', 4),                 '2026-02-28',            '2026-05-10', '2026-05-31 2026-06-30 2026-07-31' ],
  [ '2026-01-31', every(1, 'month', 4),                 '2026-02-28',            '2026-05-31', '2026-05-31 2026-06-30 2026-07-31' ],
  [ '2026-03-10', every(14, 'day', 3),                  '2026-03-24',            '2026-04-10', '2026-04-21 2026-05-05' ],
  [ '2026-03-11', { ...every(1, 'week', 3), ...onMondays }, '',                  '2026-03-20', '2026-03-23 2026-03-30 2026-04-06' ],
  // Nothing fell into the pause.
  [ '2026-01-31', every(1, 'month', 3),                 '2026-02-28',            '2026-03-15', '2026-03-31 2026-04-30' ],
  [ '2026-01-31', every(1, 'month', 3),                 '',                      '2026-01-31', '2026-02-28 2026-03-31 2026-04-30' ],
  // The payment of the day of RUN was made before the pause, which began and ended on that day.
  [ '2026-01-31', every(1, 'month', 3),                 '2026-02-28',            '2026-02-28', '2026-03-31 2026-04-30' ],
  // Across the end of a year, and across leap days.
  [ '2026-08-31', every(1, 'month', 5),                 '2026-09-30 2026-10-31', '2027-01-30', '2027-01-31 2027-02-28 2027-03-31' ],
  [ '2027-11-30', every(1, 'month', 4),                 '2027-12-30',            '2028-02-01', '2028-02-29 2028-03-30 2028-04-30' ],
  [ '2024-02-29', every(1, 'year', 3),                  '2025-02-28',            '2027-03-01', '2028-02-29 2029-02-28' ],
  [ '2028-02-01', every(7, 'day', 4),                   '2028-02-08',            '2028-02-28', '2028-02-29 2028-03-07 2028-03-14' ],
]

for (const [d, schedule, before, runDay, expected] of runs) {
  const { intervalLength, intervalUnit } = schedule
  test(`from ${d} every ${intervalLength} ${intervalUnit}, made ${before || 'none'}, run on ${runDay}`, () => {
    const plan = afterResume(planAfter(before, schedule, from(d)), runDay)
    assert.equal(coming(plan, schedule, from(d)), expected)
  })
}

test('a plan is over after N payments and stays over', () => {
  const schedule = every(14, 'day', 3)
  const plan = planAfter('2026-03-24 2026-04-07 2026-04-21', schedule, from('2026-03-10'))
  assert.equal(nextDue(plan, schedule, from('2026-03-10')), null)
  assert.equal(paymentsLeft(plan, schedule), 0)
  assert.equal(plan.made, 3)
  assert.deepEqual(afterFiring(plan, schedule, from('2026-03-10')), plan)
  assert.equal(coming(afterResume(plan, '2026-06-01'), schedule, from('2026-03-10')), '')
})

test('after an outage every missed date is due, oldest first', () => {
  const schedule = every(1, 'week', 4)
  const plan = planAfter('2026-03-17', schedule, from('2026-03-10'))
  const due = (day: string) => dueUpTo(plan, schedule, from('2026-03-10'), day).join(' ')
  assert.equal(due('2026-03-23'), '')
  assert.equal(due('2026-03-24'), '2026-03-24')
  assert.equal(due('2026-04-06'), '2026-03-24 2026-03-31')
  assert.equal(due('2027-01-01'), '2026-03-24 2026-03-31 2026-04-07')
})

test('a paused schedule has nothing due, yet its plans are not over', () => {
  const schedule = { ...every(1, 'week', 4), paused: true }
  assert.deepEqual(dueUpTo(noProgress, schedule, from('2026-03-10'), '2026-12-31'), [])
  assert.equal(nextDue(noProgress, schedule, from('2026-03-10')), '2026-03-17')
})

test('a start date that has passed when the payment succeeds is due at once', () => {
  const start = from('2026-03-11', '2026-03-10')
  assert.deepEqual(dueUpTo(noProgress, every(1, 'month', 3), start, '2026-03-11'), ['2026-03-10'])
})

test('a list of coming dates is as short as asked', () => {
  const start = from('2026-01-31')
  assert.deepEqual(comingDates(noProgress, monthly, start, 2), ['2026-02-28', '2026-03-31'])
  assert.deepEqual(comingDates(noProgress, monthly, start, 0), [])
  assert.equal(comingDates(noProgress, monthly, start).length, 12)
})

test('a plan that reaches the end of the calendar is over', () => {
  const start = from('2026-03-10', '9999-12-31')
  for (const unit of ['day', 'week', 'month', 'year'] as const) {
    assert.deepEqual(comingDates(noProgress, every(1, unit, 3), start), ['9999-12-31'])
  }
})

const dayOf = (dayOfMonth: number): Partial<Schedule> => ({ dayOfMonth })
const startLater: Partial<Schedule> = {
  delayedFirstPayment: 'delay_by_interval',
  firstPaymentIntervalLength: 20,
  firstPaymentIntervalUnit: 'day',
}
const inTwoMonths: Partial<Schedule> = {
  delayedFirstPayment: 'delay_by_interval',
  firstPaymentIntervalLength: 2,
  firstPaymentIntervalUnit: 'month',
}
const weeks = (intervalLength: number): Partial<Schedule> => ({ intervalLength, intervalUnit: 'week' })

// Chapter 10 §7.12, "Running plans". Every schedule has N = 4 and D is 2026-01-31, unless the change says otherwise.
// biome-ignore format: a table is read in columns.
const updates: readonly [string, Schedule, Partial<Schedule>, string, string, string][] = [
  // what                                               before               change                  made                     today         remaining dates
  [ 'a longer interval counts from the first payment',  every(1, 'month', 4), { intervalLength: 2 },  '2026-02-28',            '2026-03-15', '2026-04-30 2026-06-30 2026-08-31' ],
  [ 'and not from the last one',                        every(1, 'month', 4), { intervalLength: 2 },  '2026-02-28 2026-03-31', '2026-04-01', '2026-04-30 2026-06-30' ],
  [ 'another unit counts from the first payment',       every(1, 'month', 4), weeks(1),               '2026-02-28',            '2026-03-06', '2026-03-07 2026-03-14 2026-03-21' ],
  [ 'as many days as there were months are another interval', every(1, 'month', 4), { intervalUnit: 'day' }, '2026-02-28', '2026-03-10', '2026-03-11 2026-03-12 2026-03-13' ],
  [ 'dates up to today are passed over',                every(1, 'month', 4), weeks(1),               '2026-02-28',            '2026-03-07', '2026-03-14 2026-03-21 2026-03-28' ],
  [ 'an interval counts from D before the first one',   every(1, 'month', 4), { intervalLength: 2 },  '',                      '2026-02-01', '2026-03-31 2026-05-31 2026-07-31 2026-09-30' ],
  [ 'a new date that has passed is not made up',        every(2, 'month', 4), { intervalLength: 1 },  '',                      '2026-03-10', '2026-03-31 2026-04-30 2026-05-31 2026-06-30' ],
  [ 'the wanted day outlives a change to years',        every(1, 'month', 4), { intervalUnit: 'year' }, '2026-02-28 2026-03-31', '2026-04-01', '2027-02-28 2028-02-29' ],
  [ 'a first-payment change moves a first to come',     every(1, 'month', 4), startLater,             '',                      '2026-02-10', '2026-02-20 2026-03-20 2026-04-20 2026-05-20' ],
  [ 'a first-payment change leaves a first made',       every(1, 'month', 4), startLater,             '2026-02-28',            '2026-03-15', '2026-03-31 2026-04-30 2026-05-31' ],
  [ 'a change back to none leaves a first made',        { ...every(1, 'month', 4), ...startLater }, { delayedFirstPayment: 'none' }, '2026-02-20', '2026-03-15', '2026-03-20 2026-04-20 2026-05-20' ],
  [ 'a first moved into the past is not made up',       { ...every(1, 'month', 4), ...inTwoMonths }, { delayedFirstPayment: 'none' }, '', '2026-03-10', '2026-03-31 2026-04-30 2026-05-31 2026-06-30' ],
  [ 'a day of the month gives D another day',           every(1, 'month', 4), dayOf(15),              '',                      '2026-02-10', '2026-02-15 2026-03-15 2026-04-15 2026-05-15' ],
  [ 'a day of the month gives a first made another day', every(1, 'month', 4), dayOf(15),             '2026-02-28',            '2026-03-05', '2026-03-15 2026-04-15 2026-05-15' ],
  [ 'a later day never charges the first month twice',  { ...every(1, 'month', 4), ...dayOf(15) }, dayOf(20), '2026-02-15',    '2026-02-16', '2026-03-20 2026-04-20 2026-05-20' ],
  [ 'a day of the month means nothing to a delayed first', { ...every(1, 'month', 4), ...startLater }, dayOf(15), '2026-02-20', '2026-02-21', '2026-03-20 2026-04-20 2026-05-20' ],
  [ 'a higher count adds dates',                        every(1, 'month', 2), { paymentsCount: 4 },   '2026-02-28',            '2026-03-15', '2026-03-31 2026-04-30 2026-05-31' ],
  [ 'a lower count takes dates away',                   every(1, 'month', 4), { paymentsCount: 2 },   '2026-02-28',            '2026-03-15', '2026-03-31' ],
  [ 'a count equal to the number made ends the plan',   every(1, 'month', 4), { paymentsCount: 2 },   '2026-02-28 2026-03-31', '2026-04-01', '' ],
  [ 'a count below the number made ends the plan',      every(1, 'month', 4), { paymentsCount: 1 },   '2026-02-28 2026-03-31', '2026-04-01', '' ],
  [ 'another count keeps what is due today',            every(1, 'month', 4), { paymentsCount: 3 },   '2026-02-28',            '2026-03-31', '2026-03-31 2026-04-30' ],
  [ 'another name keeps what is overdue',               every(1, 'month', 3), { name: 'Club' },       '',                      '2026-03-31', '2026-02-28 2026-03-31 2026-04-30' ],
  [ 'the same interval in other words moves nothing',   every(12, 'month', 3), { intervalLength: 1, intervalUnit: 'year' }, '', '2027-01-31', '2027-01-31 2028-01-31 2029-01-31' ],
  [ 'another interval lets go of what is due today',    every(1, 'month', 4), { intervalLength: 2 },  '2026-02-28',            '2026-04-30', '2026-06-30 2026-08-31 2026-10-31' ],
]

for (const [what, before, change, payments, today, expected] of updates) {
  test(`update: ${what}`, () => {
    const start = from('2026-01-31')
    const after = { ...before, ...change }
    const plan = afterUpdate(planAfter(payments, before, start), { old: before, updated: after, start, today })
    assert.equal(coming(plan, after, start), expected)
  })
}

test('a start date stays the anchor, whatever first-payment rule or day of the month comes later', () => {
  const start = from('2026-01-31', '2026-05-31')
  for (const change of [startLater, dayOf(15), onMondays]) {
    const after = { ...monthly, ...change }
    assert.equal(afterUpdate(noProgress, { old: monthly, updated: after, start, today: '2026-05-31' }), noProgress)
    const plan = afterFiring(noProgress, monthly, start)
    assert.equal(
      nextDue(afterUpdate(plan, { old: monthly, updated: after, start, today: '2026-06-01' }), after, start),
      '2026-06-30',
    )
  }
})

/** The plan after one update after another, all on one day. */
function updated(plan: PlanProgress, steps: readonly Schedule[], start: PlanStart, today: string): PlanProgress {
  return steps
    .slice(1)
    .reduce((now, next, index) => afterUpdate(now, { old: steps[index] ?? next, updated: next, start, today }), plan)
}

test('the first payment stays the anchor through one update after another', () => {
  const start = from('2026-01-31')
  const weekly = { ...monthly, ...weeks(1) }
  const plan = planAfter('2026-02-28', monthly, start)
  const later = updated(plan, [monthly, weekly, { ...weekly, ...onMondays }, monthly], start, '2026-03-01')
  assert.deepEqual(comingDates(later, monthly, start, 3), ['2026-03-31', '2026-04-30', '2026-05-31'])
})

test('the day of the month is still wanted after an excursion into weeks', () => {
  const start = from('2026-01-31')
  const onFifteenth = { ...monthly, ...dayOf(15) }
  const plan = planAfter('2026-02-15', onFifteenth, start)
  const later = updated(plan, [onFifteenth, { ...monthly, ...weeks(1) }, monthly], start, '2026-02-16')
  assert.deepEqual(comingDates(later, monthly, start, 2), ['2026-03-15', '2026-04-15'])
})

test('a day of the month that meant nothing to the first payment means nothing to the others until it changes', () => {
  const start = from('2026-01-31')
  const delayed = { ...monthly, ...startLater, ...dayOf(15) }
  const plain = { ...monthly, ...dayOf(15) }
  const plan = planAfter('2026-02-20', delayed, start)
  const renamed = updated(plan, [delayed, plain, { ...plain, name: 'Club' }], start, '2026-02-21')
  assert.equal(nextDue(renamed, plain, start), '2026-03-20')
  const tenth = { ...plain, ...dayOf(10) }
  assert.equal(nextDue(updated(renamed, [plain, tenth], start, '2026-02-21'), tenth, start), '2026-03-10')
})

test('a merchant who moves to a zone where it is still yesterday is not charged twice for a day', () => {
  const start = from('2026-01-31')
  const daily = { ...monthly, intervalUnit: 'day' } as const
  const plan = planAfter('2026-02-01 2026-02-02', daily, start)
  const weekly = { ...monthly, ...weeks(1) }
  const again = updated(plan, [daily, weekly, daily], start, '2026-02-01')
  assert.equal(nextDue(again, daily, start), '2026-02-03')
  assert.equal(nextDue(afterResume(plan, '2026-02-01'), daily, start), '2026-02-03')
})

test('weeks count from the date of the first payment, also after another day of the month was wanted', () => {
  const start = from('2026-01-31')
  const onTwentieth = { ...monthly, ...dayOf(20) }
  const weekly = { ...monthly, ...weeks(1) }
  const first = planAfter('2026-02-28', monthly, start)
  const plan = updated(first, [monthly, onTwentieth, weekly], start, '2026-03-01')
  assert.equal(nextDue(plan, weekly, start), '2026-03-07')
})

test('after a first date lost to a pause, the first payment made is the one that later changes count from', () => {
  const start = from('2026-03-11')
  const weekly = { ...every(1, 'week', 3), ...onMondays }
  const tenDays = { ...weekly, intervalLength: 10, intervalUnit: 'day' } as const
  const run = afterResume(noProgress, '2026-03-20')
  const plan = afterUpdate(afterFiring(run, weekly, start), {
    old: weekly,
    updated: tenDays,
    start,
    today: '2026-03-24',
  })
  assert.deepEqual(comingDates(plan, tenDays, start), ['2026-04-02', '2026-04-12'])
})

test('an update during a pause and the RUN after it both hold', () => {
  const start = from('2026-01-31')
  const updated = { ...monthly, intervalLength: 2, paymentsCount: 3 }
  const plan = afterUpdate(planAfter('2026-02-28', monthly, start), {
    old: monthly,
    updated,
    start,
    today: '2026-03-15',
  })
  assert.equal(coming(afterResume(plan, '2026-05-10'), updated, start), '2026-06-30 2026-08-31')
  assert.equal(coming(afterResume(plan, '2026-03-20'), updated, start), '2026-04-30 2026-06-30')
})

test('a plan can be kept as JSON', () => {
  const plan = planAfter('2026-02-28', monthly, from('2026-01-31'))
  assert.deepEqual(JSON.parse(JSON.stringify(plan)), {
    made: 1,
    after: '2026-02-28',
    first: { date: '2026-02-28', wanted: 31 },
  })
})
