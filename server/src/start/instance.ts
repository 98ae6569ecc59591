/**
 * Prepares an instance for its processes: the data folder, the database with its schema, the checks that refuse a start, and in sandbox mode
 * the sandbox, the stand-ins for acquirers and the demo merchants.
 */
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { openProcessContext, type ProcessContext } from '../assembly/process-context.ts'
import { ensureAcquirerMerchants } from '../demo/acquirer-merchants.ts'
import { chosenStandIns, type RunningStandIn, startStandIn } from '../demo/acquirer-stand-ins.ts'
import { ensureDemoData } from '../demo/demo-data.ts'
import { type SandboxOptions, type SandboxProcess, sandboxFolder, startSandbox } from '../demo/sandbox-process.ts'
import { refuseFarOff } from '../health/clock-guard.ts'
import { readLiveFacts } from '../live-guard/facts.ts'
import { guardStart } from '../live-guard/start.ts'
import { createLog } from '../observe/log.ts'
import { type Config, type Role, readConfig } from '../process/config.ts'
import { fileFault } from '../process/file-fault.ts'
import { lockFolder } from '../process/instance-lock.ts'
import { onLocalNetwork, requireLocalAddress } from '../process/local-network.ts'
import { guardOrigins } from '../process/origin-guard.ts'
import { release } from '../process/release.ts'
import type { StartArguments } from '../process/start-arguments.ts'
import { StartupError } from '../process/startup-error.ts'
import { detectRestore } from '../recovery/detection.ts'
import { recoveryNotice } from '../recovery/notice.ts'
import { requireConnection } from '../store/database/connection/connection-fault.ts'
import { requireSessions } from '../store/database/connection/pooler.ts'
import { startEmbedded } from '../store/database/embedded.ts'
import { migrate } from '../store/database/migrate.ts'
import { openPool } from '../store/database/pool.ts'
import { instanceStore } from '../store/instance/instance.ts'
import { guardMode } from '../wallets/accounts/start-guard.ts'
import { type Draining, drainOnSignal, stopLater } from './ending.ts'

export interface PreparedInstance {
  readonly base: ProcessContext
  readonly draining: Draining
  /** Null on a live instance, or if none is configured. */
  readonly sandboxUrl: string | null
  readonly standIns: readonly RunningStandIn[]
  /** This machine's address in the local network; null without `--lan`. */
  readonly network: string | null
}

/** What a process among several gets from its supervisor instead of starting it. */
interface Provided {
  readonly databaseUrl: string
  readonly sandboxUrl: string | null
  readonly network: string | null
}

interface Meanwhile {
  /** Called once this process waits for its database, and could load what it needs afterwards. */
  readonly whileWaiting?: () => void
}

export const say = (line: string): void => void process.stdout.write(`${line}\n`)

export async function prepareInstance(
  { role, acquirers, lan }: Pick<StartArguments, 'role' | 'acquirers' | 'lan'>,
  provided: Provided | null = null,
  { whileWaiting }: Meanwhile = {},
): Promise<PreparedInstance> {
  const network = provided ? provided.network : lan ? requireLocalAddress() : null
  const wanted = acquirers === null ? [] : chosenStandIns(acquirers)
  const initialConfig = readConfig(role)
  await requireFolder(initialConfig.dataDir)
  if (role === 'all') stopLater(await lockFolder(initialConfig.dataDir))
  const log = createLog({ level: initialConfig.logLevel, fields: { role, version: release } })
  const draining = drainOnSignal(log)

  const early = provided ? null : startEarly(initialConfig, { network, log })
  const databaseUrl =
    provided?.databaseUrl ?? initialConfig.databaseUrl ?? (await startEmbeddedDatabase(initialConfig, whileWaiting))
  const storedConfig = await prepareDatabase(role, databaseUrl)
  const config = network === null ? storedConfig : onLocalNetwork(storedConfig, network)
  const base = await openProcessContext(config, databaseUrl, log)
  stopLater(() => base.pool.end().catch(() => undefined))
  await guardMode(base.pool, config.instanceMode)
  guardOrigins(config)
  await base.clockGuard.compare()
  if (config.instanceMode === 'live') {
    refuseFarOff(base.clockGuard)
    const findings = guardStart(await readLiveFacts(config, base.pool, base.vault))
    for (const { id, sentence } of findings) log.error({ finding: id }, sentence)
  }
  const restored = await detectRestore(base, config.dataDir)
  if (restored !== null) say(recoveryNotice(restored))
  if (provided) return { base, draining, sandboxUrl: provided.sandboxUrl, standIns: [], network }
  const sandboxUrl = await findOrStartSandbox(config, { network, log }, early)
  if (sandboxUrl) await ensureDemoData(base, sandboxUrl)
  const standIns = await startStandIns(config, wanted, log)
  if (sandboxUrl) await ensureAcquirerMerchants(base, standIns, sandboxUrl)
  return { base, draining, sandboxUrl, standIns, network }
}

