/** Complete SALEs per second, and their cost in every program involved. */
import type { Merchant } from '../campaigns/stage/merchant.ts'
import type { Program } from '../campaigns/stage/program.ts'
import { only } from '../campaigns/stage/stage.ts'
import { closedLoop, type LoadResult, percentile } from './load.ts'
import { canCount, cpuSeconds, cpuSecondsOfFamily, machineTime, residentMegabytes } from './processes.ts'
import { type Scene, waitForBacklog } from './scene.ts'
import { requireAllAnswered, VoidRun } from './void-run.ts'

export interface SaleRun {
  readonly load: LoadResult
  /** Milliseconds of CPU time per SALE, by program; empty if the system does not provide it. */
  readonly cpuMs: ReadonlyMap<string, number>
  /** The share of the machine's CPU time used by uninvolved programs; null if the system does not provide it. */
  readonly takenByOthers: number | null
  readonly residentMegabytes: number
  /** What the database wrote to its log per SALE, deliveries of callbacks included. */
  readonly walBytes: number
  /** From the last answer until the last callback was delivered. */
  readonly backlogSeconds: number
}

const warmUpSeconds = 6
/** Between two runs the machine did other work. */
const rewarmSeconds = 1

/**
 * Brings compiled code and query plans into the state of an instance that has run for a while: V8 has optimised the hot paths, and the
 * database has analysed tables that are no longer empty.
 */
export async function warmUp(scene: Scene): Promise<void> {
  await closedLoop({ ...loadOptionsOf(scene), seconds: warmUpSeconds })
  await waitForBacklog(scene)
  await scene.stage.pool.query('analyze')
}

const loadOptionsOf = (scene: Scene, apis: readonly Program[] = scene.stage.apis) => ({
  url: apis.map(({ url }) => url),
  path: '/post',
  connections: scene.terms.connections,
  body: saleBodies(scene.stage.merchant),
  expects: '"status":"SETTLED"',
})

/** Over all api processes of the stage, or over these alone. */
export async function runSale(scene: Scene, apis = scene.stage.apis): Promise<SaleRun> {
  const { stage, terms } = scene
  const api = only(stage.apis)
  const loadOptions = loadOptionsOf(scene, apis)
  await closedLoop({ ...loadOptions, seconds: rewarmSeconds })

  const before = usage(scene)
  const machineBefore = machineTime()
  const walBefore = await walPosition(scene)
  const load = await closedLoop({ ...loadOptions, seconds: terms.seconds })
  const backlogSeconds = await waitForBacklog(scene)
  const after = usage(scene)
  const machineAfter = machineTime()
  const walAfter = await walPosition(scene)
  const resident = residentMegabytes(api.pid)
  await requireAllAnswered(load, api)
  if (backlogSeconds === null) throw new VoidRun('The backlog of callbacks did not return to zero.')
  await requireAgreement(scene)
  const used = new Map([...after].map(([name, seconds]) => [name, seconds - (before.get(name) ?? 0)] as const))
  const ours = [...used.values()].reduce((sum, seconds) => sum + seconds, 0)
  const busy = machineAfter.busy - machineBefore.busy
  return {
    load,
    cpuMs: new Map([...used].map(([name, seconds]) => [name, (seconds / load.requests) * 1000])),
    takenByOthers: canCount ? (busy - ours) / (machineAfter.total - machineBefore.total) : null,
    residentMegabytes: resident,
    walBytes: (walAfter - walBefore) / load.requests,
    backlogSeconds,
  }
}

const loneSeconds = 3

/** The median latency in milliseconds of payments that follow each other on one connection, with no other request beside them. */
export async function runLone(scene: Scene): Promise<number> {
  const seconds = Math.min(loneSeconds, scene.terms.seconds)
  const load = await closedLoop({ ...loadOptionsOf(scene), connections: 1, seconds })
  await requireAllAnswered(load, only(scene.stage.apis), 'lone SALE')
  return percentile(load.latencies, 0.5)
}

async function walPosition({ stage }: Scene): Promise<number> {
  const { rows } = await stage.pool.query<{ position: string }>(
    `select (pg_current_wal_insert_lsn() - '0/0')::text as position`,
  )
  return Number(rows[0]?.position)
}

let orders = 0
/** As in a filled history. */
const prices = 4_999

/** Every sale has its own order, and amounts differ as those of a shop do; everything else is the same, and so is the hash, which contains neither. */
export function saleBodies(merchant: Merchant): () => string {
  const fields = merchant.saleFields('ORDER', { order_amount: 'AMOUNT' })
  const [head = '', between = '', tail = ''] = new URLSearchParams(fields)
    .toString()
    .split(/(?<=order_id=)ORDER|(?<=order_amount=)AMOUNT/)
  return () => {
    orders += 1
    return `${head}BENCH-${orders}${between}${((100 + ((orders * 37) % prices)) / 100).toFixed(2)}${tail}`
  }
}

/** Seconds of CPU time of each program. */
export function usage({ stage }: Scene): ReadonlyMap<string, number> {
  if (!canCount) return new Map()
  return new Map([
    ['api', stage.apis.reduce((sum, { pid }) => sum + cpuSeconds(pid), 0)],
    ['worker', cpuSeconds(only(stage.workers).pid)],
    ['acquirer', cpuSeconds(stage.sandbox.pid)],
    ['PostgreSQL', cpuSecondsOfFamily(stage.database.pid() ?? 0)],
    ['merchant', cpuSeconds(process.pid)],
  ])
}

/**
 * The validity gate: acquirer's executions = our settlements = merchant's callbacks.
 *
 * The floor repeats the second recorded sale, so that many payments have its order; together they count as the one that was sold.
 */
async function requireAgreement({ stage, receiver }: Scene): Promise<void> {
  const { rows } = await stage.pool.query<{ settled: number }>(
    "select count(*)::int as settled from payments where status = 'SETTLED' and order_id <> 'RECORD-2'",
  )
  const executed = (await stage.acquirer.summary()).entries
  const [settled, received] = [(rows[0]?.settled ?? 0) + 1, receiver.count]
  if (executed !== settled || settled !== received)
    throw new VoidRun(
      `The acquirer executed ${executed} payments, the gateway settled ${settled}, and the merchant received ${received} callbacks.`,
    )
}
