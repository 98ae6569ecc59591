/**
 * Years of plans on the test clock, while workers are killed at random moments. The clock jumps by days and weeks, so workers are sometimes
 * on time and sometimes behind; every due date must be charged exactly once, and be one of those known beforehand.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { addDays } from '#domain/schedule/day.ts'
import {
  auditFigures,
  type Campaign,
  type Figure,
  type Findings,
  inSeconds,
  joinFindings,
  sizeOf,
  type Terms,
} from '../campaign.ts'
import { audit } from '../stage/audit.ts'
import { isCaughtUp, moveTo, today, waitForClockNotice } from '../stage/calendar.ts'
import { createSchedule, onSchedule, startPlan } from '../stage/chain-requests.ts'
import type { Random } from '../stage/random.ts'
import { isQuiet, only, openStage, type Stage, until } from '../stage/stage.ts'
import { datesByHand, datesByModel, type PlanCase, planCases, scheduleOf } from './plan-cases.ts'

export const scheduleClock: Campaign = {
  name: 'schedule-clock',
  asserts: 'years of plans with kill -9 of the workers: every due date fires exactly once, on the specified dates.',
  sizes: { years: 10, kills: 12, workers: 2, longestJumpDays: 45, onTimePercent: 40 },
  quick: { years: 1, kills: 2, longestJumpDays: 90, onTimePercent: 5 },
  run,
  plantedFault: {
    what: 'A plan skips dates within forty days of a payment.',
    seenIn: 'wrong dates',
    sizes: { kills: 0 },
    patches: [
      {
        file: 'domain/src/schedule/schedule.ts',
        find: 'after: payment.date, first',
        replace: 'after: addDays(payment.date, 40), first',
      },
    ],
  },
}

/** A planCase on the stage. */
interface StartedPlan {
  readonly planCase: PlanCase
  readonly scheduleId: string
  readonly recurringToken: string
  readonly firstDateReported: string
}

const catchUpWithinMs = 120_000
/** Payments are made at noon; changes of a plan happen after it, with room for the duration of the campaign itself. */
const noon = '12:00:00'
const evening = '18:00:00'
/** A worker is killed while it makes the plan payments of a jump. */
const killWithinMs = 600

async function run(terms: Terms): Promise<Findings> {
  const workers = sizeOf(terms, 'workers')
  await using stage = await openStage({ apis: 1, workers, database: terms.database, databasePool: 6 })
  const all = planCases(await today(stage))
  const firstDay = all[0]?.startsOn ?? ''
  const lastDay = `${Number(firstDay.slice(0, 4)) + sizeOf(terms, 'years')}${firstDay.slice(4)}`
  const chosen = all.filter(({ startsOn }) => startsOn < lastDay)
  const days = calendar(chosen, lastDay, terms)
  const killDays = chosenDays(days, sizeOf(terms, 'kills'), terms.random)

  const planRun = new PlanRun(stage, chosen, terms.random)
  for (const day of days) await planRun.advanceTo(day, killDays.has(day))
  const idleAfterMs = await until(() => isQuiet(stage), catchUpWithinMs)
  return joinFindings(
    {
      figures: [
        { name: 'from, to', value: `${firstDay}, ${lastDay}` },
        { name: 'clock jumps', value: days.length },
        { name: 'workers killed', value: planRun.kills, must: sizeOf(terms, 'kills') },
        { name: 'longest time to catch up', value: inSeconds(planRun.longest) },
        { name: 'not idle at the end', value: idleAfterMs === null ? 1 : 0, must: 0 },
      ],
      faults: [],
    },
    await compareDates(stage, planRun.started, lastDay),
    auditFigures(await audit(stage)),
  )
}

/** Every day with a change of a plan, some of the due dates themselves, and jumps in between. */
function calendar(all: readonly PlanCase[], lastDay: string, terms: Terms): readonly string[] {
  const events = all.flatMap(({ startsOn, pauses }) => [startsOn, ...pauses.flat()]).filter((day) => day <= lastDay)
  const due = all.flatMap((planCase) => datesByHand(planCase, lastDay))
  const onTime = due.filter(() => terms.random.between(1, 100) <= sizeOf(terms, 'onTimePercent'))
  const days = new Set([...events, ...onTime, lastDay])
  const [firstDay = lastDay] = events.toSorted()
  const jump = (): number => terms.random.between(1, sizeOf(terms, 'longestJumpDays'))
  for (let day = addDays(firstDay, jump()); day < lastDay; day = addDays(day, jump())) days.add(day)
  return [...days].toSorted()
}

/** Not the first days, for which nothing is planned yet. */
function chosenDays(days: readonly string[], count: number, random: Random): ReadonlySet<string> {
  const candidates = days.slice(Math.min(8, Math.floor(days.length / 3)))
  const chosen = new Set<string>()
  while (chosen.size < Math.min(count, candidates.length)) {
    chosen.add(candidates[random.between(0, candidates.length - 1)] ?? '')
  }
  return chosen
}

/** One run of all plans, jump by jump. */
class PlanRun {
  readonly #stage: Stage
  readonly #cases: readonly PlanCase[]
  readonly #random: Random
  readonly started: StartedPlan[] = []
  kills = 0
  /** Seconds. */
  longest = 0

  constructor(stage: Stage, all: readonly PlanCase[], random: Random) {
    this.#stage = stage
    this.#cases = all
    this.#random = random
  }

