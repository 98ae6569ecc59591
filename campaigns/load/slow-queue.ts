/**
 * An acquirer without idempotency keys queues requests before it executes them, and does not know them meanwhile. Senders are killed, lose
 * their database, or have a clock that is minutes off. Nothing is executed twice; what was written off and executed after all is reversed,
 * or raises an alert. Chapter 10 §6.2.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { dayMs } from '#domain/time.ts'
import { auditFigures, type Campaign, type Findings, inSeconds, joinFindings, sizeOf, type Terms } from '../campaign.ts'
import { ProcessKiller } from '../process-killer.ts'
import { audit } from '../stage/audit.ts'
import { createSchedule, startChain } from '../stage/chain-requests.ts'
import { isQuiet, only, openStage, type Stage, until } from '../stage/stage.ts'
import { declareQueue } from './declared-queue.ts'
import { lateEffects, withoutPayments } from './slow-queue-audit.ts'
import { QueueLoad } from './slow-queue-load.ts'

export const slowQueue: Campaign = {
  name: 'slow-queue',
  asserts:
    'a request waiting in an acquirer’s queue is never sent again, despite crashes, a lost database or a wrong clock.',
  sizes: {
    commands: 2000,
    late: 100,
    plans: 20,
    holdSeconds: 40,
    skewMinutes: 10,
    kills: 24,
    cuts: 12,
    concurrency: 128,
    apis: 3,
  },
  quick: { commands: 60, late: 6, plans: 3, holdSeconds: 5, kills: 4, cuts: 2, concurrency: 24 },
  run: runSlowQueue,
  plantedFault: {
    what: 'A request unknown to the acquirer is resent at once, even if it ignores idempotency keys.',
    seenIn: 'doubled',
    sizes: { commands: 60, late: 0, plans: 0, holdSeconds: 8, kills: 3, cuts: 0, concurrency: 20 },
    patches: [
      {
        file: 'domain/src/payment/resend.ts',
        find: "if (!facts.wasSent || facts.keyHonoured) return 'send'",
        replace: "return 'send'",
      },
    ],
  },
}

const cutMs = 5_000
/** How long after its command a fault occurs. */
const soonestMs = 500
const latestMs = 2_500
/** Longer than any request can be in progress, plus some status queries. */
const resolveWithinMs = 300_000
/** The gateway's own limit. Chapter 10 §1.1. */
const waitSeconds = 30
/** How much later than guaranteed the acquirer executes, at most. */
const lateMs = 12_000

export async function runSlowQueue(terms: Terms): Promise<Findings> {
  const skewMs = sizeOf(terms, 'skewMinutes') * 60_000
  const holdMs = sizeOf(terms, 'holdSeconds') * 1000
  await using stage = await openStage({
    apis: sizeOf(terms, 'apis'),
    workers: 2,
    database: terms.database,
    sharedAuthority: true,
    cutsDatabase: true,
    // The first process of each role has the right time, so that work continues if the others notice that theirs is wrong.
    skewOf: (role, index) => [0, role === 'api' ? -skewMs : skewMs, skewMs][index] ?? 0,
  })
  const chains = await startPlans(stage, sizeOf(terms, 'plans'))
  const load = new QueueLoad(stage, terms.random)

  await declareQueue(stage, Math.ceil(holdMs / 1000) + 5)
  await stage.acquirer.setFaults({
    ignore_keys: true,
    queue_ms: { from: 0, to: holdMs },
    decline_soft: { count: 1, of: 12 },
  })
  const killer = new ProcessKiller(stage, terms.random)
  const cuts = await payUnderFaults(stage, terms, load, killer)
  const resolved = [await resolve(stage)]

  await firePlans(stage, chains)
  resolved.push(await resolve(stage))

  await executeLate(stage, load, sizeOf(terms, 'late'), holdMs)
  resolved.push(await resolve(stage))
  await stage.acquirer.clearFaults()
  // The last of them are executed only now; then comes the first status query about what was written off.
  await sleep(sizeOf(terms, 'late') > 0 ? lateMs : 0)
  // Scheduled by the clock of the process that wrote it off, which may be ahead.
  await stage.advance(61_000 + skewMs)
  const watched = await until(async () => (await lateEffects(stage)).unhandled.length === 0, resolveWithinMs, 200)
  resolved.push(await resolve(stage))

  const late = await lateEffects(stage)
  const repeated = (await stage.acquirer.summary()).repeated_requests
  const unresolved = resolved.filter((seconds) => seconds === null).length + (watched === null ? 1 : 0)
  return joinFindings(
    {
      figures: [
        { name: 'commands', value: load.commands },
        { name: 'kills', value: killer.tally() },
        { name: 'databases lost for 5 s', value: cuts },
        { name: 'answers that did not arrive', value: load.undecided },
        { name: 'sent again', value: repeated, must: 0 },
        { name: 'recorded as not executed', value: late.givenUp },
        { name: 'recorded as not executed, executed late', value: late.executed },
        { name: 'executed late without reversal or alert', value: late.unhandled.length, must: 0 },
        { name: 'plan payments', value: chains },
        { name: 'unresolved', value: unresolved, must: 0 },
        { name: 'longest wait for the last outcome', value: inSeconds(Math.max(...resolved.map((s) => s ?? 0))) },
      ],
      faults: late.unhandled,
    },
    auditFigures(withoutPayments(await audit(stage), late.payments)),
  )
}

