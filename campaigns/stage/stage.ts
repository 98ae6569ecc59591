/**
 * The environment of campaigns and measurements: PostgreSQL, the sandbox acquirer, gateway processes and a merchant with its endpoint, each
 * a separate program as in production, all on the loopback address and below one temporary folder.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { limits } from '#domain/limits.ts'
import type { ProcessContext } from '#server/assembly/process-context.ts'
import type { Pool } from '#server/store/database/pool.ts'
import { DatabaseLine } from '../../server/test/hosts/database-line.ts'
import { AcquirerClient } from './acquirer.ts'
import { type DatabaseKind, openDatabase, type StageDatabase } from './database.ts'
import { merchantsOf, plainMerchants, readMerchantsByName, setUpInstance } from './instance-setup.ts'
import type { Merchant } from './merchant.ts'
import { countUnfinished } from './our-record.ts'
import { Program } from './program.ts'
import { Receiver } from './receiver.ts'
import { StandIns } from './stand-ins/stand-ins.ts'

interface StageOptions {
  readonly apis?: number
  readonly workers?: number
  readonly database?: DatabaseKind
  readonly logLevel?: 'debug' | 'info' | 'warn'
  /** Database connections of each gateway process. */
  readonly databasePool?: number
  /** How long requests may wait in the queue; by default none is refused for load. */
  readonly queueMs?: number
  /** The maximum of concurrent requests per process; its own default unless given. */
  readonly concurrent?: number
  /** The sandbox also authenticates payers; otherwise every payment is made without 3-D Secure. */
  readonly threeDs?: boolean
  /** Share one wallet authority between stages: finding its keys takes seconds. A clock moved by years would renew its certificates for all. */
  readonly sharedAuthority?: boolean
  /** The clock error of a gateway process in milliseconds, by its role and its number from 0. */
  readonly skewOf?: (role: 'api' | 'worker', index: number) => number
  /** Each api process has its own connection to the database, which can be cut. */
  readonly cutsDatabase?: boolean
  /** An api process writes its heap into the stage's folder on SIGUSR2. */
  readonly watchHeap?: boolean
  /** The number of paying merchants; the default is one. */
  readonly merchants?: number
  /** Stand-ins for real acquirers, by name. The paying merchants are then theirs, one each. */
  readonly standIns?: readonly string[] | undefined
  /** Circuit breakers as in production. Otherwise they are held closed, so that an acquirer's faults reach the gateway every time. */
  readonly breakersWork?: boolean
  /** The merchants' retry plan for callbacks, if not the default. */
  readonly callbackRetrySeconds?: readonly number[]
  /** A proxy between the gateway's processes and the acquirer. */
  readonly acquirerBehind?: Barrier
  readonly databaseBehind?: Barrier
  /** Opens another database than a server of `database`; closed with the stage. */
  readonly openDatabase?: (folder: string) => Promise<StageDatabase>
  /** Put the files of the database on a disk of this size. */
  readonly diskMegabytes?: number
  /** Called with the stage's folder, which is the data folder of the gateway, before anything is started. */
  readonly prepareFolder?: (folder: string) => Promise<void>
  /** The dynamic loader for helper processes of the family `prism`; null for the system's own. */
  readonly prismLoader?: string | null
  /** The folder of a control group, in which the api processes run. */
  readonly controlGroup?: string
  /** Node flags for a process of this name, which may write below the stage's folder. */
  readonly measuredBy?: (name: string, folder: string) => readonly string[]
}

/** Opens a proxy to the address; closed with the stage. */
export type Barrier = (url: string) => Promise<{ readonly url: string; close(): Promise<unknown> }>

export interface Stage extends AsyncDisposable {
  readonly folder: string
  readonly pool: Pool
  readonly database: StageDatabase
  readonly sandbox: Program
  /** Where the gateway finds the acquirer: the proxy before it, if there is one. */
  readonly acquirerUrl: string
  readonly apis: readonly Program[]
  readonly workers: readonly Program[]
  /** The connections of the api processes, if the stage was opened with connections that can be cut. */
  readonly lines: readonly DatabaseLine[]
  readonly acquirer: AcquirerClient
  readonly standIns: StandIns
  readonly receiver: Receiver
  readonly merchant: Merchant
  /** Another of the demo merchants; its callbacks arrive and are not verified. */
  merchantNamed(name: string): Merchant
  /** All paying merchants, including the first. */
  readonly merchants: readonly Merchant[]
  /** The context of an operator's commands. */
  readonly context: ProcessContext
  /** Advances the clocks of gateway and acquirer. Each process is notified, which takes a moment. */
  advance(milliseconds: number): Promise<void>
}