  async advanceTo(day: string, killsWorker: boolean): Promise<void> {
    const starting = this.#cases.filter(({ startsOn }) => startsOn === day)
    if (starting.length > 0) {
      await moveTo(this.#stage, day, noon)
      await waitForClockNotice()
    }
    for (const planCase of starting) this.started.push(await startPlanOf(this.#stage, planCase))
    await moveTo(this.#stage, day, evening)
    if (killsWorker) await this.#kill()
    await this.#catchUp(day)
    if (!this.#cases.some(({ pauses }) => pauses.flat().includes(day))) return
    await waitForClockNotice()
    await this.#pauseAndRun(day)
    await this.#catchUp(day)
  }

  /** Killed workers are restarted at once, as a supervisor would do. */
  async #kill(): Promise<void> {
    const { workers } = this.#stage
    await sleep(this.#random.between(0, killWithinMs))
    const worker = workers[this.#random.between(0, workers.length - 1)]
    await worker?.kill()
    this.kills += 1
    await worker?.start()
  }

  async #catchUp(day: string): Promise<void> {
    const seconds = await until(() => isCaughtUp(this.#stage), catchUpWithinMs)
    if (seconds === null) throw new Error(`The workers did not catch up with ${day}.`)
    this.longest = Math.max(this.longest, seconds)
  }

  async #pauseAndRun(day: string): Promise<void> {
    const { url } = only(this.#stage.apis)
    for (const { planCase, scheduleId } of this.started) {
      for (const [from, to] of planCase.pauses) {
        if (from === day) await onSchedule(this.#stage, url, 'PAUSE_SCHEDULE', scheduleId)
        if (to === day) await onSchedule(this.#stage, url, 'RUN_SCHEDULE', scheduleId)
      }
    }
  }
}

async function startPlanOf(stage: Stage, planCase: PlanCase): Promise<StartedPlan> {
  const { url } = only(stage.apis)
  const { intervalLength, intervalUnit, paymentsCount, delayedFirstPayment, firstPaymentDayOfWeek } =
    scheduleOf(planCase)
  const scheduleId = await createSchedule(stage, url, {
    interval_length: String(intervalLength),
    interval_unit: intervalUnit,
    payments_count: String(paymentsCount),
    delayed_first_payment: delayedFirstPayment,
    ...(firstPaymentDayOfWeek === null ? {} : { first_payment_day_of_week: String(firstPaymentDayOfWeek) }),
  })
  const started = await startPlan(stage, url, planCase.name, {
    ...planCase.first,
    schedule_id: scheduleId,
    ...(planCase.startDate === null ? {} : { schedule_start_date: planCase.startDate }),
  })
  return { planCase, scheduleId, ...started }
}

interface PlanPayment {
  readonly date: string
  readonly made: string
  readonly amount_minor: bigint
  readonly status: string
}

/** Charged dates against due dates, plan by plan. */
async function compareDates(stage: Stage, all: readonly StartedPlan[], lastDay: string): Promise<Findings> {
  const plans = await Promise.all(
    all.map(async (staged) => {
      const { planCase } = staged
      const due = datesByHand(planCase, lastDay)
      const model = datesByModel(planCase, lastDay)
      return { ...staged, due, model, fired: await readPlanPayments(stage, staged) }
    }),
  )
  const faults = plans.flatMap(({ planCase, due, model, fired, firstDateReported }) => {
    const dates = fired.map(({ date }) => date)
    return [
      ...findMissing(due, dates).map((date) => `${planCase.name}: ${date} was due and not fired`),
      ...findMissing(dates, due).map((date) => `${planCase.name}: ${date} was fired although not due, or too often`),
      ...findMissing(model, dates).map((date) => `${planCase.name}: ${date} is due by the model and was not fired`),
      ...findMissing(dates, model).map((date) => `${planCase.name}: ${date} was fired and is not due by the model`),
      ...fired
        .filter(({ made, date }) => made < date)
        .map(({ date, made }) => `${planCase.name}: ${date} fired on ${made}`),
      ...fired
        .filter((one) => !isRight(one, planCase))
        .map(({ date, status }) => `${planCase.name}: ${date} is ${status}`),
      ...(firstDateReported === planCase.grid().next().value
        ? []
        : [`${planCase.name}: the merchant was given the date ${firstDateReported}`]),
    ]
  })
  const count = (of: (plan: (typeof plans)[number]) => number): number => plans.reduce((sum, plan) => sum + of(plan), 0)
  const due = count((plan) => plan.due.length)
  const late = count(({ fired }) => fired.filter(({ made, date }) => made > date).length)
  const figures: readonly Figure[] = [
    ...plans.map(({ planCase, due: dates, fired }) => ({
      name: planCase.name,
      value: `${dates.length} = ${fired.length}`,
    })),
    { name: 'due by hand', value: due },
    { name: 'due by the model', value: count((plan) => plan.model.length), must: due },
    { name: 'fired', value: count((plan) => plan.fired.length), must: due },
    { name: 'fired after their day', value: late },
    { name: 'wrong dates', value: faults.length, must: 0 },
  ]
  return { figures, faults }
}

const isRight = ({ amount_minor, status }: PlanPayment, { amountMinor }: PlanCase): boolean =>
  amount_minor === amountMinor && status === 'SETTLED'

async function readPlanPayments({ pool }: Stage, { recurringToken }: StartedPlan): Promise<readonly PlanPayment[]> {
  const { rows } = await pool.query<PlanPayment>(
    `select plan_date::text as date, to_char(created_at at time zone 'UTC', 'YYYY-MM-DD') as made, amount_minor, status
     from payments where chain_id = $1 and plan_date is not null and cascading is distinct from 'continued' order by created_at, id`,
    [recurringToken],
  )
  return rows
}

/** What the one contains more often than the other. */
function findMissing(from: readonly string[], others: readonly string[]): readonly string[] {
  const left = [...others]
  return from.filter((date) => {
    const at = left.indexOf(date)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}