/** Kills and cuts by progress and not by time, so that each meets queued requests. */
async function payUnderFaults(stage: Stage, terms: Terms, load: QueueLoad, killer: ProcessKiller): Promise<number> {
  const commands = sizeOf(terms, 'commands')
  const at = (count: number, shift: number): ReadonlySet<number> =>
    new Set(Array.from({ length: count }, (_, index) => Math.floor(((index + shift) * commands) / count)))
  const killNumbers = at(sizeOf(terms, 'kills'), 0.3)
  const cutNumbers = at(sizeOf(terms, 'cuts'), 0.7)
  const faults: Promise<void>[] = []
  // A moment later, when requests have reached the queue: a process that dies earlier has written nothing.
  const runSoon = (fault: () => Promise<void> | void): void => {
    faults.push(sleep(terms.random.between(soonestMs, latestMs)).then(fault))
  }
  const lane = async (): Promise<void> => {
    for (let number = load.nextNumber(); number < commands; number = load.nextNumber()) {
      if (killNumbers.has(number)) runSoon(() => killer.kill(terms.random.pick(['api', 'api', 'api', 'worker'])))
      if (cutNumbers.has(number)) runSoon(() => terms.random.pick(nonEmpty(stage.lines)).cut(cutMs))
      await load.pay(number)
    }
  }
  await Promise.all(Array.from({ length: sizeOf(terms, 'concurrency') }, lane))
  await Promise.all(faults)
  await killer.untilRestarted()
  return cutNumbers.size
}

/** Seconds until every outcome is known and called back; null if that never happened. The clocks are advanced in small steps. */
async function resolve(stage: Stage): Promise<number | null> {
  const begun = performance.now()
  while (performance.now() - begun < resolveWithinMs) {
    if (await isQuiet(stage).catch(() => false)) return (performance.now() - begun) / 1000
    await stage.advance(1_000)
    await sleep(500)
  }
  return null
}

/** Starts plans whose first automatic payment is due tomorrow; returns their number. */
async function startPlans(stage: Stage, count: number): Promise<number> {
  const { url } = only(stage.apis.slice(0, 1))
  const schedule_id = await createSchedule(stage, url, {
    interval_length: '1',
    interval_unit: 'day',
    payments_count: '1',
  })
  await Promise.all(
    Array.from({ length: count }, (_, index) => startChain(stage, url, `plan-${index}`, { schedule_id })),
  )
  return count
}

/** Advances to tomorrow, and kills the worker that makes the plan payments. */
async function firePlans(stage: Stage, plans: number): Promise<void> {
  if (plans === 0) return
  await stage.advance(dayMs)
  await until(async () => (await countPlanPayments(stage)) > 0, resolveWithinMs)
  await Promise.all(stage.workers.map(async (worker) => worker.kill().then(() => worker.start())))
  await until(async () => (await countPlanPayments(stage)) >= plans, resolveWithinMs)
}

/** The acquirer guarantees less time than it takes, so some requests are executed late. */
async function executeLate(stage: Stage, load: QueueLoad, count: number, holdMs: number): Promise<void> {
  if (count === 0) return
  const firsts = await load.settledSales(Math.floor(count / 2))
  await declareQueue(stage, 0)
  // Written off just after the gateway's own limit, and executed after that.
  const holds = {
    from: Math.max(holdMs - 2_000, (waitSeconds + 8) * 1000),
    to: Math.max(holdMs, (waitSeconds + 10) * 1000),
  }
  await stage.acquirer.setFaults({ ignore_keys: true, queue_ms: holds })
  await load.lateOnes(count - firsts.length, firsts)
}

const count = async ({ pool }: Stage, text: string): Promise<number> =>
  (await pool.query<{ count: number }>(text)).rows[0]?.count ?? 0

const countPlanPayments = (stage: Stage): Promise<number> =>
  count(stage, 'select count(*)::int from payments where plan_date is not null')

function nonEmpty<T>(list: readonly T[]): readonly [T, ...T[]] {
  const [first, ...rest] = list
  if (first === undefined) throw new Error('The stage has no lines.')
  return [first, ...rest]
}
