/**
 * Starts a role: `all` (the default), `api` or `worker`. `all` in sandbox mode also starts the embedded database, the sandbox acquirer and
 * creates the demo merchants. On SIGTERM and SIGINT the process drains: running work is finished, then everything started here is stopped.
 */
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { openProcessContext, type ProcessContext } from './assembly/process-context.ts'
import { acquirerCredentials, ensureAcquirerMerchants } from './demo/acquirer-merchants.ts'
import { announceNotifications, chosenStandIns, type RunningStandIn, startStandIn } from './demo/acquirer-stand-ins.ts'
import { demoCredentials, ensureDemoData } from './demo/demo-data.ts'
import { type Addresses, greeting } from './demo/greeting.ts'
import { demoOwner, panelAddress } from './demo/owner.ts'
import { type SandboxProcess, startSandbox } from './demo/sandbox-process.ts'
import { shopUrl } from './demo/shop.ts'
import { refuseFarOff } from './health/clock-guard.ts'
import { readLiveFacts } from './live-guard/facts.ts'
import { guardStart } from './live-guard/start.ts'
import { createLog } from './observe/log.ts'
import { accept, type ListenAddress } from './process/acceptors.ts'
import { type Config, type Role, readConfig } from './process/config.ts'
import { drain } from './process/drain.ts'
import { lockFolder } from './process/instance-lock.ts'
import { onLocalNetwork, requireLocalAddress } from './process/local-network.ts'
import { guardOrigins } from './process/origin-guard.ts'
import { endRefusedStart } from './process/refused-start.ts'
import { release } from './process/release.ts'
import { readOptions, startArguments, startUsage } from './process/start-arguments.ts'
import { StartupError } from './process/startup-error.ts'
import { detectRestore } from './recovery/detection.ts'
import { recoveryNotice } from './recovery/notice.ts'
import { startEmbedded } from './store/database/embedded.ts'
import { migrate } from './store/database/migrate.ts'
import { requireSessions } from './store/database/pooler.ts'
import { instanceStore } from './store/instance/instance.ts'
import { guardMode } from './wallets/accounts/start-guard.ts'
import { type Service, wireService } from './wiring.ts'

/** Supervisors send SIGKILL after ten seconds. */
const stopWithinMs = 9_500

const stops: (() => Promise<void>)[] = []

const reading = readOptions(process.argv.slice(2))
if (reading.kind === 'help') {
  process.stdout.write(startUsage)
  process.exit(0)
}
if (reading.kind === 'misused') {
  process.stderr.write(`${reading.sentence}\n\n${startUsage}`)
  process.exit(2)
}

try {
  await start(startArguments(reading))
} catch (error) {
  await endRefusedStart(error, { stop: stopAll, write: (text) => void process.stderr.write(text) })
  process.exit(1)
}

async function start({ role, acquirers, lan }: ReturnType<typeof startArguments>): Promise<void> {
  const network = lan ? requireLocalAddress() : null
  const wanted = acquirers === null ? [] : chosenStandIns(acquirers)
  const initialConfig = readConfig(role)
  await requireFolder(initialConfig.dataDir)
  if (role === 'all') stops.push(await lockFolder(initialConfig.dataDir))
  const log = createLog({ level: initialConfig.logLevel, fields: { role, version: release } })
  const draining = drainOnSignal(log)
  const say = (line: string) => void process.stdout.write(`${line}\n`)

  const databaseUrl = initialConfig.databaseUrl ?? (await embeddedDatabase(initialConfig, say))
  const storedConfig = await prepareDatabase(role, databaseUrl, say)
  const config = network === null ? storedConfig : onLocalNetwork(storedConfig, network)
  const base = await openProcessContext(config, databaseUrl, log)
  stops.push(() => base.pool.end().catch(() => undefined))
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
  const sandbox = await sandboxOf(config, network)
  if (sandbox) await ensureDemoData(base, sandbox)
  const standIns = await standInsOf(config, wanted)
  if (sandbox) await ensureAcquirerMerchants(base, standIns, sandbox)

  const service = await wireService(base, sandbox)
  stops.push(() => service.stop())
  draining.follow(service)
  const listening = await listen(config, service)
  if (role !== 'worker') {
    service
      .warmUp()
      // A process that is stopped meanwhile leaves the key to the next one.
      .catch((error: unknown) => {
        if (!service.app.draining.value)
          log.error({ err: error }, 'The signing key for session tokens could not be created.')
      })
  }
  const addresses = {
    baseUrl: config.baseUrl ?? listening.payments,
    panelUrl:
      listening.panel === null
        ? null
        : (config.admin.url ?? (config.admin.shared ? config.baseUrl : null) ?? listening.panel),
    sandboxUrl: sandbox,
    shopUrl: sandbox && shopUrl(network === null ? sandbox : atHost(sandbox, network)),
  }
  for (const standIn of standIns) await announceNotifications(standIn, listening.payments)
  await announceReady(base, { addresses, standIns }, say)
}

