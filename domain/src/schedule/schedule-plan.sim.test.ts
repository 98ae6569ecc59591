/**
 * Hundreds of random plans: days pass, the worker fires or is down, the schedule is paused, run and updated. After every day the
 * plan must agree with the model, and no date is fired twice.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { addDays } from './day.ts'
import {
  afterFiring,
  afterResume,
  afterUpdate,
  comingDates,
  dueUpTo,
  type IntervalUnit,
  nextDue,
  noProgress,
  normaliseSchedule,
  type PlanProgress,
  type PlanStart,
  type Schedule,
} from './schedule.ts'
import { monthly } from './testing/schedule-example.ts'
import * as reference from './testing/schedule-model.ts'

const lives = 300

type Step =
  | { readonly do: 'days'; readonly count: number; readonly worker: 'up' | 'down' }
  | { readonly do: 'update'; readonly change: Partial<Schedule> }
  | { readonly do: 'pause' }
  | { readonly do: 'run' }

const interval = fc.oneof(
  fc.record({ intervalLength: fc.integer({ min: 1, max: 20 }), intervalUnit: fc.constant<IntervalUnit>('day') }),
  fc.record({ intervalLength: fc.integer({ min: 1, max: 3 }), intervalUnit: fc.constant<IntervalUnit>('week') }),
  fc.record({ intervalLength: fc.integer({ min: 1, max: 3 }), intervalUnit: fc.constant<IntervalUnit>('month') }),
  fc.record({ intervalLength: fc.constant(1), intervalUnit: fc.constant<IntervalUnit>('year') }),
)
const dayOfMonth = fc.integer({ min: 1, max: 31 })
const firstPayment: fc.Arbitrary<Partial<Schedule>> = fc.oneof(
  fc.constant({ delayedFirstPayment: 'none' } as const),
  fc.record({
    delayedFirstPayment: fc.constant('delay_by_interval' as const),
    firstPaymentIntervalLength: fc.integer({ min: 1, max: 2 }),
    firstPaymentIntervalUnit: fc.constantFrom<IntervalUnit>('day', 'week', 'month'),
  }),
  fc.record({
    delayedFirstPayment: fc.constant('day_of_week' as const),
    firstPaymentDayOfWeek: fc.integer({ min: 1, max: 7 }),
  }),
  fc.record({ delayedFirstPayment: fc.constant('day_of_month' as const), firstPaymentDayOfMonth: dayOfMonth }),
)
const change: fc.Arbitrary<Partial<Schedule>> = fc.oneof(
  interval,
  firstPayment,
  fc.record({ dayOfMonth }),
  fc.record({ paymentsCount: fc.integer({ min: 1, max: 40 }) }),
  fc.record({ name: fc.constantFrom('Club', 'Gym') }),
)
const days = (worker: 'up' | 'down', max: number) =>
  fc.record({ do: fc.constant('days' as const), count: fc.integer({ min: 1, max }), worker: fc.constant(worker) })
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: days('up', 30) },
  { weight: 2, arbitrary: days('down', 20) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('update' as const), change }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('pause' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('run' as const) }) },
)

/** Around the end of months and years and leap days, where it could go wrong. */
const initiatedOn = fc
  .tuple(fc.constantFrom('2026-01-31', '2026-12-31', '2027-11-30', '2028-02-29'), fc.integer({ min: -3, max: 3 }))
  .map(([day, count]) => addDays(day, count))
const start: fc.Arbitrary<PlanStart> = fc
  .tuple(initiatedOn, fc.option(fc.nat(40)))
  .map(([day, wait]) => ({ initiatedOn: day, startDate: wait === null ? null : addDays(day, wait) }))
const schedule = fc
  .tuple(interval, firstPayment, fc.option(dayOfMonth), fc.option(fc.nat(2)), fc.integer({ min: 1, max: 30 }))
  .map(([length, rule, day, delays, paymentsCount]) =>
    normaliseSchedule({ ...monthly, ...length, ...rule, dayOfMonth: day, delays, paymentsCount }),
  )

interface Life {
  readonly model: reference.Model
  readonly fired: string[]
  plan: PlanProgress
  today: string
}

test(`${lives} lives of plans go as the model says`, () => {
  fc.assert(
    fc.property(schedule, start, fc.array(step, { maxLength: 12 }), (rule, counted, steps) => {
      const life: Life = {
        model: reference.begin(rule, counted),
        fired: [],
        plan: noProgress,
        today: counted.initiatedOn,
      }
      reference.beginDay(life.model, life.today)
      for (const each of steps) {
        take(life, each)
        agree(life)
      }
      assert.equal(new Set(life.fired).size, life.fired.length)
      assert.deepEqual(life.fired, life.fired.toSorted())
    }),
    { numRuns: lives },
  )
})

function take(life: Life, each: Step): void {
  const { model, today } = life
  switch (each.do) {
    case 'days':
      for (let passed = 0; passed < each.count; passed += 1) pass(life, each.worker)
      return
    case 'update': {
      const updated = normaliseSchedule({ ...model.schedule, ...each.change })
      life.plan = afterUpdate(life.plan, { old: model.schedule, updated, start: model.start, today })
      reference.update(model, updated)
      return
    }
    case 'pause':
      reference.pause(model)
      return
    case 'run':
      if (!model.schedule.paused) return
      reference.run(model, today)
      life.plan = afterResume(life.plan, today)
      return
  }
}

function pass(life: Life, worker: 'up' | 'down'): void {
  const { model } = life
  life.today = addDays(life.today, 1)
  reference.beginDay(model, life.today)
  if (worker === 'down') return

  const due = dueUpTo(life.plan, model.schedule, model.start, life.today)
  for (const date of due) {
    assert.equal(nextDue(life.plan, model.schedule, model.start), date)
    assert.equal(reference.fire(model), date)
    life.plan = afterFiring(life.plan, model.schedule, model.start)
    life.fired.push(date)
  }
  assert.equal(reference.fire(model), null)
}

function agree({ model, plan, today }: Life): void {
  assert.equal(plan.made, model.made)
  assert.deepEqual(
    comingDates(plan, model.schedule, model.start, 40),
    reference.remainingDates(model, today).slice(0, 40),
    JSON.stringify({ plan, schedule: model.schedule, today }),
  )
}
