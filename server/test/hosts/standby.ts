/** A PostgreSQL of the embedded programs with a streaming standby, for one test file. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { handOver, runAs, serverAccount } from '#server/store/database/embedded/account.ts'
import { cleanEnvironment, findPrograms } from '#server/store/database/embedded/programs.ts'
import { openPool } from '#server/store/database/pool.ts'

const runFile = promisify(execFile)
const settings = [
  'listen_addresses=',
  'wal_level=replica',
  'max_wal_senders=4',
  'hot_standby=on',
  'fsync=off',
  'max_slot_wal_keep_size=32MB',
]

export interface ReplicatedServer {
  /** As an ordinary role. */
  readonly primaryUrl: string
  readonly standbyUrl: string
  /** A statement of a superuser. */
  onPrimary(text: string): Promise<void>
  onStandby(text: string): Promise<void>
  stopStandby(): Promise<void>
  startStandby(): Promise<void>
  close(): Promise<void>
}

interface ReplicationOptions {
  /** The name of the slot that holds the log for the standby; without it none does. */
  readonly slot?: string
}

export async function startReplicated({ slot }: ReplicationOptions = {}): Promise<ReplicatedServer> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-standby-'))
  const account = serverAccount(folder)
  const programs = await findPrograms(account, folder)
  const places = { primary: join(folder, 'primary'), standby: join(folder, 'standby') }
  await mkdir(places.primary, { mode: 0o700 })
  await chmod(folder, 0o755)
  if (account) handOver(places.primary, account)
  const options = { ...runAs(account), cwd: places.primary, env: cleanEnvironment }
  await runFile(
    programs.initdb,
    ['--auth=trust', '--username=postgres', '--encoding=UTF8', '--locale=C', '-D', places.primary],
    options,
  )
  await writeFile(join(places.primary, 'pg_hba.conf'), 'local all all trust\nlocal replication all trust\n')

  const start = async (place: string): Promise<ChildProcess> => {
    const words = [...settings, `unix_socket_directories=${place}`].flatMap((one) => ['-c', one])
    const server = spawn(programs.postgres, ['-D', place, ...words], { ...options, cwd: place, stdio: 'ignore' })
    await untilAnswers(urlOf(place, 'postgres', 'postgres'))
    return server
  }
  const stop = async (server: ChildProcess): Promise<void> => {
    if (server.exitCode !== null || server.signalCode !== null) return
    const ended = once(server, 'exit')
    server.kill('SIGINT')
    await ended
  }

  let primary = await start(places.primary)
  await run(urlOf(places.primary, 'postgres', 'postgres'), 'create role gatehouse login createdb')
  if (slot !== undefined)
    await run(
      urlOf(places.primary, 'postgres', 'postgres'),
      `select pg_create_physical_replication_slot('${slot}', true)`,
    )
  // A copy of a server that is down is complete; the programs of the package have no pg_basebackup.
  await stop(primary)
  await cp(places.primary, places.standby, { recursive: true, preserveTimestamps: true })
  await writeFile(join(places.standby, 'standby.signal'), '')
  await writeFile(
    join(places.standby, 'postgresql.auto.conf'),
    `primary_conninfo = 'host=${places.primary} user=postgres'\n${slot === undefined ? '' : `primary_slot_name = '${slot}'\n`}`,
  )
  await chmod(places.standby, 0o700)
  if (account) handOver(places.standby, account)
  primary = await start(places.primary)
  let standby = await start(places.standby)
  return {
    primaryUrl: urlOf(places.primary, 'gatehouse', 'postgres'),
    standbyUrl: urlOf(places.standby, 'gatehouse', 'postgres'),
    onPrimary: (text) => run(urlOf(places.primary, 'postgres', 'postgres'), text),
    onStandby: (text) => run(urlOf(places.standby, 'postgres', 'postgres'), text, true),
    stopStandby: () => stop(standby),
    startStandby: async () => {
      standby = await start(places.standby)
    },
    close: async () => {
      await stop(standby)
      await stop(primary)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const urlOf = (folder: string, role: string, database: string): string =>
  `postgres://${role}@/${database}?host=${encodeURIComponent(folder)}`

async function run(url: string, text: string, readOnly = false): Promise<void> {
  const pool = openPool(url, { max: 1, applicationName: 'gatehouse test', readOnly })
  try {
    await pool.query(text)
  } finally {
    await pool.end()
  }
}

async function untilAnswers(url: string): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    const answered = await run(url, 'select', true).then(
      () => true,
      () => false,
    )
    if (answered) return
    await sleep(100)
  }
  throw new Error('The server did not start.')
}
