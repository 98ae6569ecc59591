/**
 * `npm run bench -- plans [--plans=100000]`: plans that are due in the same minute, while payments go on.
 *
 * Payments arrive at half of the speed that this machine reaches alone: at the full speed no processor is left, and each plan would take
 * the place of a payment (`--full` shows that). They are measured before, meanwhile and after, so that other load on the machine affects
 * all three.
 */

import { join } from 'node:path'
import { dayMs } from '#domain/time.ts'
import { only, until } from '../../campaigns/stage/stage.ts'
import type { Figure } from '../figure-table.ts'
import { closedLoop, type LoadResult, percentile } from '../load.ts'
import { waitsDuring } from '../profile/waits.ts'
import { readProfile } from '../profile.ts'
import { saleBodies, usage, warmUp } from '../sale.ts'
import { type Scene, waitForBacklog } from '../scene.ts'
import { requireAllAnswered, VoidRun } from '../void-run.ts'
import { addPlans } from './plan-copies.ts'
import { requireOneChargeEach } from './plan-record.ts'

const goalPlans = 100_000
const goalSeconds = 600
const goalShare = 0.8
const paceOfFull = 0.5
/** Rounds of payments while plans fire; the last one is left out, because the plans end within it. */
const roundSeconds = 2
const firedWithinMs = 3_600_000
const pollMs = 250

export async function planFigures(scene: Scene): Promise<readonly Figure[]> {
  const { plans, isFull, seconds } = scene.terms
  const { acquirer } = scene.stage
  await warmUp(scene)
  await addPlans(scene.stage, plans)
  const most = await pay(scene, { seconds })
  const load = isFull ? { seconds } : { seconds, perSecond: Math.round(most.perSecond * paceOfFull) }
  const before = isFull ? most : await pay(scene, load)
  const since = (await acquirer.summary()).entries
  const firing = fire(scene)
  const [during, fired] = await Promise.all([payUntil(scene, firing, load), firing])
  const after = await pay(scene, load)
  const backlog = await waitForBacklog(scene)
  if (backlog === null) throw new VoidRun('The backlog of callbacks did not return to zero.')
  await requireOneChargeEach(scene, since)
  return planFiguresOf({ plans, fired, alone: [before, after], during, backlog })
}

/** Without payments beside them: what a plan costs each program, and where the worker spends it. */
export async function profilePlans(scene: Scene) {
  const { stage, terms } = scene
  const worker = only(stage.workers)
  const folder = join(stage.folder, 'profile')
  await warmUp(scene)
  await addPlans(stage, terms.plans)
  const since = (await stage.acquirer.summary()).entries
  await worker.stop()
  await worker.start(['--cpu-prof', `--cpu-prof-dir=${folder}`])
  const before = usage(scene)
  let seconds = 0
  const waits = await waitsDuring(scene, async () => {
    seconds = await fire(scene)
    await waitForBacklog(scene)
  })
  const costs = [...usage(scene)].map(([name, used]) => {
    const ms = ((used - (before.get(name) ?? 0)) / terms.plans) * 1000
    return `${ms.toFixed(2).padStart(6)} ms  ${name}`
  })
  await worker.stop()
  const profile = await readProfile(folder)
  await worker.start()
  await requireOneChargeEach(scene, since)
  return { perSecond: terms.plans / seconds, costs, waits, ...profile }
}

interface Pace {
  readonly seconds: number
  readonly perSecond?: number
}

async function pay(scene: Scene, pace: Pace): Promise<LoadResult> {
  const api = only(scene.stage.apis)
  const load = await closedLoop({
    url: api.url,
    path: '/post',
    connections: scene.terms.connections,
    body: saleBodies(scene.stage.merchant),
    expects: '"status":"SETTLED"',
    ...pace,
  })
  await requireAllAnswered(load, api)
  return load
}

async function payUntil(scene: Scene, firing: Promise<unknown>, pace: Pace): Promise<readonly LoadResult[]> {
  const rounds: LoadResult[] = []
  let isDone = false
  const end = (): void => {
    isDone = true
  }
  firing.then(end, end)
  while (!isDone) rounds.push(await pay(scene, { ...pace, seconds: roundSeconds }))
  return rounds.length > 1 ? rounds.slice(0, -1) : rounds
}

/** Moves the clock to the date of the plans; returns the seconds until each has a payment with an outcome. */
async function fire({ stage }: Scene): Promise<number> {
  await stage.advance(dayMs)
  const begun = performance.now()
  const fired = await until(
    async () => {
      const { rows } = await stage.pool.query<{ open: boolean }>(
        `select exists (
           select from subscriptions, instance
           where next_at <= clock_timestamp() + clock_offset_ms * interval '1 millisecond'
         ) or exists (select from payments where plan_date is not null and open_transaction is not null) as open`,
      )
      return rows[0]?.open === false
    },
    firedWithinMs,
    pollMs,
  )
  if (fired === null) throw new VoidRun('The plans were not fired within an hour.')
  return (performance.now() - begun) / 1000
}

interface PlanRun {
  readonly plans: number
  readonly fired: number
  readonly alone: readonly LoadResult[]
  readonly during: readonly LoadResult[]
  readonly backlog: number
}

export function planFiguresOf({ plans, fired, alone, during, backlog }: PlanRun): readonly Figure[] {
  const [speed, aloneSpeed] = [speedOf(during), speedOf(alone)]
  const [latencies, aloneLatencies] = [latenciesOf(during), latenciesOf(alone)]
  const beside = (share: number): string => `${percentile(aloneLatencies, share).toFixed(0)} ms alone`
  return [
    {
      name: `${plans} plans of one minute`,
      value: `${fired.toFixed(1)} s, ${(plans / fired).toFixed(0)} /s`,
      against: `${goalSeconds} s for ${goalPlans}`,
      ratio: fired / plans / (goalSeconds / goalPlans),
      goal: { at: 'most', ratio: 1 },
    },
    {
      name: `${goalPlans} at this speed`,
      value: `${((goalPlans / plans) * fired).toFixed(0)} s`,
    },
    {
      name: 'payments meanwhile',
      value: `${speed.toFixed(0)} /s`,
      against: `${aloneSpeed.toFixed(0)} /s alone`,
      ratio: speed / aloneSpeed,
      goal: { at: 'least', ratio: goalShare },
    },
    { name: 'latency of a payment, median', value: milliseconds(latencies, 0.5), against: beside(0.5) },
    { name: 'latency of a payment, p99', value: milliseconds(latencies, 0.99), against: beside(0.99) },
    { name: 'callbacks after the last payment', value: `${backlog.toFixed(1)} s` },
  ]
}

const milliseconds = (latencies: Float64Array, share: number): string => `${percentile(latencies, share).toFixed(0)} ms`

function speedOf(rounds: readonly LoadResult[]): number {
  const sum = (of: (round: LoadResult) => number): number => rounds.reduce((total, round) => total + of(round), 0)
  return sum(({ requests }) => requests) / sum(({ seconds }) => seconds)
}

const latenciesOf = (rounds: readonly LoadResult[]): Float64Array =>
  Float64Array.from(rounds.flatMap(({ latencies }) => [...latencies])).sort()