async function requireFolder(path: string): Promise<void> {
  try {
    await makeFolder(path)
    await writeFile(join(path, '.writable'), '')
  } catch (error) {
    throw new StartupError(
      `The data folder ${path} is not writable. ${fileFault(error)}`,
      'Set DATA_DIR to a folder that this user can write to.',
    )
  }
}

/** Not the platform's recursive call, which never returns if the system answers ENOENT for a folder that has a parent. */
async function makeFolder(path: string): Promise<void> {
  const exists = await mkdir(path).then(
    () => true,
    (error: NodeJS.ErrnoException) =>
      error.code === 'EEXIST' || (error.code === 'ENOENT' ? false : Promise.reject(error)),
  )
  if (exists) return
  await makeFolder(dirname(path))
  await mkdir(path)
}

async function startEmbeddedDatabase({ dataDir }: Config, onLaunch = () => {}): Promise<string> {
  const embedded = await startEmbedded({ dataDir: join(dataDir, 'postgres'), log: say, onLaunch })
  stopLater(() => embedded.stop())
  return embedded.url
}

/**
 * Returns the configuration with the database's mode. `all` migrates the schema; for separately started processes the operator does that.
 */
async function prepareDatabase(role: Role, databaseUrl: string): Promise<Config> {
  const pool = openPool(databaseUrl, { max: 2, applicationName: 'gatehouse migrate' })
  try {
    await requireConnection(pool)
    const config = readConfig(role, undefined, await instanceStore(pool).readMode())
    await requireSessions(pool)
    const { limitsCurrency } = config
    await migrate(pool, { migrate: role === 'all' ? 'apply' : 'refuse', limitsCurrency, log: say })
    return config
  } finally {
    await pool.end()
  }
}

/**
 * The sandbox of an earlier start, so that database and sandbox do not wait for each other. Whether this is a sandbox at all is known for
 * certain only when the database has said so, and a live instance never had one.
 */
function startEarly(config: Config, options: SandboxOptions): Promise<SandboxProcess> | null {
  if (!startsSandbox(config) || !existsSync(sandboxFolder(config.dataDir))) return null
  const sandbox = startSandbox(config.dataDir, options)
  // Also if the start is refused meanwhile; a failure of its own is thrown where the sandbox is awaited.
  stopLater(async () => (await sandbox.catch(() => null))?.stop())
  sandbox.catch(() => undefined)
  return sandbox
}

const startsSandbox = ({ instanceMode, sandboxUrl, role }: Config): boolean =>
  instanceMode === 'sandbox' && !sandboxUrl && role === 'all'

async function findOrStartSandbox(
  config: Config,
  options: SandboxOptions,
  early: Promise<SandboxProcess> | null,
): Promise<string | null> {
  if (config.instanceMode === 'live') return null
  if (config.sandboxUrl) return config.sandboxUrl
  if (!startsSandbox(config)) return null
  if (early) return (await early).url
  const sandbox = await startSandbox(config.dataDir, options)
  stopLater(() => sandbox.stop())
  return sandbox.url
}

async function startStandIns(
  { instanceMode, dataDir }: Config,
  names: readonly string[],
  log: ProcessContext['log'],
): Promise<readonly RunningStandIn[]> {
  if (names.length > 0 && instanceMode === 'live')
    throw new StartupError('A live instance has no stand-ins for acquirers.', 'Leave out --acquirers.')
  const running: RunningStandIn[] = []
  for (const name of names) {
    const standIn = await startStandIn(dataDir, name, log)
    stopLater(() => standIn.stop())
    running.push(standIn)
  }
  return running
}
