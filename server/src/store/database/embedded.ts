/**
 * The embedded PostgreSQL: a real server that the gateway creates, starts, watches and stops.
 *
 * Any number of processes may share one data folder. The first process starts the server and the others adopt it, as does the next start
 * after all were killed. Each process keeps one session open with a shared advisory lock; the last one to leave stops the server. The loss
 * of that session also shows that the server has died: it is then restarted until it runs or the process is stopped.
 *
 * Deliberately absent: network ports, backups and replication. An operator who needs them sets DATABASE_URL to another server.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { StartupError } from '../../process/startup-error.ts'
import { type Cluster, openCluster, gatewayRole as role, superuser } from './embedded/cluster.ts'
import { passwordOf, requirePasswords } from './embedded/password.ts'
import { findPostmaster, type Launch, launchPostmaster, stopPostmaster } from './embedded/postmaster.ts'
import { socketFolder } from './embedded/socket.ts'

export interface EmbeddedOptions {
  readonly dataDir: string
  readonly log?: (line: string) => void
  /** For tests: fast, but not durable. */
  readonly disposable?: boolean
  /** Called when the server has been launched and does not accept connections yet; not if one is running already. */
  readonly onLaunch?: () => void
}

export interface EmbeddedServer {
  readonly url: string
  /** The server's main process; it changes if the server had to be restarted. */
  readonly pid: number
  /** Stops the server within five seconds, or leaves it to the other processes that use it. Close the pools first. */
  stop(): Promise<void>
}

export async function startEmbedded({
  dataDir,
  log = () => {},
  disposable = false,
  onLaunch = () => {},
}: EmbeddedOptions): Promise<EmbeddedServer> {
  const cluster = await openCluster(dataDir, log)
  const server = new SharedServer(cluster, disposable, log)
  await server.start(onLaunch)
  return server
}

const database = 'gatehouse'

const pollMs = 10
const startLimitMs = 300_000 // After a crash under load, PostgreSQL replays up to a gigabyte of log.
const slowStartMs = 5_000
const launchesMax = 20
const launchPauseMs = 250
const restartPauseMs = 2_000
const connectTimeoutMs = 5_000

// Advisory locks in the maintenance database.
const inUse = '(7283, 1)'
const settingUp = '(7283, 2)'

class SharedServer implements EmbeddedServer {
  readonly #cluster: Cluster
  readonly #disposable: boolean
  readonly #log: (line: string) => void
  readonly #socketDir: string
  readonly #leaving = new AbortController()
  #keeper: Client | null = null
  #restarting: Promise<void> = Promise.resolve()
  #stopped: Promise<void> | null = null
  #pid = 0

  constructor(cluster: Cluster, disposable: boolean, log: (line: string) => void) {
    this.#cluster = cluster
    this.#disposable = disposable
    this.#log = log
    this.#socketDir = findPostmaster(cluster)?.socketDir ?? socketFolder(cluster)
  }

