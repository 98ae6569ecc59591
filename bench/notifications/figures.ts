/**
 * Notifications of an acquirer, and how much they delay payments.
 *
 * Payments arrive at a steady pace that one process carries easily: at its maximum every other request would delay them. Rounds without and
 * with notifications alternate, so that other load on the machine affects both; how much of it there was is printed. A notification is signed as
 * Adyen signs it, reports an event of a payment that exists, and is entered by the worker meanwhile.
 */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { merchantReference as referenceOf } from '#server/connectors/merchant-reference.ts'
import { createMid } from '#server/setup/mids.ts'
import { only, until } from '../../campaigns/stage/stage.ts'
import type { Figure } from '../figure-table.ts'
import { closedLoop, type LoadResult, percentile } from '../load.ts'
import { machineTime } from '../processes.ts'
import { readProfile } from '../profile.ts'
import { saleBodies, usage, warmUp } from '../sale.ts'
import type { Scene } from '../scene.ts'
import { VoidRun } from '../void-run.ts'
import { NotificationSender, type Sent } from './job.ts'

const salesPerSecond = 20
/** Above the goal, because a paced loop falls a little short of its pace. */
const notificationsPerSecond = 1_030
const goalPerSecond = 1_000
const goalMs = 10
const saleConnections = 32
/** Of the acquirer: enough that the pace, and not the number of connections, decides. */
const notificationConnections = 64
const enteredWithinMs = 120_000

const mid = 'bench-adyen'
const account = 'BenchECOM'

export async function notificationFigures(scene: Scene): Promise<readonly Figure[]> {
  using sender = new NotificationSender()
  await warmUp(scene)
  const acquirer = await prepare(scene, sender)
  await (await acquirer.ready(warmSeconds))()
  const costs = await costsOf(scene, acquirer)
  const rounds: Round[] = []
  for (let round = 0; round < scene.terms.rounds; round += 1) rounds.push(await runRound(scene, acquirer))
  const enteredSeconds = await requireAllStored(scene, acquirer)
  const middle = rounds.toSorted((a, b) => delayOf(a) - delayOf(b))[Math.floor(rounds.length / 2)]
  if (!middle) throw new RangeError('A measurement needs at least one round.')
  return [...figuresOf(middle, rounds, enteredSeconds), costs]
}

const warmSeconds = 2

/** Where the CPU time of both programs goes. */
export async function profileNotifications(scene: Scene): Promise<readonly NamedProfile[]> {
  using sender = new NotificationSender()
  const programs = [['api', only(scene.stage.apis)] as const, ['worker', only(scene.stage.workers)] as const]
  const folderOf = (name: string): string => join(scene.stage.folder, 'profile', name)
  await warmUp(scene)
  const acquirer = await prepare(scene, sender)
  for (const [name, program] of programs) {
    await program.stop()
    await program.start(['--cpu-prof', `--cpu-prof-dir=${folderOf(name)}`])
  }
  await (await acquirer.ready(scene.terms.seconds))()
  await requireAllStored(scene, acquirer)
  for (const [, program] of programs) await program.stop()
  return await Promise.all(programs.map(async ([name]) => ({ name, ...(await readProfile(folderOf(name))) })))
}

interface NamedProfile extends Awaited<ReturnType<typeof readProfile>> {
  readonly name: string
}

interface Round {
  readonly aloneMs: number
  readonly busyMs: number
  readonly taken: Sent
  /** The share of the machine's CPU time used by uninvolved programs while notifications arrived. */
  readonly takenByOthers: number
}

async function runRound(scene: Scene, acquirer: Acquirer): Promise<Round> {
  const notify = await acquirer.ready(scene.terms.seconds)
  const alone = await pay(scene)
  const [usedBefore, machineBefore] = [cpuSecondsOf(scene), machineTime()]
  const [busy, taken] = await Promise.all([pay(scene), notify()])
  const [usedAfter, machineAfter] = [cpuSecondsOf(scene), machineTime()]
  const ours = usedAfter - usedBefore + taken.cpuSeconds
  return {
    aloneMs: percentile(alone.latencies, 0.5),
    busyMs: percentile(busy.latencies, 0.5),
    taken,
    takenByOthers: (machineAfter.busy - machineBefore.busy - ours) / (machineAfter.total - machineBefore.total),
  }
}

const cpuSecondsOf = (scene: Scene): number => [...usage(scene).values()].reduce((sum, seconds) => sum + seconds, 0)

const delayOf = ({ aloneMs, busyMs }: Round): number => busyMs - aloneMs

function figuresOf(middle: Round, rounds: readonly Round[], enteredSeconds: number): readonly Figure[] {
  const latencies = Float64Array.from(middle.taken.latencies)
  return [
    {
      name: 'notifications taken',
      value: `${Math.round(middle.taken.perSecond)} /s`,
      ratio: middle.taken.perSecond,
      goal: { at: 'least', ratio: goalPerSecond, unit: ' /s' },
    },
    {
      name: 'delay of a payment, median',
      value: `${middle.busyMs.toFixed(2)} ms`,
      against: `alone ${middle.aloneMs.toFixed(2)} ms`,
      ratio: delayOf(middle),
      goal: { at: 'most', ratio: goalMs, unit: ' ms' },
    },
    { name: 'delay, every round', value: rounds.map((round) => `${delayOf(round).toFixed(1)} ms`).join(' ') },
    {
      name: 'CPU used by other programs',
      value: rounds.map(({ takenByOthers }) => `${Math.round(takenByOthers * 100)} %`).join(' '),
    },
    { name: 'answer to a notification, median', value: `${percentile(latencies, 0.5).toFixed(2)} ms` },
    { name: 'answer to a notification, p99', value: `${percentile(latencies, 0.99).toFixed(2)} ms` },
    { name: 'all entered after the last answer', value: `${enteredSeconds.toFixed(2)} s` },
  ]
}

