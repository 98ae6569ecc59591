/**
 * PostgreSQL with fail-over as `deploy/ha/` describes it: three machines with etcd, Patroni and PostgreSQL, and HAProxy, which leads every
 * connection to the leader.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, closeSync, openSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { Client } from 'pg'
import { z } from 'zod'
import { migrate } from '#server/store/database/migrate.ts'
import { openPool } from '#server/store/database/pool.ts'
import { portOf } from '../../server/test/hosts/port-of.ts'
import type { Patch } from '../patch.ts'
import type { StageDatabase } from '../stage/database.ts'
import { until } from '../stage/stage.ts'
import { createCertificates } from './certificates.ts'
import { type Archive, fillIn, Machine, type MachineOptions } from './machine.ts'
import { addressOf, openNetwork } from './network.ts'
import { requireTools } from './tools.ts'

const numbers = [1, 2, 3] as const

const membersSchema = z.object({
  members: z.array(
    z.object({ name: z.string(), role: z.string(), state: z.string(), timeline: z.number().optional() }),
  ),
})
type Member = z.infer<typeof membersSchema>['members'][number]

const healthyWithinMs = 240_000
const statusWithinMs = 2_000
const pollMs = 250

export class Cluster implements StageDatabase {
  readonly folder = null
  readonly machines: readonly Machine[]
  readonly url: string
  readonly #network: { close(): void }
  readonly #proxy: ChildProcess
  readonly #superuserUrl: string
  /** Only with a planted fault. */
  readonly #isAsynchronous: boolean

  /** `patches` change Patroni's configuration, to plant a fault. */
  static async open(folder: string, patches: readonly Patch[] = [], archive?: Archive): Promise<Cluster> {
    const tools = requireTools()
    // PostgreSQL's own account has to reach its files.
    chmodSync(folder, 0o755)
    const passwords = {
      superuser: newPassword(),
      replication: newPassword(),
      rewind: newPassword(),
      rest: newPassword(),
    }
    const certificates = createCertificates(join(folder, 'certificates'), numbers.map(addressOf))
    const cluster = new Cluster({ folder, passwords, certificates, patches, tools, archive }, await freePort())
    try {
      await cluster.#setUp()
      return cluster
    } catch (error) {
      await cluster.close()
      throw error
    }
  }

  private constructor(options: Omit<MachineOptions, 'number' | 'all'>, port: number) {
    const { folder, passwords, certificates, patches } = options
    this.#isAsynchronous = patches.length > 0
    this.#network = openNetwork(numbers)
    this.machines = numbers.map((number) => new Machine({ number, all: numbers, ...options }))
    for (const machine of this.machines) machine.start()
    this.#proxy = startProxy(folder, port, this.machines)
    const encrypted = `sslmode=verify-full&sslrootcert=${certificates.authority}`
    this.#superuserUrl = `postgres://postgres:${passwords.superuser}@127.0.0.1:${port}/postgres?${encrypted}`
    this.url = `postgres://gatehouse:${newPassword()}@127.0.0.1:${port}/gatehouse?${encrypted}`
  }

  /** The folder of PostgreSQL's programs. */
  get programs(): string {
    return requireTools().postgresqlPrograms
  }

  pid(): null {
    return null
  }

  /** The machine that leads; null while none does. */
  async leader(): Promise<Machine | null> {
    const members = await this.#members()
    const leader = members.find(({ role, state }) => role === 'leader' && state === 'running')
    return this.machines.find(({ name }) => name === leader?.name) ?? null
  }

  /** The machine without which no commit is acknowledged; null while none is named. */
  async synchronousStandby(): Promise<Machine | null> {
    const standby = (await this.#members()).find(({ role }) => role === 'sync_standby')
    return this.machines.find(({ name }) => name === standby?.name) ?? null
  }

  /** Whether the proxy leads to a machine that accepts writes. Without etcd Patroni reports no leader long before it ends its leadership. */
  isLed(): Promise<boolean> {
    return accepts(this.#superuserUrl)
  }

  /** Resolves when one machine leads, both others follow it, and one of them synchronously. */
  async untilHealthy(): Promise<void> {
    const seconds = await until(() => this.#isHealthy(), healthyWithinMs, pollMs)
    if (seconds !== null) return
    const members = await this.#members()
    const inOrder = members.filter(isRunning).map(({ name }) => name)
    const faulty = this.machines.filter(({ name }) => !inOrder.includes(name))
    const ends = faulty.map(({ name, lastWords }) => `${name}:\n${lastWords}`)
    throw new Error(`The cluster did not become healthy: ${JSON.stringify(members)}\n${ends.join('\n')}`)
  }

  /** As the superuser, on the leader. */
  async command<Row extends object>(text: string): Promise<readonly Row[]> {
    const client = new Client({ connectionString: this.#superuserUrl })
    await client.connect()
    try {
      return (await client.query<Row>(text)).rows
    } finally {
      await client.end()
    }
  }

  async #isHealthy(): Promise<boolean> {
    const members = await this.#members()
    return isHealthy(members) && (this.#isAsynchronous || hasSynchronousStandby(members))
  }

  async close(): Promise<void> {
    this.#proxy.kill('SIGKILL')
    for (const machine of this.machines) machine.close()
    this.#network.close()
    await Promise.resolve()
  }

  async #setUp(): Promise<void> {
    await this.untilHealthy()
    const reached = await until(() => accepts(this.#superuserUrl), healthyWithinMs, pollMs)
    if (reached === null) throw new Error('The proxy leads to no leader.')
    if (await accepts(this.#superuserUrl.replace(/\?.*$/, ''))) throw new Error('The servers accept plain connections.')
    await this.#requireClosedInterface()
    const { password } = new URL(this.url)
    await this.command(`create role gatehouse login password '${password}'`)
    await this.command('create database gatehouse owner gatehouse')
    await this.command('grant pg_read_all_stats to gatehouse')
    const pool = openPool(this.url, { max: 1, applicationName: 'gatehouse campaign' })
    try {
      await migrate(pool)
    } finally {
      await pool.end()
    }
  }

  /** A stranger must not change the configuration. */
  async #requireClosedInterface(): Promise<void> {
    for (const { address } of this.machines) {
      const change = { method: 'PATCH', body: '{"ttl":20}', signal: AbortSignal.timeout(statusWithinMs) }
      const { status } = await fetch(`http://${address}:8008/config`, change)
      if (status !== 401) throw new Error(`Patroni at ${address} answered ${status} to a change without a password.`)
    }
  }

  /** As the first machine that answers tells it; after a split, the machines disagree for a while. */
  async #members(): Promise<readonly Member[]> {
    const answers = await Promise.all(this.machines.map(({ address }) => membersBy(address)))
    return answers.toSorted((a, b) => newest(b) - newest(a)).find((members) => members.length > 0) ?? []
  }
}

async function membersBy(address: string): Promise<readonly Member[]> {
  try {
    const reply = await fetch(`http://${address}:8008/cluster`, { signal: AbortSignal.timeout(statusWithinMs) })
    return membersSchema.parse(await reply.json()).members
  } catch {
    return []
  }
}

const newest = (members: readonly Member[]): number => Math.max(0, ...members.map(({ timeline = 0 }) => timeline))

const isRunning = ({ state }: Member): boolean => ['running', 'streaming'].includes(state)

function isHealthy(members: readonly Member[]): boolean {
  const leader = members.find(({ role }) => role === 'leader')
  const followers = members.filter(({ role }) => role !== 'leader')
  return (
    leader?.state === 'running' &&
    followers.length === numbers.length - 1 &&
    followers.every((one) => isRunning(one) && one.timeline === leader.timeline)
  )
}

const hasSynchronousStandby = (members: readonly Member[]): boolean =>
  members.some(({ role }) => role === 'sync_standby')

function startProxy(folder: string, port: number, machines: readonly Machine[]): ChildProcess {
  const file = join(folder, 'haproxy.cfg')
  const servers = machines.flatMap(({ name, address }, index) => [
    [`name_${index + 1}`, name],
    [`address_${index + 1}`, address],
  ])
  writeFileSync(file, fillIn('haproxy.cfg', { bind: `127.0.0.1:${port}`, ...Object.fromEntries(servers) }))
  const log = openSync(join(folder, 'haproxy.log'), 'a')
  const proxy = spawn('haproxy', ['-db', '-f', file], { stdio: ['ignore', log, log] })
  closeSync(log)
  return proxy
}

async function accepts(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: statusWithinMs })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ follows: boolean }>('select pg_is_in_recovery() as follows')
    return rows[0]?.follows === false
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}

const newPassword = (): string => randomBytes(16).toString('hex')

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const port = portOf(server)
  await new Promise((resolve) => server.close(resolve))
  return port
}
