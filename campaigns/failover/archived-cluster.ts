/**
 * A cluster whose machines archive their log into one folder. It loses its leader after the base backup, and is then restored to a moment by the
 * commands of `docs/operations/high-availability.md`.
 */
import { execFile, execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs'
import { chown, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Findings } from '../campaign.ts'
import { inheritedPatches } from '../patch.ts'
import type { RestorableServer } from '../releases/restorable-server.ts'
import { until } from '../stage/stage.ts'
import { Cluster } from './cluster.ts'
import { commandsOfPage, withValues } from './page-commands.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const restoring = 'To restore the cluster to a moment'
const owner = 'postgres'
const patienceMs = 120_000
const archiveWithinMs = 30_000
const pollMs = 250

export class ArchivedCluster implements RestorableServer {
  readonly folder = null
  readonly #home: string
  readonly #cluster: Cluster
  readonly #recipient: string
  readonly #backupUrl: string
  readonly #omitted: string | null

  /** `omitted` is a command of the page that is not run, to plant a fault. */
  static async open(folder: string, omitted: string | null = null): Promise<ArchivedCluster> {
    // PostgreSQL's own account has to reach its files.
    chmodSync(folder, 0o755)
    const home = join(folder, 'archived')
    for (const name of ['', 'wal', 'new-wal', 'backups']) mkdirSync(join(home, name))
    for (const name of ['wal', 'new-wal']) chownSync(join(home, name), ...ownerIds())
    const program = join(home, 'gatehouse')
    const words = [process.execPath, '--disable-warning=ExperimentalWarning', ...inheritedPatches()]
    writeFileSync(program, `#!/bin/sh\nexec ${words.join(' ')} ${join(root, 'cli/main.ts')} "$@"\n`, { mode: 0o755 })
    const recipient = (await run(program, ['backup', 'key', join(home, 'backup.key')])).trim()
    await chown(join(home, 'backup.key'), ...ownerIds())
    const cluster = await Cluster.open(folder, [], { program, folder: join(home, 'wal'), recipient })
    try {
      const password = randomBytes(16).toString('hex')
      await cluster.command(`create role backup login replication password '${password}' in role gatehouse`)
      const address = new URL(cluster.url)
      Object.assign(address, { username: 'backup', password })
      return new ArchivedCluster({ home, cluster, recipient, backupUrl: address.href, omitted })
    } catch (error) {
      await cluster.close()
      throw error
    }
  }

  private constructor(parts: {
    readonly home: string
    readonly cluster: Cluster
    readonly recipient: string
    readonly backupUrl: string
    readonly omitted: string | null
  }) {
    this.#home = parts.home
    this.#cluster = parts.cluster
    this.#recipient = parts.recipient
    this.#backupUrl = parts.backupUrl
    this.#omitted = parts.omitted
  }

  get url(): string {
    return this.#cluster.url
  }

  pid(): null {
    return null
  }

  close(): Promise<void> {
    return this.#cluster.close()
  }

  async takeBaseBackup(): Promise<void> {
    await run(join(this.#home, 'gatehouse'), ['backup', 'base', join(this.#home, 'backups'), '--to', this.#recipient], {
      DATABASE_URL: this.#backupUrl,
      DATA_DIR: this.#home,
    })
  }

  /** The restore then has to follow the archive from one timeline to the next. */
  async failOver(): Promise<void> {
    const leader = await this.#cluster.leader()
    leader?.kill()
    const seconds = await until(async () => ![null, leader].includes(await this.#cluster.leader()), patienceMs, pollMs)
    if (leader === null || seconds === null) throw new Error('No other machine led after the leader was killed.')
    leader.start()
    await this.#cluster.untilHealthy()
  }

  async moment(): Promise<Date> {
    const [row] = await this.#cluster.command<{ now: Date }>('select clock_timestamp() as now')
    if (!row) throw new Error('The leader does not know the time.')
    return row.now
  }

  async archive(): Promise<void> {
    if (!(await this.#archivesInto('wal'))) throw new Error('A segment was not archived.')
  }

  async restoreTo(moment: Date): Promise<void> {
    const { machines } = this.#cluster
    for (const machine of machines) await machine.stopPatroni()
    const [first, ...others] = machines
    const [backup = ''] = (await readdir(join(this.#home, 'backups'))).filter((name) => name.endsWith('.age'))
    if (!first) throw new Error('The cluster has no machine.')
    await chown(join(this.#home, 'backups', backup), ...ownerIds())
    const data = first.dataFolder('restored')
    await first.runScript(
      [
        `gatehouse() { '${join(this.#home, 'gatehouse')}' "$@"; }`,
        `cd '${this.#home}'`,
        withValues(commandsOfPage(restoring, 2), {
          BACKUP: join(this.#home, 'backups', backup),
          MOMENT: moment.toISOString(),
          WAL: join(this.#home, 'wal'),
          DATA: data,
          PROGRAMS: this.#cluster.programs,
        }).replace(this.#omitted ?? '', ''),
      ].join('\n'),
      `${data}.log`,
    )
    const remove = commandsOfPage(restoring, 3).replace('patronictl', `patronictl -c '${first.patroniFile}'`).trim()
    await first.runScript(`printf 'gatehouse\\nYes I am aware\\n' | ${remove}`)
    for (const machine of machines) machine.replaceServer(machine.dataFolder('restored'), join(this.#home, 'new-wal'))
    first.startPatroni()
    if ((await until(async () => (await this.#cluster.leader()) === first, patienceMs, pollMs)) === null)
      throw new Error('The restored machine does not lead.')
    for (const machine of others) machine.startPatroni()
    await this.#cluster.untilHealthy()
  }

  async judgeRestored(): Promise<Findings> {
    const archives = await this.#archivesInto('new-wal')
    return {
      figures: [{ name: 'restored clusters that do not archive', value: archives ? 0 : 1, must: 0 }],
      faults: archives ? [] : ['Nothing arrives in the new archive.'],
    }
  }

  /** Whether the segment that is written now arrives there. */
  async #archivesInto(folder: string): Promise<boolean> {
    const [row] = await this.#cluster.command<{ segment: string }>('select pg_walfile_name(pg_switch_wal()) as segment')
    const isThere = async () => (await readdir(join(this.#home, folder))).includes(`${row?.segment}.age`)
    return (await until(isThere, archiveWithinMs, pollMs)) !== null
  }
}

async function run(program: string, words: readonly string[], settings: Readonly<Record<string, string>> = {}) {
  return (await promisify(execFile)(program, words, { env: { PATH: process.env['PATH'], ...settings } })).stdout
}

function ownerIds(): [number, number] {
  const id = (flag: string) => Number(execFileSync('id', [flag, owner], { encoding: 'utf8' }))
  return [id('-u'), id('-g')]
}
