/**
 * Five times as many sales as the machine can process, from big merchants, with a small one beside them. Accepted requests are answered
 * quickly, the rest is refused before any work, the small merchant does not notice, and nothing is lost.
 */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { auditFigures, type Campaign, type Findings, inSeconds, joinFindings, sizeOf, type Terms } from '../campaign.ts'
import { audit } from '../stage/audit.ts'
import type { LoadReport, LoadRun } from '../stage/load-driver.ts'
import { isQuiet, only, openStage, type Stage, until } from '../stage/stage.ts'

export const overload: Campaign = {
  name: 'overload',
  asserts: 'five times the maximum load: the queue is bounded, small merchants are served, nothing is lost.',
  // With `p99Ms` 0 neither times nor shares are judged: in a few seconds on a busy machine they mean nothing.
  sizes: { seconds: 60, calibration: 10, times: 5, small: 2, connections: 512, p99Ms: 2000 },
  quick: { seconds: 15, calibration: 4 },
  plantedFault: {
    what: 'The overload gate admits every request at once.',
    seenIn: 'refused with 503 too rarely',
    sizes: { seconds: 10, calibration: 3 },
    patches: [
      {
        file: 'server/src/overload/gate.ts',
        find: 'if (queue.size === 0 && capacity.hasRoom) {',
        replace: 'if (queue.size >= 0) {',
      },
    ],
  },
  run: runOverload,
}

export const big = ['demo', 'demo-no-wallet', 'demo-no-moto']
export const small = 'demo-wallet-virtual'
/** The percentage of a small merchant's requests that must be accepted. */
const smallShare = 99
const recoverWithinMs = 60_000
const quietWithinMs = 600_000
const mostMegabytes = 1024

async function runOverload(terms: Terms): Promise<Findings> {
  await using stage = await openStage({
    apis: 1,
    workers: 1,
    database: terms.database,
    databasePool: 16,
    queueMs: 1000,
    sharedAuthority: true,
  })
  const seconds = sizeOf(terms, 'seconds')
  const loadRun = (over: Partial<LoadRun>, of: readonly string[]): LoadRun => ({
    url: only(stage.apis).url,
    connections: 32,
    seconds,
    perSecond: null,
    prefix: 'MOST-',
    bodies: of.map((name) => bodyOf(stage, name)),
    ...over,
  })
  const calibration = await drive(loadRun({ seconds: sizeOf(terms, 'calibration') }, big))
  const perSecond = calibration.acceptedMs.length / calibration.seconds
  const offered = Math.max(50, perSecond * sizeOf(terms, 'times'))
  const [fromBig, fromSmall] = await Promise.all([
    drive(loadRun({ perSecond: offered, connections: sizeOf(terms, 'connections'), prefix: 'BIG-' }, big)),
    drive(loadRun({ perSecond: sizeOf(terms, 'small'), prefix: 'SMALL-' }, [small])),
  ])
  const megabytes = residentMegabytes(only(stage.apis).pid)
  const recovered = await until(() => answersSoon(stage), recoverWithinMs)
  const quiet = await until(() => isQuiet(stage), quietWithinMs)
  const reports = [calibration, fromBig, fromSmall]
  const effects = await effectsOf(
    stage,
    reports.flatMap(({ refusedOrders }) => refusedOrders),
  )
  const forgotten = await withoutPayment(
    stage,
    reports.flatMap(({ acceptedOrders }) => acceptedOrders),
  )
  const [p99Ms, smallP99Ms] = [percentile(fromBig.acceptedMs, 0.99), percentile(fromSmall.acceptedMs, 0.99)]
  const longestP99Ms = sizeOf(terms, 'p99Ms')
  const late = (ms: number): number => (longestP99Ms > 0 && ms > longestP99Ms ? 1 : 0)
  const smallCount = fromSmall.acceptedMs.length + fromSmall.refusedOrders.length + fromSmall.others.length
  const share = smallCount === 0 ? 0 : (fromSmall.acceptedMs.length / smallCount) * 100
  // The receiver has the secrets of one merchant only; the other campaigns show that callbacks verify.
  const audited = auditFigures({ ...(await audit(stage)), unverified: [] })
  return joinFindings(
    {
      figures: [
        { name: 'most sales per second', value: Math.round(perSecond) },
        { name: 'offered per second', value: Math.round(offered) },
        { name: 'taken', value: fromBig.acceptedMs.length },
        { name: 'refused', value: fromBig.refusedOrders.length },
        // At five times the maximum most must be refused; a third leaves room for a machine that got faster meanwhile.
        { name: 'refused with 503 too rarely', value: longestP99Ms > 0 && isTooRare(fromBig) ? 1 : 0, must: 0 },
        {
          name: 'refused without Retry-After',
          value: fromBig.withoutRetryAfter + fromSmall.withoutRetryAfter,
          must: 0,
        },
        { name: 'other or missing answers', value: reports.flatMap(({ others }) => others).length, must: 0 },
        { name: 'accepted requests, p50', value: inSeconds(percentile(fromBig.acceptedMs, 0.5) / 1000) },
        { name: 'accepted requests, p99', value: inSeconds(p99Ms / 1000) },
        { name: 'p99 of accepted requests is too long', value: late(p99Ms), must: 0 },
        { name: 'refused requests, p50', value: inSeconds(percentile(fromBig.refusedMs, 0.5) / 1000) },
        { name: 'small merchant, accepted of 100', value: share.toFixed(1) },
        { name: 'small merchant, refused too often', value: longestP99Ms > 0 && share < smallShare ? 1 : 0, must: 0 },
        { name: 'small merchant, p99', value: inSeconds(smallP99Ms / 1000) },
        { name: 'small merchant, p99 is too long', value: late(smallP99Ms), must: 0 },
        { name: 'refused requests with an effect', value: effects.length, must: 0 },
        { name: 'answered payments without a record', value: forgotten.length, must: 0 },
        { name: 'time until normal latency', value: recovered === null ? 'never' : inSeconds(recovered) },
        { name: 'not recovered', value: recovered === null || quiet === null ? 1 : 0, must: 0 },
        { name: 'memory of the api, MB', value: megabytes },
        { name: 'memory above its bound', value: megabytes > mostMegabytes ? 1 : 0, must: 0 },
      ],
      faults: [...effects, ...forgotten, ...reports.flatMap(({ others }) => others)],
    },
    { ...audited, figures: audited.figures.filter(({ name }) => name !== 'callbacks with an invalid signature') },
  )
}

