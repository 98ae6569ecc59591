/**
 * The worked examples of plans, run day by day. Chapter 10 §7.12, §9.4, §9.5.
 *
 * The test clock only moves forward, so the examples of 2026 happen in 2037, which has the same calendar, and those of 2024 in 2036. The
 * clock stops on every expected date; a payment on any other day is too early or too late.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newSchedule, onSchedule, startChain } from '../../chains.ts'
import { moveTo, planEnd, planPayments } from '../../plans.ts'
import { openShop, type RequestFields } from '../../shop.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())

interface Example {
  readonly title: string
  readonly d: string
  readonly schedule: RequestFields
  readonly start?: string
  /** What is done to the schedule on which day. */
  readonly events?: readonly (readonly [date: string, action: string, over?: RequestFields])[]
  readonly dates: readonly string[]
}

const every = (length: number, unit: string, count: number, more: RequestFields = {}): RequestFields => ({
  interval_length: String(length),
  interval_unit: unit,
  payments_count: String(count),
  ...more,
})
const delayBy = (length: number, unit: string): RequestFields => ({
  delayed_first_payment: 'delay_by_interval',
  first_payment_interval_length: String(length),
  first_payment_interval_unit: unit,
})
const onWeekday = (day: string): RequestFields => ({
  delayed_first_payment: 'day_of_week',
  first_payment_day_of_week: day,
})
const onDay = (day: string): RequestFields => ({
  delayed_first_payment: 'day_of_month',
  first_payment_day_of_month: day,
})

// biome-ignore format: a table is read in columns.
const plainExamples: readonly Omit<Example, 'title'>[] = [
  { d: '2037-03-10', schedule: every(14, 'day', 3),                               dates: ['2037-03-24', '2037-04-07', '2037-04-21'] },
  { d: '2037-01-31', schedule: every(1, 'month', 4),                              dates: ['2037-02-28', '2037-03-31', '2037-04-30', '2037-05-31'] },
  { d: '2037-01-20', schedule: every(1, 'month', 3, { day_of_month: '15' }),      dates: ['2037-02-15', '2037-03-15', '2037-04-15'] },
  { d: '2037-01-10', schedule: every(1, 'month', 3, { day_of_month: '31' }),      dates: ['2037-02-28', '2037-03-31', '2037-04-30'] },
  { d: '2036-02-29', schedule: every(1, 'year', 4),                               dates: ['2037-02-28', '2038-02-28', '2039-02-28', '2040-02-29'] },
  { d: '2037-01-30', schedule: every(1, 'month', 3, delayBy(3, 'day')),           dates: ['2037-02-02', '2037-03-02', '2037-04-02'] },
  { d: '2037-01-31', schedule: every(1, 'month', 3, delayBy(1, 'month')),         dates: ['2037-02-28', '2037-03-31', '2037-04-30'] },
  { d: '2037-03-11', schedule: every(1, 'week', 3, onWeekday('1')),               dates: ['2037-03-16', '2037-03-23', '2037-03-30'] },
  { d: '2037-03-09', schedule: every(1, 'week', 3, onWeekday('monday')),          dates: ['2037-03-16', '2037-03-23', '2037-03-30'] },
  { d: '2037-01-05', schedule: every(1, 'month', 3, onDay('10')),                 dates: ['2037-01-10', '2037-02-10', '2037-03-10'] },
  { d: '2037-01-15', schedule: every(1, 'month', 3, onDay('10')),                 dates: ['2037-02-10', '2037-03-10', '2037-04-10'] },
  { d: '2037-02-10', schedule: every(1, 'month', 3, onDay('31')),                 dates: ['2037-02-28', '2037-03-31', '2037-04-30'] },
  { d: '2037-03-31', schedule: every(1, 'month', 3, onDay('31')),                 dates: ['2037-04-30', '2037-05-31', '2037-06-30'] },
  { d: '2037-03-10', schedule: every(1, 'month', 3, onWeekday('2')), start: '2037-05-31', dates: ['2037-05-31', '2037-06-30', '2037-07-31'] },
]

// biome-ignore format: a table is read in columns.
const interruptedExamples: readonly Omit<Example, 'title'>[] = [
  { d: '2037-01-31', schedule: every(1, 'month', 4), events: [['2037-03-15', 'PAUSE'], ['2037-05-10', 'RUN']], dates: ['2037-02-28', '2037-05-31', '2037-06-30', '2037-07-31'] },
  { d: '2037-01-31', schedule: every(1, 'month', 4), events: [['2037-03-15', 'PAUSE'], ['2037-05-31', 'RUN']], dates: ['2037-02-28', '2037-05-31', '2037-06-30', '2037-07-31'] },
  { d: '2037-03-10', schedule: every(14, 'day', 3),  events: [['2037-04-01', 'PAUSE'], ['2037-04-10', 'RUN']], dates: ['2037-03-24', '2037-04-21', '2037-05-05'] },
  { d: '2037-03-11', schedule: every(1, 'week', 3, onWeekday('1')), events: [['2037-03-12', 'PAUSE'], ['2037-03-20', 'RUN']], dates: ['2037-03-23', '2037-03-30', '2037-04-06'] },
  // A pause without a due date in it changes nothing.
  { d: '2037-03-10', schedule: every(14, 'day', 2),  events: [['2037-03-12', 'PAUSE'], ['2037-03-13', 'RUN']], dates: ['2037-03-24', '2037-04-07'] },
]