/** A merchant's retry plan that is dense enough for an endpoint that fails every other time. */
export const quickRetries: readonly number[] = [1, 1, 1, 2, 2, 3, 3, ...Array.from({ length: 60 }, () => 5)]

const signals = ['SIGINT', 'SIGTERM'] as const

export async function openStage(options: StageOptions = {}): Promise<Stage> {
  const cleanups: (() => Promise<unknown>)[] = []
  const dispose = async (): Promise<void> => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
    for (const signal of signals) process.off(signal, disposeAndExit)
  }
  // Processes and folders would outlive this process unless they are cleaned up.
  const disposeAndExit = (): void => void dispose().then(() => process.exit(1))
  for (const signal of signals) process.once(signal, disposeAndExit)
  try {
    return await openPrograms(options, cleanups, dispose)
  } catch (error) {
    await dispose()
    throw error
  }
}

async function openPrograms(
  options: StageOptions,
  cleanups: (() => Promise<unknown>)[],
  dispose: () => Promise<void>,
): Promise<Stage> {
  const { apis = 1, workers = 1, database: kind = 'shared' } = options
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-stage-'))
  cleanups.push(() => rm(folder, { recursive: true, force: true }))
  await options.prepareFolder?.(folder)
  const database = await (options.openDatabase?.(folder) ?? openDatabase(kind, folder, options.diskMegabytes))
  cleanups.push(() => database.close())
  const receiver = new Receiver()
  await receiver.open()
  cleanups.push(() => receiver.close())
  const sandbox = sandboxProgram(folder, options.sharedAuthority ?? false)
  await sandbox.start()
  cleanups.push(() => sandbox.stop())
  const standIns = await StandIns.start(folder, options.standIns ?? [])
  cleanups.push(() => standIns.stop())

  const toAcquirer = await behind(options.acquirerBehind, sandbox.url, cleanups)
  const toDatabase = await behind(options.databaseBehind, database.url, cleanups)
  const base = await setUpInstance({
    ...options,
    folder,
    databaseUrl: database.url,
    sandboxUrl: toAcquirer,
    receiver,
    standIns: standIns.running,
  })
  cleanups.push(() => base.pool.end())
  const names = options.standIns?.length ? standIns.merchantNames : plainMerchants.slice(0, options.merchants ?? 1)
  const merchants = await merchantsOf(base, receiver, names)
  const [merchant] = merchants
  if (!merchant) throw new Error('A stage has one merchant at least.')
  cleanups.push(() => Promise.all(merchants.map((one) => one.close())))
  const others = await readMerchantsByName(base)
  cleanups.push(() => Promise.all([...others.values()].map((one) => one.close())))

  const lines = await Promise.all(
    Array.from({ length: options.cutsDatabase ? apis : 0 }, () => DatabaseLine.open(database.url)),
  )
  cleanups.push(() => Promise.all(lines.map((line) => line.close())))
  const gateway = (role: 'api' | 'worker', index: number) =>
    gatewayProgram(role, `${role}-${index + 1}`, {
      folder,
      databaseUrl: (role === 'api' ? lines[index]?.url : undefined) ?? toDatabase,
      sandboxUrl: toAcquirer,
      skewMs: options.skewOf?.(role, index) ?? 0,
      ...options,
    })
  const stage: Stage = {
    folder,
    pool: base.pool,
    database,
    sandbox,
    acquirerUrl: toAcquirer,
    apis: Array.from({ length: apis }, (_, index) => gateway('api', index)),
    workers: Array.from({ length: workers }, (_, index) => gateway('worker', index)),
    lines,
    acquirer: new AcquirerClient(
      () => sandbox.url,
      () => standIns.ledger(base.pool),
    ),
    standIns,
    receiver,
    merchant,
    merchantNamed: (name) => {
      const one = others.get(name)
      if (!one) throw new Error(`There is no merchant ${name}.`)
      return one
    },
    merchants,
    context: base,
    advance: (milliseconds) => advance(stage, milliseconds),
    [Symbol.asyncDispose]: dispose,
  }
  cleanups.push(() => Promise.all([...stage.apis, ...stage.workers].map((program) => program.stop())))
  await Promise.all([...stage.apis, ...stage.workers].map((program) => program.start()))
  await standIns.announce(stage.apis[0]?.url ?? '')
  return stage
}

