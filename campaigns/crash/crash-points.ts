/**
 * kill -9 at every durable step of every command that moves money. The gateway dies and is restarted; afterwards the acquirer has executed
 * the command exactly once, or never if no intent was written, and the merchant has its callbacks.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import {
  auditFigures,
  type Campaign,
  type Findings,
  inSeconds,
  joinFindings,
  sizeOf,
  spread,
  type Terms,
} from '../campaign.ts'
import { audit, isWanted } from '../stage/audit.ts'
import { countUnfinished } from '../stage/our-record.ts'
import type { Program } from '../stage/program.ts'
import { isQuiet, only, openStage, type Stage, until } from '../stage/stage.ts'
import {
  type Command,
  commands,
  crashFlag,
  expectationOf,
  type Point,
  points,
  type Victim,
  victimOf,
} from './crash-plan.ts'
import { scenes } from './crash-scenes.ts'

export const crashPoints: Campaign = {
  name: 'crash-points',
  asserts: 'kill -9 at each durable step of every money movement leaves exactly one effect and a final status.',
  longestMinutes: 60,
  sizes: { runs: 2 },
  quick: { runs: 1 },
  run: (terms) =>
    runCrashPoints(
      terms,
      commands.map((command) => [command, points]),
    ),
  plantedFault: {
    what: 'A charge that is interrupted after sending is recorded as not executed without asking the acquirer.',
    seenIn: 'lost',
    patches: [
      {
        file: 'server/src/payments/exchange/status-query.ts',
        find: 'return acquirer.status(await readSentTransaction(deps, payment, transaction))',
        replace: "return { result: 'not-executed', reason: 'Written off', facts: {} }",
      },
    ],
    run: (terms) => runCrashPoints(terms, [['SALE', ['sent', 'answer']]]),
  },
}

interface Crash {
  readonly command: Command
  readonly point: Point
  readonly orderId: string
  /** Every other time no other process is alive, so that nothing is recovered before the restart. */
  readonly withOthers: boolean
  /** How often the scene may be prepared again if the process missed its point. */
  readonly triesLeft?: number
}

interface CrashResult {
  readonly faults: readonly string[]
  readonly seconds: number
}

/** Which commands are killed at which of their points. */
export type Plan = readonly (readonly [command: Command, at: readonly Point[]])[]

export async function runCrashPoints(terms: Terms, plan: Plan): Promise<Findings> {
  const runs = sizeOf(terms, 'runs')
  const crashes = crashesOf(plan, runs)
  await using stage = await openStage({
    apis: 1,
    workers: 1,
    database: terms.database,
    threeDs: true,
    sharedAuthority: true,
  })
  const gateway: Gateway = { api: only(stage.apis), worker: only(stage.workers) }
  const results: CrashResult[] = []
  for (const [index, crash] of crashes.entries()) {
    if (!sharesRestart(crashes[index - 1], crash)) await restartWithHook(gateway, crash)
    const next = crashes[index + 1]
    const nextFlags = next && sharesRestart(crash, next) ? [flagOf(next)] : []
    results.push(await crashOnce(stage, gateway, crash, nextFlags))
    terms.progress?.(results.length, crashes.length)
  }

  const recovery = spread(results.map(({ seconds }) => seconds))
  const faults = results.flatMap((result) => result.faults)
  return joinFindings(
    {
      figures: [
        { name: 'points × runs', value: `${crashes.length / runs} × ${runs}` },
        { name: 'unexpected after recovery', value: faults.length, must: 0 },
        { name: 'time to recover, median', value: inSeconds(recovery.median) },
        { name: 'time to recover, longest', value: inSeconds(recovery.max) },
      ],
      faults,
    },
    auditFigures(await audit(stage)),
  )
}

function crashesOf(plan: Plan, runs: number): readonly Crash[] {
  const each = plan.flatMap(([command, at]) => at.map((point) => ({ command, point })))
  return Array.from({ length: runs }, () => each)
    .flat()
    .map(({ command, point }, index) => ({
      command,
      point,
      orderId: `${index}-${command}-${point}`,
      // Shifted by one from run to run, so that each point is tested both ways.
      withOthers: (index + Math.floor(index / each.length)) % 2 === 0,
    }))
}

type Gateway = Readonly<Record<Victim, Program>>

const flagOf = ({ command, point }: Crash): string => crashFlag(command, point)

/** The process that is started after a crash already has the hook of the next one, unless it has to recover something itself. */
function sharesRestart(before: Crash | undefined, next: Crash): boolean {
  if (!before || scenes[before.command].payerReloads) return false
  return victimOf(before.command) === 'api' && victimOf(next.command) === 'api'
}