const update = (date: string, over: RequestFields): readonly [string, string, RequestFields] => [
  date,
  'UPDATE_SCHEDULE',
  over,
]

// Chapter 10 §7.12: the payments not yet made take the dates of the new grid after today; a first payment already made stays the anchor.
// biome-ignore format: a table is read in columns.
const changeExamples: readonly Omit<Example, 'title'>[] = [
  { d: '2037-01-31', schedule: every(1, 'month', 4), events: [update('2037-03-15', { interval_length: '2' })],   dates: ['2037-02-28', '2037-04-30', '2037-06-30', '2037-08-31'] },
  { d: '2037-01-31', schedule: every(1, 'month', 4), events: [update('2037-03-15', { interval_unit: 'week' })],  dates: ['2037-02-28', '2037-03-21', '2037-03-28', '2037-04-04'] },
  { d: '2037-03-10', schedule: every(1, 'month', 2), events: [update('2037-03-12', onDay('20'))],                dates: ['2037-03-20', '2037-04-20'] },
  { d: '2037-01-31', schedule: every(1, 'month', 4), events: [update('2037-03-15', onDay('20'))],                dates: ['2037-02-28', '2037-03-31', '2037-04-30', '2037-05-31'] },
  { d: '2037-01-31', schedule: every(1, 'month', 2), events: [update('2037-03-15', { payments_count: '3' })],    dates: ['2037-02-28', '2037-03-31', '2037-04-30'] },
  { d: '2037-01-31', schedule: every(1, 'month', 4), events: [update('2037-04-15', { payments_count: '2' })],    dates: ['2037-02-28', '2037-03-31'] },
  { d: '2037-01-31', schedule: every(1, 'month', 2), events: [update('2037-02-28', { name: 'Renamed' })],        dates: ['2037-02-28', '2037-03-31'] },
  { d: '2037-01-31', schedule: every(1, 'month', 2), events: [['2037-02-10', 'PAUSE'], update('2037-02-11', { interval_unit: 'week' }), ['2037-02-12', 'RUN']], dates: ['2037-02-14', '2037-02-21'] },
]

const withTitles = (section: string, examples: readonly Omit<Example, 'title'>[]): readonly Example[] =>
  examples.map((example, index) => ({
    ...example,
    title: `chapter 10 §${section}, example ${index + 1}: D ${example.d}`,
  }))

const examples = [
  ...withTitles('9.4', plainExamples),
  ...withTitles('9.5', interruptedExamples),
  ...withTitles('7.12', changeExamples),
]

const tokens = new Map<Example, string>()

/** Everything that happens, in chronological order: actions of the merchant at noon, the worker half an hour later. */
function timeline(): readonly { readonly date: string; readonly time: string; readonly act: () => Promise<void> }[] {
  const acts = examples.flatMap((example) => {
    let scheduleId = ''
    const begin = async () => {
      scheduleId = await newSchedule(shop, example.schedule)
      const chain = await startChain(shop, {
        schedule_id: scheduleId,
        ...(example.start ? { schedule_start_date: example.start } : {}),
      })
      tokens.set(example, chain.recurring_token)
    }
    const events = (example.events ?? []).map(([date, action, over]) => ({
      date,
      time: '11:00:00',
      act: async () => {
        const { body } = await onSchedule(shop, action, scheduleId, { over })
        assert.equal(body.result, 'SUCCESS')
      },
    }))
    const stops = example.dates.map((date) => ({ date, time: '12:30:00', act: async () => undefined }))
    return [{ date: example.d, time: '12:00:00', act: begin }, ...events, ...stops]
  })
  return acts.toSorted((a, b) => (`${a.date} ${a.time}` < `${b.date} ${b.time}` ? -1 : 1))
}

before(async () => {
  let reached = ''
  for (const { date, time, act } of timeline()) {
    const moment = `${date} ${time}`
    if (moment !== reached) await moveTo(shop, date, time)
    reached = moment
    await act()
  }
  await moveTo(shop, '2044-01-01')
})

for (const example of examples) {
  test(`${example.title}: payments on exactly ${example.dates.join(', ')}`, async () => {
    const token = tokens.get(example) ?? ''
    const payments = await planPayments(shop, token)
    assert.deepEqual(
      payments.map(({ date }) => date),
      example.dates,
    )
    for (const { date, madeOn, status } of payments) assert.deepEqual([madeOn, status], [date, 'SETTLED'])
    assert.equal(await planEnd(shop, token), 'completed')
  })
}