async function behind(
  barrier: Barrier | undefined,
  url: string,
  cleanups: (() => Promise<unknown>)[],
): Promise<string> {
  if (!barrier) return url
  const opened = await barrier(url)
  cleanups.push(() => opened.close())
  return opened.url
}

const authorityOfAll = join(tmpdir(), `gatehouse-wallet-authority-${process.getuid?.() ?? 0}`)

function sandboxProgram(folder: string, sharedAuthority: boolean): Program {
  return new Program({
    name: 'acquirer',
    script: ['sandbox/all/main.ts'],
    env: {
      SANDBOX_PORT: '0',
      SANDBOX_DATA: join(folder, 'sandbox'),
      ...(sharedAuthority ? { SANDBOX_AUTHORITY: authorityOfAll } : {}),
    },
    logFile: join(folder, 'acquirer.log'),
    ready: /"url":"(http:[^"]+)"/,
  })
}

interface GatewayOptions extends StageOptions {
  readonly skewMs: number
  readonly folder: string
  readonly databaseUrl: string
  readonly sandboxUrl: string
}

const patientMs = 60_000
const clockHook = `--import=${new URL('../../tools/testing/clock-hook.ts', import.meta.url).href}`
const keptForDays = String(limits.retention.daysHigh)

function gatewayProgram(role: 'api' | 'worker', name: string, options: GatewayOptions): Program {
  const { folder, databaseUrl, logLevel = 'warn', databasePool = 8, watchHeap = false, skewMs } = options
  const heapFlags = watchHeap ? ['--heapsnapshot-signal=SIGUSR2', `--diagnostic-dir=${folder}`] : []
  return new Program({
    name,
    script: ['server/src/main.ts', role],
    nodeFlags: [
      ...(role === 'api' ? heapFlags : []),
      ...(skewMs === 0 ? [] : [`${clockHook}?ahead=${skewMs}`]),
      ...(options.measuredBy?.(name, folder) ?? []),
    ],
    env: {
      DATA_DIR: folder,
      DATABASE_URL: databaseUrl,
      DATABASE_POOL: String(databasePool),
      LOG_LEVEL: logLevel,
      // Above any wait that a campaign causes: overload has its own campaign.
      MAX_QUEUE_MS: String(options.queueMs ?? patientMs),
      ...(options.concurrent === undefined ? {} : { MAX_CONCURRENT_REQUESTS: String(options.concurrent) }),
      // Every process that is killed would generate a large key again.
      SESSION_KEY_BITS: '2048',
      // The audit at the end compares every row with the other records, even after ten years on the test clock.
      RETENTION_CARD_DAYS: keptForDays,
      RETENTION_PAYER_DAYS: keptForDays,
      ...(options.prismLoader ? { PRISM_LOADER: options.prismLoader } : {}),
      ...(options.threeDs ? { SANDBOX_URL: options.sandboxUrl } : {}),
      // A process that does not listen cannot derive its public address.
      ...(role === 'api' ? { PORT: '0' } : { BASE_URL: 'http://127.0.0.1' }),
    },
    controlGroup: role === 'api' ? options.controlGroup : undefined,
    logFile: join(folder, `${name}.log`),
    ready: role === 'api' ? /ready: (http:\S+)/ : /ready/,
  })
}

async function advance({ pool, acquirer, standIns }: Stage, milliseconds: number): Promise<void> {
  await pool.query('update instance set clock_offset_ms = clock_offset_ms + $1', [milliseconds])
  await Promise.all([acquirer.advance(milliseconds), standIns.advance(milliseconds)])
}

/** Nothing is open at any acquirer, and all callbacks are delivered. */
export async function isQuiet({ pool }: Pick<Stage, 'pool'>): Promise<boolean> {
  const { open, due } = await countUnfinished(pool)
  return open === 0 && due === 0
}

/** For stages with exactly one program of a kind. */
export function only(programs: readonly Program[]): Program {
  const [program] = programs
  if (!program) throw new Error('The stage has no such program.')
  return program
}

/** Polls until a condition holds; returns the seconds it took, or null if it never did. */
export async function until(holds: () => Promise<boolean>, withinMs: number, pollMs = 20): Promise<number | null> {
  const begun = performance.now()
  while (performance.now() - begun < withinMs) {
    if (await holds()) return (performance.now() - begun) / 1000
    await sleep(pollMs)
  }
  return null
}
