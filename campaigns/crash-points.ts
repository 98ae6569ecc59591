/**
 * kill -9 at every durable step of every command that moves money. The gateway dies and is started again; afterwards the acquirer
 * has executed the command exactly once, or never when no intent was written, and the merchant has been told.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import {
  auditFigures,
  type Campaign,
  type Findings,
  inSeconds,
  joined,
  sizeOf,
  spread,
  type Terms,
} from './campaign.ts'
import { type Command, commands, crashFlag, expected, type Point, points } from './crash-plan.ts'
import { audit } from './stage/audit.ts'
import type { Reply } from './stage/merchant.ts'
import type { Program } from './stage/program.ts'
import { isQuiet, only, openStage, type Stage, until } from './stage/stage.ts'

export const crashPoints: Campaign = {
  name: 'crash-points',
  asserts: 'kill -9 at each durable step of SALE, AUTH, CAPTURE, CREDITVOID and VOID leaves exactly one effect.',
  sizes: { runs: 4 },
  run: (terms) => runCrashPoints(terms, commands),
}

interface Crash {
  readonly command: Command
  readonly point: Point
  readonly orderId: string
  /** Every other time the worker is dead too, so that nobody recovers anything before the restart. */
  readonly withWorker: boolean
}

interface Aftermath {
  readonly faults: readonly string[]
  readonly seconds: number
}

export async function runCrashPoints(terms: Terms, chosen: readonly Command[]): Promise<Findings> {
  const runs = sizeOf(terms, 'runs')
  const crashes = crashesOf(chosen, runs)
  await using stage = await openStage({ apis: 1, workers: 1, database: terms.database })
  const [api, worker] = [only(stage.apis), only(stage.workers)]
  await api.stop()
  await api.start(flagsOf(crashes[0]))
  const aftermaths: Aftermath[] = []
  for (const [index, crash] of crashes.entries()) {
    aftermaths.push(await crashOnce(stage, { api, worker }, crash, flagsOf(crashes[index + 1])))
  }

  const recovery = spread(aftermaths.map(({ seconds }) => seconds))
  const faults = aftermaths.flatMap((aftermath) => aftermath.faults)
  return joined(
    {
      figures: [
        { name: 'points × runs', value: `${chosen.length * points.length} × ${runs}` },
        { name: 'not as expected after recovery', value: faults.length, must: 0 },
        { name: 'time to recover, median', value: inSeconds(recovery.median) },
        { name: 'time to recover, longest', value: inSeconds(recovery.max) },
      ],
      faults,
    },
    auditFigures(await audit(stage)),
  )
}

function crashesOf(chosen: readonly Command[], runs: number): readonly Crash[] {
  const each = chosen.flatMap((command) => points.map((point) => ({ command, point })))
  return Array.from({ length: runs }, () => each)
    .flat()
    .map(({ command, point }, index) => ({
      command,
      point,
      orderId: `${index}-${command}-${point}`,
      // Shifted by one from run to run, so that each point is met both ways.
      withWorker: (index + Math.floor(index / each.length)) % 2 === 0,
    }))
}

const flagsOf = (crash: Crash | undefined): readonly string[] => (crash ? [crashFlag(crash.command, crash.point)] : [])

const recoverWithinMs = 120_000
/** When nothing may happen, it is given this long to happen all the same. */
const quietMs = 400

/** The process that is started after the crash already carries the plan of the next one. */
async function crashOnce(
  stage: Stage,
  { api, worker }: { readonly api: Program; readonly worker: Program },
  crash: Crash,
  nextFlags: readonly string[],
): Promise<Aftermath> {
  const transId = await prepared(stage, api.url, crash)
  await until(() => isQuiet(stage), recoverWithinMs)
  const since = (await stage.acquirer.ledger()).length
  if (crash.withWorker) await worker.kill()

  const reply = await sent(stage, api.url, crash, transId)
  if (reply.answered) return { faults: [`${title(crash)}: the gateway did not die, it said ${reply.text}`], seconds: 0 }
  const died = performance.now()
  await api.exited
  await Promise.all([api.start(nextFlags), ...(crash.withWorker ? [worker.start()] : [])])

  const recovered = await until(() => isQuiet(stage), recoverWithinMs)
  const seconds = (performance.now() - died) / 1000
  if (recovered === null) return { faults: [`${title(crash)}: not recovered after ${seconds} s`], seconds }
  return { faults: await faultsOf(stage, api.url, crash, since), seconds }
}

/** The payment that a later command is about; empty for a first step. */
async function prepared(stage: Stage, url: string, { command, orderId }: Crash): Promise<string> {
  if (command === 'SALE' || command === 'AUTH') return ''
  const reply = await stage.merchant.sale(url, orderId, command === 'CAPTURE' ? { auth: 'Y' } : {})
  const transId = reply.answered ? reply.body.trans_id : undefined
  if (transId === undefined) throw new Error(`No payment could be made for ${command}: ${JSON.stringify(reply)}`)
  return transId
}

function sent({ merchant }: Stage, url: string, { command, orderId }: Crash, transId: string): Promise<Reply> {
  if (command === 'SALE') return merchant.sale(url, orderId)
  if (command === 'AUTH') return merchant.sale(url, orderId, { action: 'AUTH' })
  return merchant.followUp(url, command, transId)
}

async function faultsOf(stage: Stage, url: string, crash: Crash, since: number): Promise<readonly string[]> {
  const wanted = expected(crash.command, crash.point)
  if (wanted.effects === 0) await sleep(quietMs)
  const reply = await stage.merchant.byOrder(url, crash.orderId)
  const status = reply.answered ? (reply.body.status ?? null) : 'not told'
  const effects = (await stage.acquirer.ledger(since)).length
  return [
    ...(status === wanted.status ? [] : [`${title(crash)}: the payment is ${status}, not ${wanted.status}`]),
    ...(effects === wanted.effects ? [] : [`${title(crash)}: ${effects} effects, not ${wanted.effects}`]),
  ]
}

const title = ({ command, point, orderId }: Crash): string => `${command} killed at ${point} (order ${orderId})`
