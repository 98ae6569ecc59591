/** A PostgreSQL of the system whose log is archived by `gatehouse backup wal`, and which can be lost and restored to a moment. */
import { execFile, execFileSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs'
import { appendFile, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { migrate } from '#server/store/database/migrate.ts'
import { openPool } from '#server/store/database/pool.ts'
import { freePort } from '../../server/test/hosts/free-port.ts'
import { findPostgresql } from '../failover/tools.ts'
import { inheritedPatches } from '../patch.ts'
import { until } from '../stage/stage.ts'
import type { RestorableServer } from './restorable-server.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const owner = 'postgres'
const patienceMs = 120_000
const runFile = promisify(execFile)

/** Names what is missing to run such a server; null if nothing is. */
export function missingServer(): string | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'A server of another user needs root on Linux.'
  return findPostgresql() === null ? 'PostgreSQL is not installed (Debian: apt-get install postgresql).' : null
}

export class ArchivedServer implements RestorableServer {
  readonly folder = null
  readonly url: string
  readonly #home: string
  readonly #port: number
  #data: string

  static async open(folder: string): Promise<ArchivedServer> {
    // PostgreSQL's own account has to reach its files.
    chmodSync(folder, 0o755)
    const server = new ArchivedServer(join(folder, 'server'), await freePort())
    await server.#create()
    return server
  }

  private constructor(home: string, port: number) {
    this.#home = home
    this.#port = port
    this.#data = join(home, 'first')
    this.url = `postgres://${owner}@127.0.0.1:${port}/gatehouse`
  }

  async #create(): Promise<void> {
    mkdirSync(this.#home)
    const { uid, gid } = ownerOf()
    for (const name of ['wal', 'backups']) mkdirSync(join(this.#home, name))
    for (const path of ['', 'wal', 'backups']) chownSync(join(this.#home, path), uid, gid)
    await this.#run([
      join(programs(), 'initdb'),
      '--auth=trust',
      '--encoding=UTF8',
      '--locale=C',
      `--pgdata=${this.#data}`,
    ])
    const recipient = (await this.gatehouse(['backup', 'key', this.keyFile])).trim()
    await appendFile(
      join(this.#data, 'postgresql.conf'),
      [
        `port = ${this.#port}`,
        `listen_addresses = '127.0.0.1'`,
        `unix_socket_directories = '${this.#home}'`,
        'archive_mode = on',
        `archive_command = '${[...commandLine, 'backup', 'wal', join(this.#home, 'wal'), '%p', '--to', recipient].join(' ')}'`,
        '',
      ].join('\n'),
    )
    writeFileSync(join(this.#home, 'recipient'), recipient)
    await this.#start()
    await this.#query('create database gatehouse', { database: 'postgres' })
    const pool = openPool(this.url, { max: 1, applicationName: 'gatehouse campaign' })
    try {
      await migrate(pool)
    } finally {
      await pool.end()
    }
  }

  pid(): null {
    return null
  }

  async takeBaseBackup(): Promise<void> {
    const recipient = await readFile(join(this.#home, 'recipient'), 'utf8')
    await this.gatehouse(['backup', 'base', this.backupFolder, '--to', recipient])
  }

  async moment(): Promise<Date> {
    const [row] = await this.#query<{ now: Date }>('select clock_timestamp() as now')
    if (!row) throw new Error('The server does not know the time.')
    return row.now
  }

  async archive(): Promise<void> {
    const [row] = await this.#query<{ segment: string }>('select pg_walfile_name(pg_switch_wal()) as segment')
    const isThere = async () => (await readdir(this.archiveFolder)).includes(`${row?.segment}.age`)
    if ((await until(isThere, patienceMs)) === null) throw new Error(`${row?.segment} was not archived.`)
  }

  async restoreTo(moment: Date): Promise<void> {
    await this.#run([join(programs(), 'pg_ctl'), 'stop', '--mode=immediate', `--pgdata=${this.#data}`])
    await this.#run(['rm', '--recursive', this.#data])
    const [backup = ''] = (await readdir(this.backupFolder)).filter((name) => name.endsWith('.age'))
    this.#data = join(this.#home, 'restored')
    const words = ['restore', 'base', join(this.backupFolder, backup), this.#data]
    const options = ['--wal', this.archiveFolder, '--key', this.keyFile, '--until', moment.toISOString()]
    await this.gatehouse([...words, ...options])
    await this.#start()
    const isDone = async () =>
      (await this.#query<{ over: boolean }>('select not pg_is_in_recovery() as over', { readOnly: true }))[0]?.over ===
      true
    if ((await until(isDone, patienceMs)) === null) throw new Error('The server did not reach the moment.')
  }

  async close(): Promise<void> {
    await this.#run([join(programs(), 'pg_ctl'), 'stop', '--mode=immediate', `--pgdata=${this.#data}`]).catch(
      () => undefined,
    )
  }

  get archiveFolder(): string {
    return join(this.#home, 'wal')
  }

  get backupFolder(): string {
    return join(this.#home, 'backups')
  }

  get keyFile(): string {
    return join(this.#home, 'backup.key')
  }

  #start(): Promise<unknown> {
    const log = join(this.#home, 'server.log')
    return this.#run([
      join(programs(), 'pg_ctl'),
      'start',
      '--wait',
      '--timeout=120',
      `--pgdata=${this.#data}`,
      `--log=${log}`,
    ])
  }

  /** A command, as the owner of the server; returns what it prints. */
  async gatehouse(words: readonly string[]): Promise<string> {
    return (await this.#run([...commandLine, ...words])).stdout
  }

  /** As the owner of the server. */
  #run(words: readonly string[]): Promise<{ readonly stdout: string }> {
    const { uid, gid } = ownerOf()
    const [program = '', ...args] = words
    const env = { PATH: process.env['PATH'], DATABASE_URL: this.url, DATA_DIR: this.#home }
    return runFile(program, args, { cwd: root, uid, gid, env })
  }

  async #query<Row extends object>(
    text: string,
    { database = 'gatehouse', readOnly = false } = {},
  ): Promise<readonly Row[]> {
    const pool = openPool(this.url.replace(/gatehouse$/, database), {
      max: 1,
      applicationName: 'gatehouse campaign',
      readOnly,
    })
    try {
      return (await pool.query<Row>(text)).rows
    } finally {
      await pool.end()
    }
  }
}

const commandLine = [
  process.execPath,
  '--disable-warning=ExperimentalWarning',
  ...inheritedPatches(),
  join(root, 'cli/main.ts'),
]

function programs(): string {
  const folder = findPostgresql()
  if (folder === null) throw new Error(missingServer() ?? '')
  return folder
}

function ownerOf(): { readonly uid: number; readonly gid: number } {
  const id = (flag: string) => Number(execFileSync('id', [flag, owner], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}