  get url(): string {
    return addressOf(this.#socketDir, role, passwordOf(this.#cluster, role), database)
  }

  get pid(): number {
    return this.#pid
  }

  async start(onLaunch: () => void): Promise<void> {
    const keeper = await this.#bringUp(onLaunch)
    try {
      await setUp(keeper, passwordOf(this.#cluster, role), this.#disposable)
    } catch (error) {
      await this.stop()
      throw error
    }
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stop()
    return this.#stopped
  }

  async #stop(): Promise<void> {
    this.#leaving.abort()
    await this.#restarting
    if (this.#keeper === null || (await isLastUser(this.#keeper))) {
      await stopPostmaster(this.#cluster, findPostmaster(this.#cluster)?.pid ?? this.#pid)
    }
    await this.#keeper?.end()
  }

  /** Adopts or starts the server and resolves once it accepts connections. */
  async #bringUp(onLaunch = () => {}): Promise<Client> {
    const launches: Launch[] = []
    for (let waitedMs = 0; waitedMs < startLimitMs; waitedMs += pollMs) {
      const found = findPostmaster(this.#cluster)
      const keeper = found?.ready ? await openKeeper(this.#cluster, this.#socketDir) : null
      if (found && keeper) return this.#watch(keeper, found.pid, launches.length === 0)

      if (!found && !launches.some(isRunning)) {
        await requireRetryable(launches)
        socketFolder(this.#cluster) // The system may have cleared out the temporary folder.
        if (await requirePasswords(this.#cluster)) {
          launches.push(launchPostmaster(this.#cluster, this.#socketDir, this.#disposable))
          onLaunch()
        }
      }
      if (waitedMs === slowStartMs) this.#log('Waiting for PostgreSQL; after a crash it first replays its log.')
      await sleep(pollMs, undefined, { signal: this.#leaving.signal })
    }
    throw new StartupError(
      `PostgreSQL did not become ready within ${startLimitMs / 60_000} minutes.`,
      `See the log ${this.#cluster.logFile}.`,
    )
  }

  #watch(keeper: Client, pid: number, adopted: boolean): Client {
    this.#log(adopted ? `Adopted PostgreSQL, process ${pid}.` : `Started PostgreSQL, process ${pid}.`)
    this.#keeper = keeper
    this.#pid = pid
    keeper.once('end', () => {
      this.#keeper = null
      if (!this.#leaving.signal.aborted) this.#restarting = this.#restart()
    })
    return keeper
  }

  async #restart(): Promise<void> {
    this.#log('PostgreSQL stopped; restarting it.')
    while (this.#keeper === null && !this.#leaving.signal.aborted) {
      try {
        await this.#bringUp()
      } catch (error) {
        if (this.#leaving.signal.aborted) return
        this.#log(`PostgreSQL could not be started: ${error instanceof Error ? error.message : String(error)}`)
        await sleep(restartPauseMs, undefined, { signal: this.#leaving.signal }).catch(() => undefined)
      }
    }
  }
}

function addressOf(socketDir: string, user: string, password: string, name: string): string {
  return `postgres://${user}:${password}@/${name}?host=${encodeURIComponent(socketDir)}`
}

const isRunning = ({ child }: Launch): boolean =>
  child.pid !== undefined && child.exitCode === null && child.signalCode === null

/**
 * If the server exits at once, another try makes sense only if it met another server: a second process starting with us, or the remains of
 * a killed server.
 */
async function requireRetryable(launches: readonly Launch[]): Promise<void> {
  const last = launches.at(-1)
  if (last === undefined) return

  const said = last.readLog()
  if (launches.length === launchesMax || !/already exists|still in use/.test(said)) {
    throw new StartupError(
      `PostgreSQL does not start: ${fatalLine(said)}`,
      'Fix the cause named in the message, then start again.',
    )
  }
  await sleep(launchPauseMs)
}

function fatalLine(said: string): string {
  const lines = said.trim().split('\n')
  return lines.findLast((line) => /FATAL|PANIC/.test(line)) ?? lines.at(-1) ?? ''
}

/** Null if the server does not accept connections yet, or no longer does. */
async function openKeeper(cluster: Cluster, socketDir: string): Promise<Client | null> {
  const keeper = new Client({
    connectionString: addressOf(socketDir, superuser, passwordOf(cluster, superuser), 'postgres'),
    application_name: 'gatehouse keeper',
    connectionTimeoutMillis: connectTimeoutMs,
  })
  keeper.on('error', () => undefined) // The 'end' event is what is handled.
  try {
    await keeper.connect()
    await keeper.query(`select pg_advisory_lock_shared${inUse}`)
    return keeper
  } catch {
    await keeper.end()
    return null
  }
}

/** Once true it stays true: a process that arrives now waits for this lock, then starts its own server. */
async function isLastUser(keeper: Client): Promise<boolean> {
  try {
    await keeper.query(`select pg_advisory_unlock_shared${inUse}`)
    const { rows } = await keeper.query<{ alone: boolean }>(`select pg_try_advisory_lock${inUse} as alone`)
    return rows[0]?.alone ?? true
  } catch {
    return true
  }
}

async function setUp(keeper: Client, password: string, disposable: boolean): Promise<void> {
  await keeper.query(`select pg_advisory_lock${settingUp}`)
  const { rows } = await keeper.query<{ role: boolean; password: boolean; database: boolean }>(
    `select exists (select 1 from pg_roles where rolname = $1) as role,
            exists (select 1 from pg_authid where rolname = $1 and rolpassword is not null) as password,
            exists (select 1 from pg_database where datname = $2) as database`,
    [role, database],
  )
  // Tests clone databases; a gateway must not create any.
  if (!rows[0]?.role) await keeper.query(`create role ${role} login ${disposable ? 'createdb' : ''}`)
  if (!rows[0]?.password) await keeper.query(`alter role ${role} password '${password}'`)
  if (!rows[0]?.database) await keeper.query(`create database ${database} owner ${role}`)
  await keeper.query(`select pg_advisory_unlock${settingUp}`)
}