const isTooRare = ({ acceptedMs, refusedOrders }: LoadReport): boolean =>
  refusedOrders.length < (acceptedMs.length + refusedOrders.length) / 3

const bodyOf = (stage: Stage, name: string): string =>
  new URLSearchParams(stage.merchantNamed(name).saleFields('ORDERNUMBER')).toString()

const driver = fileURLToPath(new URL('../stage/load-driver.ts', import.meta.url))

/** In a separate process without the flags of this one: a planted fault must not affect the load generator. */
async function drive(loadRun: LoadRun): Promise<LoadReport> {
  const child = spawn(process.execPath, [driver], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(JSON.stringify(loadRun))
  return JSON.parse(await text(child.stdout)) as LoadReport
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

let loneCount = 0

/** A single request is accepted and answered as on an idle instance. */
async function answersSoon(stage: Stage): Promise<boolean> {
  const begun = performance.now()
  loneCount += 1
  const reply = await stage.merchant.sale(only(stage.apis).url, `LONE-${loneCount}`)
  return reply.answered && reply.http === 200 && performance.now() - begun < 1000
}

export async function effectsOf({ pool }: Stage, refused: readonly string[]): Promise<readonly string[]> {
  const { rows } = await pool.query<{ name: string; what: string }>(
    `select order_id as name, 'a payment' as what from payments where order_id = any($1)
     union all select key, 'an idempotency key' from idempotency_keys where key = any($1)`,
    [refused],
  )
  return rows.map(({ name, what }) => `${name} was refused and left ${what}.`)
}

export async function withoutPayment({ pool }: Stage, taken: readonly string[]): Promise<readonly string[]> {
  const { rows } = await pool.query<{ order: string }>(
    `select given as order from unnest($1::text[]) given
     where not exists (select from payments where order_id = given and status = 'SETTLED')`,
    [taken],
  )
  return rows.map(({ order }) => `${order} was answered as settled and is not.`)
}

/** 0 if the system does not provide it. */
function residentMegabytes(pid: number): number {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return Math.round(Number(kilobytes ?? 0) / 1024)
  } catch {
    return 0
  }
}
