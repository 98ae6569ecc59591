/**
 * kill -9 of the helper process of the family `prism` at every step of a payment. The gateway lives on: it answers, nothing is lost or doubled, the
 * helper is started again once for each death, and the next payment works. Chapter 60 §1.2.
 */
import { readFile, rm, writeFile } from 'node:fs/promises'
import { installSamplePackage } from '#server/connectors/prism/testing/sample-package.ts'
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
import type { Reply } from '../stage/merchant.ts'
import { isQuiet, only, openStage, type Stage, until } from '../stage/stage.ts'
import { type HelperOrder, type HelperPoint, helperFlag, helperPoints, orderFile, recordFile } from './helper-order.ts'

export const helperCrashes: Campaign = {
  name: 'helper-points',
  asserts:
    'kill -9 of the helper of an acquirer at each step of a payment leaves exactly one effect, and the next payment works.',
  sizes: { runs: 5 },
  quick: { runs: 1 },
  run: (terms) => runHelperPoints(terms),
  plantedFault: {
    what: 'A charge whose answer the helper did not read is recorded as not executed.',
    seenIn: 'lost',
    patches: [
      {
        file: 'server/src/connectors/prism/perform.ts',
        find: "return { kind: 'unread', status }",
        replace: "return { kind: 'not-built', refusal: { code: 'FAULT', message: '', error: null } }",
      },
    ],
  },
}

/** The package that the helper loads, and the loader under which it runs. */
interface HelperPackage {
  readonly install: (dataDir: string) => Promise<void>
  readonly loader: string | null
}

/** Of our own making: a campaign downloads nothing. `npm run test:prism` gives the real one. */
const samplePackage: HelperPackage = { install: installSamplePackage, loader: null }

interface Kill {
  readonly command: 'SALE' | 'AUTH' | 'CREDITVOID'
  readonly point: HelperPoint
  readonly times: HelperOrder['times']
}

const acquirer = 'prism-nmi'
const recoverWithinMs = 120_000
const killWithinMs = 20_000
const promisedSeconds = 1

export async function runHelperPoints(terms: Terms, helper: HelperPackage = samplePackage): Promise<Findings> {
  const runs = sizeOf(terms, 'runs')
  await using stage = await openStage({
    database: terms.database,
    standIns: [acquirer],
    sharedAuthority: true,
    prepareFolder: helper.install,
    prismLoader: helper.loader,
    measuredBy: (name, folder) => (name.startsWith('api') ? [helperFlag(folder)] : []),
  })
  // The first payment starts the helper.
  await nextPayment(stage, 'first')
  const results: KillResult[] = []
  for (let run = 1; run <= runs; run += 1)
    for (const kill of killsOf()) {
      results.push(await killOnce(stage, kill, `${run}`))
      terms.progress?.(results.length, runs * killsOf().length)
    }

  const recovered = await until(() => isQuiet(stage), recoverWithinMs)
  const { starts, kills } = await readRecord(stage)
  const next = results.map(({ nextSeconds }) => nextSeconds)
  const { median, max } = spread(next)
  const faults = [...results.flatMap((one) => one.faults), ...(await wrongEnds(stage, results))]
  return joinFindings(
    {
      figures: [
        { name: 'points × runs', value: `${results.length / runs} × ${runs}` },
        { name: 'kills of the helper', value: kills },
        { name: 'starts without a kill before', value: starts - kills, must: 1 },
        { name: 'unexpected answers and ends', value: faults.length, must: 0 },
        { name: 'not recovered', value: recovered === null ? 1 : 0, must: 0 },
        { name: 'next payment, median', value: inSeconds(median) },
        { name: 'next payment, longest', value: inSeconds(max) },
        { name: 'next payments above a second', value: next.filter((seconds) => seconds > promisedSeconds).length },
      ],
      faults,
    },
    auditFigures(await audit(stage)),
  )
}

/**
 * A refund whose answer is never read is decided by two people, because the acquirer cannot be asked about it by our reference: no campaign can
 * wait for that.
 */
const killsOf = (): readonly Kill[] =>
  (['SALE', 'AUTH', 'CREDITVOID'] as const).flatMap((command) =>
    helperPoints.flatMap((point) =>
      (['once', 'always'] as const)
        .filter((times) => times === 'once' || isDeadly(point))
        .filter((times) => times === 'once' || command !== 'CREDITVOID' || point !== 'reading')
        .map((times) => ({ command, point, times })),
    ),
  )

