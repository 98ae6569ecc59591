/** One machine of the cluster: etcd, Patroni and the PostgreSQL that Patroni runs, with the configuration of `deploy/ha/`. */
import { execFile, execFileSync, spawn } from 'node:child_process'
import { closeSync, copyFileSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { applyPatch, type Patch } from '../patch.ts'
import { emptyDisk, fillDisk, mountSmallDisk } from '../stage/small-disk.ts'
import { until } from '../stage/stage.ts'
import type { Certificates } from './certificates.ts'
import { addressOf, network, pidsOn, programOn } from './network.ts'
import type { Tools } from './tools.ts'

export interface MachineOptions {
  readonly number: number
  readonly all: readonly number[]
  readonly folder: string
  readonly passwords: Passwords
  readonly certificates: Certificates
  readonly tools: Tools
  /** Changes of Patroni's configuration, to plant a fault. */
  readonly patches: readonly Patch[]
  /** Absent for a cluster that is not restored: three servers on one machine would be slowed by the processes that archive. */
  readonly archive?: Archive | undefined
}

export interface Archive {
  /** The command `gatehouse`, as PostgreSQL's user runs it. */
  readonly program: string
  readonly folder: string
  readonly recipient: string
}

interface Passwords {
  readonly superuser: string
  readonly replication: string
  readonly rewind: string
  readonly rest: string
}

/** The log of several leaders lies on it for a while: `pg_rewind` copies that of the new one beside the machine's own. */
const diskMegabytes = 1_400
const owner = 'postgres'
const stopWithinMs = 60_000
const scriptWithinMs = 240_000
/** Characters of a log that an error shows. */
const logEnd = 6_000
const pollMs = 250

export class Machine {
  readonly number: number
  readonly name: string
  readonly address: string
  readonly #folder: string
  readonly #disk: string
  readonly #mounted: { unmount(): void }
  readonly #options: MachineOptions

  constructor(options: MachineOptions) {
    const { number, all, folder } = options
    this.#options = options
    this.number = number
    this.name = nameOf(number)
    this.address = addressOf(number)
    this.#folder = join(folder, this.name)
    this.#disk = join(this.#folder, 'disk')
    mkdirSync(this.#folder, { recursive: true })
    this.#mounted = mountSmallDisk(this.#disk, diskMegabytes)
    mkdirSync(join(this.#folder, 'sockets'))
    const etcd = fillIn('etcd.yaml', {
      name: this.name,
      address: this.address,
      etcd_data: join(this.#folder, 'etcd'),
      etcd_members: all.map((one) => `${nameOf(one)}=http://${addressOf(one)}:2380`).join(','),
    })
    writeFileSync(join(this.#folder, 'etcd.yaml'), etcd)
    this.#configure(this.dataFolder('data'), options.archive?.folder)
    const { certificate, key } = options.certificates.of(this.address)
    copyFileSync(certificate, this.#file('server.crt'))
    copyFileSync(key, this.#file('server.key'))
    execFileSync('chown', ['-R', `${owner}:`, this.#folder])
  }

  /** Patroni is to run a server in another folder of the machine's disk, and to archive elsewhere. */
  replaceServer(dataFolder: string, archiveFolder: string): void {
    this.#configure(dataFolder, archiveFolder)
    execFileSync('chown', [`${owner}:`, this.patroniFile])
  }

  start(): void {
    this.startEtcd()
    this.startPatroni()
  }

  startPatroni(): void {
    this.#run('patroni', [this.patroniFile])
  }

  /** As `systemctl stop patroni` does it: PostgreSQL ends with it. */
  async stopPatroni(): Promise<void> {
    this.#signal(pidsOn(this.number).filter(runs('patroni')), 'SIGTERM')
    const seconds = await until(async () => pidsOn(this.number).every(isEtcd), stopWithinMs, pollMs)
    if (seconds === null) throw new Error(`Patroni on ${this.name} did not stop.`)
  }

  /** A shell's commands, as the owner of the server. A failure shows the end of the log as well, if there is one. */
  async runScript(script: string, log?: string): Promise<void> {
    const [program = '', ...words] = programOn(this.number, asOwner(['sh', '-euc', script]))
    const env = { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8', PGHOST: join(this.#folder, 'sockets') }
    try {
      await promisify(execFile)(program, words, { cwd: this.#folder, env, timeout: scriptWithinMs })
    } catch (error) {
      throw new Error(`${this.name}: ${String(error)}\n${log === undefined ? '' : endOf(log)}`, { cause: error })
    }
  }

  /** What Patroni and PostgreSQL wrote last. */
  get lastWords(): string {
    return endOf(this.#file('patroni.log'))
  }

  dataFolder(name: string): string {
    return join(this.#disk, name)
  }

  get patroniFile(): string {
    return this.#file('patroni.yaml')
  }

  startEtcd(): void {
    this.#run('etcd', ['--config-file', join(this.#folder, 'etcd.yaml')])
  }

  /** Every process at once, as in a power failure. */
  kill(): void {
    this.#signal(pidsOn(this.number), 'SIGKILL')
  }

  killEtcd(): void {
    this.#signal(pidsOn(this.number).filter(isEtcd), 'SIGKILL')
  }

  pause(): void {
    this.#signal(pidsOn(this.number), 'SIGSTOP')
  }

  resume(): void {
    this.#signal(pidsOn(this.number), 'SIGCONT')
  }

  fillDisk(): void {
    fillDisk(this.#disk)
  }

  emptyDisk(): void {
    emptyDisk(this.#disk)
  }

  close(): void {
    this.resume()
    this.kill()
    this.#mounted.unmount()
  }

  #file(name: string): string {
    return join(this.#folder, name)
  }

  #configure(data: string, archiveFolder = '/none'): void {
    const { all, passwords, certificates, tools, patches, archive } = this.#options
    const patroni = fillIn('patroni.yaml', {
      name: this.name,
      address: this.address,
      network,
      etcd_hosts: all.map((one) => `${addressOf(one)}:2379`).join(','),
      data,
      sockets: join(this.#folder, 'sockets'),
      passwords_file: join(this.#folder, 'pgpass'),
      postgresql_programs: tools.postgresqlPrograms,
      superuser_password: passwords.superuser,
      replication_password: passwords.replication,
      rewind_password: passwords.rewind,
      rest_password: passwords.rest,
      server_certificate: this.#file('server.crt'),
      server_key: this.#file('server.key'),
      authority: certificates.authority,
      slot_wal: '128MB',
      max_wal: '128MB',
      gatehouse: archive?.program ?? '/bin/true',
      wal_archive: archiveFolder,
      backup_recipient: archive?.recipient ?? 'age1',
      // The watchdog of this machine would restart it whole.
      watchdog: 'off',
    })
    // It contains passwords.
    writeFileSync(this.patroniFile, patches.reduce(applyPatch, patroni), { mode: 0o600 })
  }

  #run(program: string, words: readonly string[]): void {
    const log = openSync(join(this.#folder, `${program}.log`), 'a')
    const [first = '', ...rest] = programOn(this.number, asOwner([program, ...words]))
    // Debian's etcd wants this said on ARM.
    const env = { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8', ETCD_UNSUPPORTED_ARCH: process.arch }
    spawn(first, rest, { stdio: ['ignore', log, log], env, detached: true }).unref()
    closeSync(log)
  }

  #signal(pids: readonly number[], signal: NodeJS.Signals): void {
    for (const pid of pids) {
      try {
        process.kill(pid, signal)
      } catch {
        // It has ended by itself.
      }
    }
  }
}

const endOf = (log: string): string => (existsSync(log) ? readFileSync(log, 'utf8').slice(-logEnd) : '')

const nameOf = (number: number): string => `machine-${number}`

const asOwner = (words: readonly string[]): readonly string[] => [
  'setpriv',
  `--reuid=${owner}`,
  `--regid=${owner}`,
  '--init-groups',
  ...words,
]

const runs =
  (program: string) =>
  (pid: number): boolean => {
    try {
      return readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === program
    } catch {
      return false
    }
  }

const isEtcd = runs('etcd')

/** A file of `deploy/ha/` with its names in double braces replaced, so that what is documented is what is tested. */
export function fillIn(file: string, values: Readonly<Record<string, string>>): string {
  const text = readFileSync(fileURLToPath(new URL(`../../deploy/ha/${file}`, import.meta.url)), 'utf8')
  return text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`${file} needs ${name}.`)
    return value
  })
}