async function restartWithHook(gateway: Gateway, crash: Crash): Promise<void> {
  const victim = gateway[victimOf(crash.command)]
  await victim.kill()
  await victim.start([flagOf(crash)])
}

const recoverWithinMs = 120_000
/** The time within which a process with the hook dies. */
const dieWithinMs = 20_000
/** How long is waited when nothing may happen. */
const quietMs = 400

async function crashOnce(
  stage: Stage,
  gateway: Gateway,
  crash: Crash,
  nextFlags: readonly string[],
): Promise<CrashResult> {
  const scene = scenes[crash.command]
  const { triesLeft = 2 } = crash
  const victim = gateway[victimOf(crash.command)]
  const others = Object.values(gateway).filter((program) => program !== victim && crash.withOthers)
  const send = await scene.prepare(stage, gateway.api.url, crash.orderId)
  await until(() => (scene.payerStepIsOpen ? hasNoDueWork(stage) : isQuiet(stage)), recoverWithinMs)
  const since = (await stage.acquirer.ledger()).length
  await Promise.all(others.map((other) => other.kill()))

  const reply = await send(gateway.api.url)
  const died = await until(async () => reply.answered || !victim.isRunning, dieWithinMs)
  if (reply.answered || died === null) {
    await Promise.all(others.map((other) => other.start()))
    // On a busy machine the worker may ask the acquirer before the payer is back, who then has nothing to end, and outcomes may come one by one.
    if (reply.answered && scene.canMiss && triesLeft > 0) {
      const again = { ...crash, orderId: `${crash.orderId}-again`, triesLeft: triesLeft - 1 }
      return crashOnce(stage, gateway, again, nextFlags)
    }
    return { faults: [`${title(crash)}: the process did not die and answered ${JSON.stringify(reply)}`], seconds: 0 }
  }
  const restarted = performance.now()
  await Promise.all([victim.start(nextFlags), ...others.map((other) => other.start())])
  if (scene.payerReloads) await send(gateway.api.url)
  const recovered = await until(() => isOver(stage, crash, since), recoverWithinMs)
  const seconds = (performance.now() - restarted) / 1000
  if (recovered === null) return { faults: [`${title(crash)}: not recovered after ${seconds} s`], seconds }
  return { faults: await faultsOf(stage, crash, since), seconds }
}

const hasNoDueWork = async ({ pool }: Stage): Promise<boolean> => (await countUnfinished(pool)).due === 0

/** A plan's payment that was not begun is no open transaction, so its effect is awaited instead. */
async function isOver(stage: Stage, { command, point }: Crash, since: number): Promise<boolean> {
  if (!(await isQuiet(stage))) return false
  const { effects } = expectationOf(command, point)
  return effects === 'each' || victimOf(command) !== 'worker' || (await countExecutedSince(stage, since)) >= effects
}

/** A plan's date is weeks ahead, when holds of earlier crashes lapse by themselves. */
const countExecutedSince = async ({ acquirer }: Stage, since: number): Promise<number> =>
  (await acquirer.ledger(since)).filter(isWanted).length

async function faultsOf(stage: Stage, crash: Crash, since: number): Promise<readonly string[]> {
  const wanted = expectationOf(crash.command, crash.point)
  if (wanted.effects === 0) await sleep(quietMs)
  const statuses =
    wanted.effects === 'each' ? await statusesOf(stage, crash.orderId) : [await statusOf(stage, crash.orderId)]
  const effects = await countExecutedSince(stage, since)
  const wantedEffects = wanted.effects === 'each' ? statuses.length : wanted.effects
  return [
    ...statuses
      .filter((status) => status !== wanted.status)
      .map((status) => `${title(crash)}: the payment is ${status}, not ${wanted.status}`),
    ...(effects === wantedEffects ? [] : [`${title(crash)}: ${effects} effects, not ${wantedEffects}`]),
  ]
}

/** Of all payments whose order numbers begin with this one. */
async function statusesOf({ pool }: Stage, orderId: string): Promise<readonly string[]> {
  const { rows } = await pool.query<{ status: string }>('select status from payments where starts_with(order_id, $1)', [
    orderId,
  ])
  return rows.map(({ status }) => status)
}

async function statusOf({ pool }: Stage, orderId: string): Promise<string | null> {
  const { rows } = await pool.query<{ status: string }>(
    'select status from payments where order_id = $1 order by id desc limit 1',
    [orderId],
  )
  return rows[0]?.status ?? null
}

const title = ({ command, point, orderId }: Crash): string => `${command} killed at ${point} (order ${orderId})`
