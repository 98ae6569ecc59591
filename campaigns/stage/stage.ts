/**
 * Where campaigns and measurements take place: PostgreSQL, the sandbox acquirer, gateway processes and a merchant with his endpoint,
 * each a program of its own as in production, all on the loopback address and below one temporary folder.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { limits } from '#domain/limits.ts'
import { readConfig } from '#server/config.ts'
import { demoCredentials, furnish } from '#server/demo/furnish.ts'
import { type Foundation, layFoundation } from '#server/foundation.ts'
import { createLog } from '#server/observe/log.ts'
import { loadConfiguration } from '#server/store/configuration.ts'
import { merchantStore } from '#server/store/merchants.ts'
import type { Pool } from '#server/store/pool.ts'
import { AcquirerOffice } from './acquirer.ts'
import { type DatabaseKind, openDatabase, type StageDatabase } from './database.ts'
import { email, Merchant } from './merchant.ts'
import { unfinished } from './our-record.ts'
import { Program } from './program.ts'
import { Receiver } from './receiver.ts'

export interface StageOptions {
  readonly apis?: number
  readonly workers?: number
  readonly database?: DatabaseKind
  readonly logLevel?: 'debug' | 'info' | 'warn'
  /** Connections of each gateway process. */
  readonly databasePool?: number
  /** How long requests may wait for their turn; without it none is refused for being one too many. */
  readonly queueMs?: number
  /** The sandbox authenticates payers as well; without it every payment is made without 3-D Secure. */
  readonly threeDs?: boolean
  /**
   * The wallet authority is that of all such stages, since one of its own is only found after seconds of search. Not for stages that
   * move their clock by years: they would renew its certificates for everybody.
   */
  readonly sharedAuthority?: boolean
  /** An api process writes its heap into the stage's folder when it gets SIGUSR2. */
  readonly watchHeap?: boolean
}

export interface Stage extends AsyncDisposable {
  readonly folder: string
  readonly pool: Pool
  readonly database: StageDatabase
  readonly sandbox: Program
  readonly apis: readonly Program[]
  readonly workers: readonly Program[]
  readonly acquirer: AcquirerOffice
  readonly receiver: Receiver
  readonly merchant: Merchant
  /** Another of the demo merchants; its callbacks arrive and are not verified. */
  merchantNamed(name: string): Merchant
  /** Moves the clocks of gateway and acquirer. Each process learns of it by notification, so that it takes a moment. */
  advance(milliseconds: number): Promise<void>
}

const signals = ['SIGINT', 'SIGTERM'] as const

/** Above any load a campaign makes: the rate limit has tests of its own. */
const ratePerSecond = 1_000_000

export async function openStage(options: StageOptions = {}): Promise<Stage> {
  const cleanups: (() => Promise<unknown>)[] = []
  const dispose = async (): Promise<void> => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
    for (const signal of signals) process.off(signal, broken)
  }
  // Processes and folders outlive us unless they are cleared away.
  const broken = (): void => void dispose().then(() => process.exit(1))
  for (const signal of signals) process.once(signal, broken)
  try {
    return await raise(options, cleanups, dispose)
  } catch (error) {
    await dispose()
    throw error
  }
}

async function raise(
  options: StageOptions,
  cleanups: (() => Promise<unknown>)[],
  dispose: () => Promise<void>,
): Promise<Stage> {
  const { apis = 1, workers = 1, database: kind = 'shared' } = options
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-stage-'))
  cleanups.push(() => rm(folder, { recursive: true, force: true }))
  const database = await openDatabase(kind, folder)
  cleanups.push(() => database.close())
  const receiver = new Receiver()
  await receiver.open()
  cleanups.push(() => receiver.close())
  const sandbox = sandboxProgram(folder, options.sharedAuthority ?? false)
  await sandbox.start()
  cleanups.push(() => sandbox.stop())

  const base = await furnished(folder, database.url, sandbox.url, receiver.url)
  cleanups.push(() => base.pool.end())
  const merchant = await merchantOf(base, receiver)
  cleanups.push(() => merchant.close())
  const others = await othersOf(base)
  cleanups.push(() => Promise.all([...others.values()].map((one) => one.close())))

  const gateway = (role: 'api' | 'worker', index: number) =>
    gatewayProgram(role, `${role}-${index + 1}`, {
      folder,
      databaseUrl: database.url,
      sandboxUrl: sandbox.url,
      ...options,
    })
  const stage: Stage = {
    folder,
    pool: base.pool,
    database,
    sandbox,
    apis: Array.from({ length: apis }, (_, index) => gateway('api', index)),
    workers: Array.from({ length: workers }, (_, index) => gateway('worker', index)),
    acquirer: new AcquirerOffice(() => sandbox.url),
    receiver,
    merchant,
    merchantNamed: (name) => {
      const one = others.get(name)
      if (!one) throw new Error(`There is no merchant ${name}.`)
      return one
    },
    advance: (milliseconds) => advance(stage, milliseconds),
    [Symbol.asyncDispose]: dispose,
  }
  cleanups.push(() => Promise.all([...stage.apis, ...stage.workers].map((program) => program.stop())))
  await Promise.all([...stage.apis, ...stage.workers].map((program) => program.start()))
  return stage
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
  readonly folder: string
  readonly databaseUrl: string
  readonly sandboxUrl: string
}