/** The CPU time of a notification without payments beside it, which other load on the machine hardly changes. */
async function costsOf(scene: Scene, acquirer: Acquirer): Promise<Figure> {
  await requireAllStored(scene, acquirer)
  const notify = await acquirer.ready(scene.terms.seconds)
  const before = usage(scene)
  const { requests, cpuSeconds } = await notify()
  await requireAllStored(scene, acquirer)
  const after = usage(scene)
  const readUsed = (name: string): number => (after.get(name) ?? 0) - (before.get(name) ?? 0)
  const costs = [
    ...['api', 'worker', 'PostgreSQL'].map((name) => [name, readUsed(name)] as const),
    ['sender', cpuSeconds] as const,
  ]
  const words = costs.map(([name, seconds]) => `${name} ${((seconds / requests) * 1000).toFixed(2)}`)
  return { name: 'CPU per notification, ms', value: words.join(', ') }
}

async function pay(scene: Scene): Promise<LoadResult> {
  const load = await closedLoop({
    url: only(scene.stage.apis).url,
    path: '/post',
    connections: saleConnections,
    perSecond: salesPerSecond,
    seconds: scene.terms.seconds,
    body: saleBodies(scene.stage.merchant),
    expects: '"status":"SETTLED"',
  })
  return requireSuccess(load)
}

interface Acquirer {
  readonly midId: string
  /** Signs notifications for so many seconds; the returned function sends them. */
  readonly ready: (seconds: number) => Promise<() => Promise<Sent>>
  /** How many were answered so far. */
  readonly countAnswered: () => number
}

function requireSuccess<Result extends { failures: number; firstFailure: string | null }>(load: Result): Result {
  if (load.failures > 0) throw new VoidRun(`${load.failures} requests failed, the first with ${load.firstFailure}`)
  return load
}

/** A MID at Adyen, with payments that its notifications can name. */
async function prepare({ stage }: Scene, sender: NotificationSender): Promise<Acquirer> {
  const hmacKey = randomBytes(32).toString('hex')
  const credentials = {
    merchant_account: account,
    api_key: 'x'.repeat(20),
    hmac_key: hmacKey,
    base_url: stage.sandbox.url,
  }
  const { id } = await createMid(stage.context, { name: mid, connector: 'adyen', mode: 'test' }, credentials)
  const { rows } = await stage.pool.query<{ id: string; transaction: string }>(
    `update payments set mid_id = $1 where id in (select id from payments where status = 'SETTLED' limit 500)
     returning id, first_transaction as transaction`,
    [id],
  )
  const references = rows.map((row) => referenceOf({ paymentId: row.id, transactionId: row.transaction }))
  const { url } = only(stage.apis)
  await waitUntilKnown(url)
  let [signed, answered] = [0, 0]
  return {
    midId: id,
    countAnswered: () => answered,
    ready: async (seconds) => {
      const first = signed
      signed += notificationsPerSecond * (seconds + 1)
      const send = await sender.prepare({
        url,
        path: `/acquirers/${mid}/notifications`,
        account,
        hmacKey,
        references,
        connections: notificationConnections,
        perSecond: notificationsPerSecond,
        seconds,
        first,
      })
      return async () => {
        const sent = requireSuccess(await send())
        answered += sent.requests
        return sent
      }
    },
  }
}

/** A process reads a new MID within a second; until then its notifications are answered 404, and then this one 401. */
async function waitUntilKnown(url: string): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    const reply = await fetch(`${url}/acquirers/${mid}/notifications`, { method: 'POST', body: '{}' })
    if (reply.status === 401) return
    await sleep(100)
  }
  throw new VoidRun('The gateway did not read the new MID.')
}

/** The validity gate: every notification is stored, and every event entered. Returns the seconds until then. */
async function requireAllStored({ stage }: Scene, { midId, countAnswered }: Acquirer): Promise<number> {
  const seconds = await until(async () => {
    const { rows } = await stage.pool.query<{ due: number }>(
      "select count(*)::int as due from acquirer_events where mid_id = $1 and state = 'due'",
      [midId],
    )
    return rows[0]?.due === 0
  }, enteredWithinMs)
  if (seconds === null) throw new VoidRun('The events of the notifications were not entered.')
  const { rows } = await stage.pool.query<{ entered: number }>(
    "select count(*)::int as entered from acquirer_events where mid_id = $1 and state = 'entered'",
    [midId],
  )
  if (rows[0]?.entered !== countAnswered())
    throw new VoidRun(`${countAnswered()} notifications were answered, and ${rows[0]?.entered} events entered.`)
  return seconds
}