/** A helper that dies is asked a second time, so that only one that dies every time changes the answer. */
const isDeadly = (point: HelperPoint): boolean => point === 'building' || point === 'reading'

interface KillResult {
  readonly kill: Kill
  readonly orderId: string
  readonly nextSeconds: number
  readonly faults: readonly string[]
}

async function killOnce(stage: Stage, kill: Kill, run: string): Promise<KillResult> {
  const { command, point, times } = kill
  const orderId = `${run}-${command}-${point}-${times}`
  const send = await prepare(stage, command, orderId)
  const before = await readRecord(stage)
  const order: HelperOrder = { id: orderId, point, times }
  await writeFile(orderFile(stage.folder), JSON.stringify(order))
  const reply = await send()
  // A refund goes to the acquirer after its request was answered. One that dies always is asked twice.
  const wanted = before.kills + (times === 'always' ? 2 : 1)
  const killed = await until(async () => (await readRecord(stage)).kills >= wanted, killWithinMs)
  await rm(orderFile(stage.folder))
  const next = await nextPayment(stage, orderId)
  const result = reply.answered ? reply.body.result : 'no answer'
  return {
    kill,
    orderId,
    nextSeconds: next.seconds,
    faults: [
      ...(killed !== null ? [] : [`${orderId}: the helper was not killed`]),
      ...(result === answerTo(kill) ? [] : [`${orderId}: answered ${result} in place of ${answerTo(kill)}`]),
      ...(next.result === 'SUCCESS' ? [] : [`${orderId}: the next payment was answered ${next.result}`]),
    ],
  }
}

const answerTo = ({ point, times, command }: Kill): string => {
  if (command === 'CREDITVOID') return 'ACCEPTED'
  if (times === 'always') return point === 'building' ? 'DECLINED' : 'UNDEFINED'
  return 'SUCCESS'
}

async function prepare(stage: Stage, command: Kill['command'], orderId: string): Promise<() => Promise<Reply>> {
  const { url } = only(stage.apis)
  const { merchant } = stage
  if (command !== 'CREDITVOID') return () => merchant.sale(url, orderId, command === 'AUTH' ? { auth: 'Y' } : {})
  const sale = await merchant.sale(url, orderId)
  const transId = (sale.answered ? sale.body.trans_id : undefined) ?? ''
  return () => merchant.followUp(url, 'CREDITVOID', transId)
}

async function nextPayment(stage: Stage, after: string) {
  const begun = performance.now()
  const reply = await stage.merchant.sale(only(stage.apis).url, `next-${after}`)
  const result = reply.answered ? reply.body.result : reply.reason
  return { result, seconds: (performance.now() - begun) / 1000 }
}

async function readRecord({ folder }: Stage) {
  const lines = (await readFile(recordFile(folder), 'utf8')).split('\n')
  const countOf = (word: string): number => lines.filter((line) => line.startsWith(word)).length
  return { starts: countOf('start'), kills: countOf('kill') }
}

/** What each payment has come to, once nothing is open any more. */
async function wrongEnds(stage: Stage, results: readonly KillResult[]): Promise<readonly string[]> {
  const { rows } = await stage.pool.query<{ id: string; order_id: string; status: string }>(
    'select id, order_id, status from payments',
  )
  const effects = (await stage.acquirer.ledger()).filter(isWanted)
  return results.flatMap(({ kill, orderId }) => {
    const payment = rows.find(({ order_id }) => order_id === orderId)
    const executed = effects.filter(({ payment_id }) => payment_id === payment?.id).length
    const { status, count } = endOf(kill)
    return payment?.status === status && executed === count
      ? []
      : [`${orderId}: ${payment?.status} with ${executed} effects in place of ${status} with ${count}`]
  })
}

function endOf({ command, point, times }: Kill): { readonly status: string; readonly count: number } {
  const isExecuted = times === 'once' || point !== 'building'
  if (command === 'CREDITVOID') return isExecuted ? { status: 'REFUND', count: 2 } : { status: 'SETTLED', count: 1 }
  if (!isExecuted) return { status: 'DECLINED', count: 0 }
  return { status: command === 'AUTH' ? 'PENDING' : 'SETTLED', count: 1 }
}
