/** One machine of the cluster: etcd, Patroni and the PostgreSQL that Patroni runs, with the configuration of `deploy/ha/`. */
import { execFileSync, spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { applyPatch, type Patch } from '../patch.ts'
import { emptyDisk, fillDisk, mountSmallDisk } from '../stage/small-disk.ts'
import { addressOf, network, pidsOn, programOn } from './network.ts'
import type { Tools } from './tools.ts'

export interface MachineOptions {
  readonly number: number
  readonly all: readonly number[]
  readonly folder: string
  readonly passwords: Passwords
  readonly tools: Tools
  /** Changes of Patroni's configuration, to plant a fault. */
  readonly patches: readonly Patch[]
}

interface Passwords {
  readonly superuser: string
  readonly replication: string
  readonly rewind: string
}

const diskMegabytes = 700
const owner = 'postgres'

export class Machine {
  readonly number: number
  readonly name: string
  readonly address: string
  readonly #folder: string
  readonly #disk: string
  readonly #mounted: { unmount(): void }

  constructor({ number, all, folder, passwords, tools, patches }: MachineOptions) {
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
    const patroni = fillIn('patroni.yaml', {
      name: this.name,
      address: this.address,
      network,
      etcd_hosts: all.map((one) => `${addressOf(one)}:2379`).join(','),
      data: join(this.#disk, 'data'),
      sockets: join(this.#folder, 'sockets'),
      passwords_file: join(this.#folder, 'pgpass'),
      postgresql_programs: tools.postgresqlPrograms,
      superuser_password: passwords.superuser,
      replication_password: passwords.replication,
      rewind_password: passwords.rewind,
      slot_wal: '128MB',
      max_wal: '128MB',
      // The campaign restores nothing: the archive has tests of its own, and its processes would slow three servers on one machine.
      gatehouse: '/bin/true',
      wal_archive: join(folder, 'wal'),
      backup_recipient: 'age1',
      // The watchdog of this machine would restart it whole.
      watchdog: 'off',
    })
    writeFileSync(join(this.#folder, 'etcd.yaml'), etcd)
    // It contains passwords.
    writeFileSync(join(this.#folder, 'patroni.yaml'), patches.reduce(applyPatch, patroni), { mode: 0o600 })
    execFileSync('chown', ['-R', `${owner}:`, this.#folder])
  }

  start(): void {
    this.startEtcd()
    this.#run('patroni', [join(this.#folder, 'patroni.yaml')])
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

  #run(program: string, words: readonly string[]): void {
    const log = openSync(join(this.#folder, `${program}.log`), 'a')
    const [first = '', ...rest] = programOn(this.number, [
      'setpriv',
      `--reuid=${owner}`,
      `--regid=${owner}`,
      '--init-groups',
      program,
      ...words,
    ])
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

const nameOf = (number: number): string => `machine-${number}`

function isEtcd(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'etcd'
  } catch {
    return false
  }
}

/** A file of `deploy/ha/` with its names in double braces replaced, so that what is documented is what is tested. */
export function fillIn(file: string, values: Readonly<Record<string, string>>): string {
  const text = readFileSync(fileURLToPath(new URL(`../../deploy/ha/${file}`, import.meta.url)), 'utf8')
  return text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`${file} needs ${name}.`)
    return value
  })
}