const patientMs = 60_000
const keptForDays = String(limits.retention.daysHigh)

function gatewayProgram(role: 'api' | 'worker', name: string, options: GatewayOptions): Program {
  const { folder, databaseUrl, logLevel = 'warn', databasePool = 8, watchHeap = false } = options
  const heapFlags = watchHeap ? ['--heapsnapshot-signal=SIGUSR2', `--diagnostic-dir=${folder}`] : []
  return new Program({
    name,
    script: ['server/src/main.ts', role],
    nodeFlags: role === 'api' ? heapFlags : [],
    env: {
      DATA_DIR: folder,
      DATABASE_URL: databaseUrl,
      DATABASE_POOL: String(databasePool),
      LOG_LEVEL: logLevel,
      // Above any wait that a campaign causes: overload has a campaign of its own.
      MAX_QUEUE_MS: String(options.queueMs ?? patientMs),
      // A large key would be made anew by every process that is killed over it.
      SESSION_KEY_BITS: '2048',
      // The audit at the end lays every row beside the records of the others, also after ten years on the test clock.
      RETENTION_CARD_DAYS: keptForDays,
      RETENTION_PAYER_DAYS: keptForDays,
      ...(options.threeDs ? { SANDBOX_URL: options.sandboxUrl } : {}),
      // A process that does not listen cannot know its public address by itself.
      ...(role === 'api' ? { PORT: '0' } : { BASE_URL: 'http://127.0.0.1' }),
    },
    logFile: join(folder, `${name}.log`),
    ready: role === 'api' ? /ready: (http:\S+)/ : /ready/,
  })
}

/** The demo merchants with their MIDs at the sandbox, their callbacks sent to the receiver. */
async function furnished(
  folder: string,
  databaseUrl: string,
  sandboxUrl: string,
  notifyUrl: string,
): Promise<Foundation> {
  const config = readConfig('all', { DATA_DIR: folder, DATABASE_URL: databaseUrl, DATABASE_POOL: '4' })
  const base = await layFoundation(config, databaseUrl, createLog({ level: 'error' }))
  await furnish(base, sandboxUrl)
  await base.pool.query('update merchants set notification_url = $1, rate_per_second = $2', [notifyUrl, ratePerSecond])
  // Faults are what campaigns are made of, and a circuit breaker would spare the gateway most of them.
  await base.pool.query(
    "insert into mid_breakers (mid_id, state, since, probes, hand, version) select id, 'closed', now(), 0, 'closed', 1 from mids",
  )
  return base
}

async function merchantOf(base: Foundation, receiver: Receiver): Promise<Merchant> {
  const credentials = (await demoCredentials(base)).find(({ name }) => name === 'demo')
  const row = (await merchantStore(base.pool).list()).find(({ name }) => name === 'demo')
  if (!credentials || !row) throw new Error('There is no demo merchant.')
  const { password, webhookSecrets } = await (await loadConfiguration(base.pool, base.vault, base.log)).secrets(row.id)
  const merchant = new Merchant({ key: credentials.key, password: password.reveal() })
  receiver.trust = {
    password: password.reveal(),
    webhookSecrets: webhookSecrets.map((secret) => secret.reveal()),
    email,
    pan10Of: (orderId) => merchant.pan10Of(orderId),
    isApm: (orderId) => merchant.isApm(orderId),
  }
  return merchant
}

async function othersOf(base: Foundation): Promise<ReadonlyMap<string, Merchant>> {
  const credentials = await demoCredentials(base)
  return new Map(credentials.map(({ name, key, password }) => [name, new Merchant({ key, password })]))
}

async function advance({ pool, acquirer }: Stage, milliseconds: number): Promise<void> {
  await pool.query('update instance set clock_offset_ms = clock_offset_ms + $1', [milliseconds])
  await acquirer.advance(milliseconds)
}

/** Nothing is open at any acquirer, and the merchant has been told everything. */
export async function isQuiet({ pool }: Pick<Stage, 'pool'>): Promise<boolean> {
  const { open, due } = await unfinished(pool)
  return open === 0 && due === 0
}

/** For stages that are known to have one program of a kind. */
export function only(programs: readonly Program[]): Program {
  const [program] = programs
  if (!program) throw new Error('The stage has no such program.')
  return program
}

/** Waits until something holds, looking often; answers the seconds it took, or null when it never came about. */
export async function until(holds: () => Promise<boolean>, withinMs: number, pollMs = 20): Promise<number | null> {
  const begun = performance.now()
  while (performance.now() - begun < withinMs) {
    if (await holds()) return (performance.now() - begun) / 1000
    await sleep(pollMs)
  }
  return null
}