async function requireFolder(path: string): Promise<void> {
  try {
    await makeFolder(path)
    await writeFile(join(path, '.writable'), '')
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new StartupError(
      `The data folder ${path} is not writable: ${reason}`,
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

async function embeddedDatabase(config: Config, say: (line: string) => void): Promise<string> {
  const embedded = await startEmbedded({ dataDir: join(config.dataDir, 'postgres'), log: say })
  stops.push(() => embedded.stop())
  return embedded.url
}

/**
 * Returns the configuration with the database's mode. `all` migrates the schema; for separately started processes the operator does that.
 */
async function prepareDatabase(role: Role, databaseUrl: string, log: (line: string) => void): Promise<Config> {
  const { openPool } = await import('./store/database/pool.ts')
  const pool = openPool(databaseUrl, { max: 2, applicationName: 'gatehouse migrate' })
  try {
    const config = readConfig(role, undefined, await instanceStore(pool).mode())
    await requireSessions(pool)
    await migrate(pool, { migrate: role === 'all' ? 'apply' : 'refuse', log })
    return config
  } finally {
    await pool.end()
  }
}

/** The same address at another name of this machine. */
function atHost(url: string, host: string): string {
  const { protocol, port } = new URL(url)
  return `${protocol}//${host}:${port}`
}

async function sandboxOf(config: Config, network: string | null): Promise<string | null> {
  if (config.instanceMode === 'live') return null
  if (config.sandboxUrl) return config.sandboxUrl
  if (config.role !== 'all') return null
  const sandbox: SandboxProcess = await startSandbox(config.dataDir, { network })
  stops.push(() => sandbox.stop())
  return sandbox.url
}

async function standInsOf(
  { instanceMode, dataDir }: Config,
  names: readonly string[],
): Promise<readonly RunningStandIn[]> {
  if (names.length > 0 && instanceMode === 'live')
    throw new StartupError('A live instance has no stand-ins for acquirers.', 'Leave out --acquirers.')
  const running: RunningStandIn[] = []
  for (const name of names) {
    const standIn = await startStandIn(dataDir, name)
    stops.push(() => standIn.stop())
    running.push(standIn)
  }
  return running
}

interface ListenUrls {
  readonly payments: string
  /** The panel's address; null if this process does not serve it. */
  readonly panel: string | null
}

async function listen(config: Config, { app, adminApp }: Service): Promise<ListenUrls> {
  const { role, host, port, admin, workerListener } = config
  if (role === 'worker') {
    if (adminApp && workerListener) await listenAt(adminApp, workerListener, 'WORKER_PORT')
    return { payments: '', panel: null }
  }
  const payments = await listenAt(app, { host, port }, 'PORT')
  if (admin.shared) return { payments, panel: payments }
  const panel = adminApp && admin.listener && (await listenAt(adminApp, admin.listener, 'ADMIN_PORT'))
  return { payments, panel }
}

type PortSetting = 'PORT' | 'ADMIN_PORT' | 'WORKER_PORT'

async function listenAt(app: FastifyInstance, place: ListenAddress, setting: PortSetting): Promise<string> {
  const { host, port } = place
  try {
    if (setting === 'PORT') app.acceptors.value = await accept(app, place)
    else await app.listen(place)
    const address = app.server.address()
    return `http://${host === '0.0.0.0' ? '127.0.0.1' : host}:${typeof address === 'object' && address ? address.port : port}`
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
      const none = setting === 'ADMIN_PORT' ? ', or to "none" to run without the panel' : ''
      throw new StartupError(
        `Port ${port} is in use on ${host}.`,
        `Stop the program that uses it, or set ${setting} to another number${none}.`,
      )
    }
    if (error instanceof Error && 'code' in error && error.code === 'EACCES') {
      throw new StartupError(`This user may not listen on port ${port}.`, `Set ${setting} to a number above 1023.`)
    }
    throw error
  }
}

interface Readiness {
  readonly addresses: Addresses
  readonly standIns: readonly RunningStandIn[]
}

async function announceReady(
  base: ProcessContext,
  { addresses, standIns }: Readiness,
  say: (line: string) => void,
): Promise<void> {
  const { baseUrl, panelUrl, sandboxUrl } = addresses
  const { role, instanceMode, dataDir } = base.config
  if (role === 'worker') return say('  Gatehouse worker is ready.')
  const file = join(dataDir, 'demo.json')
  const merchants = instanceMode === 'sandbox' ? await demoCredentials(base) : []
  const isDemo = instanceMode === 'sandbox' && role === 'all'
  const admin = isDemo ? await demoOwner(base) : null
  const acquirers = isDemo ? await acquirerCredentials(base, standIns) : []
  if (isDemo) {
    await writeWhole(file, {
      base_url: baseUrl,
      admin_url: panelUrl && panelAddress(panelUrl),
      sandbox_url: sandboxUrl,
      shop_url: addresses.shopUrl,
      admin,
      merchants,
      acquirers,
    })
  }
  say(greeting(addresses, { merchants: role === 'all' ? merchants : [], acquirers, owner: admin, file }))
}

/** A reader that waits for the file must never see half of it. */
async function writeWhole(file: string, content: unknown): Promise<void> {
  await writeFile(`${file}.new`, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 })
  await rename(`${file}.new`, file)
}

/** Installed from the first moment, so that an interrupted start leaves nothing running. A wrapper may forward a signal twice. */
function drainOnSignal(log: ProcessContext['log']): { follow(service: Service): void } {
  let app: Service['app'] | null = null
  let stopping = false
  const end = (signal: NodeJS.Signals): void => {
    if (stopping) return
    stopping = true
    log.info({ signal }, 'Draining.')
    setTimeout(() => process.exit(1), stopWithinMs).unref()
    void (app ? drain(app, signal) : Promise.resolve()).then(stopAll).then(() => process.exit(0))
  }
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
  return {
    follow: (service) => {
      app = service.app
    },
  }
}

/** In reverse order of starting: the service before the sandbox, both before the database. */
async function stopAll(): Promise<void> {
  for (const stop of stops.splice(0).reverse()) {
    await stop().catch((error: unknown) => process.stderr.write(`While stopping: ${String(error)}\n`))
  }
}
