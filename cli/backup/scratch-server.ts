/**
 * A server of restored files, which exists for a verification only: it listens on a socket in a folder of its own that only this user may open,
 * reads no configuration of the server that was backed up, and archives nothing.
 */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { CommandError } from '../kit/command-error.ts'
import { processEnvironment } from '../kit/instance.ts'

const runFile = promisify(execFile)
/** Replaying the log of weeks takes its time. */
const replayLimitSeconds = 12 * 3600
const pollMs = 200

interface ScratchServer {
  stop(): Promise<void>
}

interface ScratchFiles {
  /** The restored data folder. */
  readonly data: string
  /** Holds the configuration, the socket and the log. */
  readonly folder: string
  /** How the server fetches the archived log; null if the log inside the backup is all it replays. */
  readonly restoreCommand: string | null
}

/** Serves when it is started: the log is replayed, and the server is out of recovery. */
export async function startScratchServer({ data, folder, restoreCommand }: ScratchFiles): Promise<ScratchServer> {
  const programs = await findServerPrograms(data)
  const settings = [
    ['listen_addresses', ''],
    ['port', '5432'],
    ['unix_socket_directories', folder],
    ['hba_file', join(folder, 'hba.conf')],
    ['archive_mode', 'off'],
    // No session reads before the end, so the settings of the primary for standbys are not needed.
    ['hot_standby', 'off'],
    ['max_prepared_transactions', '1000'],
    ['autovacuum', 'off'],
    ['fsync', 'off'],
    ...(restoreCommand === null ? [] : [['restore_command', restoreCommand]]),
  ]
  const configuration = join(folder, 'scratch.conf')
  await writeFile(
    configuration,
    settings.map(([name, text = '']) => `${name} = '${text.replaceAll("'", "''")}'\n`).join(''),
  )
  await writeFile(join(folder, 'hba.conf'), 'local all all trust\n')
  // Read after the configuration, so it would win: with the libraries, certificates and archive of the server that was backed up.
  await writeFile(join(data, 'postgresql.auto.conf'), '')
  if (restoreCommand !== null) await writeFile(join(data, 'recovery.signal'), '', { mode: 0o600 })
  const control = (...words: readonly string[]) =>
    runFile(join(programs, 'pg_ctl'), [...words, `--pgdata=${data}`], {
      env: { PATH: processEnvironment()['PATH'], LC_ALL: 'C' },
    })
  const log = join(folder, 'server.log')
  const stop = async (): Promise<void> => {
    await control('stop', '--mode=immediate').catch(() => undefined)
  }
  try {
    await control(
      'start',
      '--wait',
      `--timeout=${replayLimitSeconds}`,
      `--log=${log}`,
      `--options=-c config_file=${configuration}`,
    )
    await waitUntilRecovered(data)
  } catch {
    await stop()
    const said = await readFile(log, 'utf8').catch(() => '')
    throw new CommandError('The restored server does not start.', said.trim().split('\n').slice(-15).join('\n'))
  }
  return { stop }
}

/** `pg_ctl` does not wait for the end of a replay during which no session may connect. The server writes its state into the eighth line of this file. */
async function waitUntilRecovered(data: string): Promise<void> {
  for (let waitedMs = 0; waitedMs < replayLimitSeconds * 1000; waitedMs += pollMs) {
    // Gone if the server has ended, which the caller explains.
    const lines = (await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n')
    if (lines[7]?.trim() === 'ready') return
    await sleep(pollMs)
  }
  throw new Error('The log was not replayed in time.')
}

/** Finds the programs of the version that wrote the files, where Debian has them. */
async function findServerPrograms(data: string): Promise<string> {
  const version = (await readFile(join(data, 'PG_VERSION'), 'utf8').catch(() => '')).trim()
  if (version === '')
    throw new CommandError('The backup has no files of a server.', 'Give a file of "gatehouse backup base".')
  const folders = [`/usr/lib/postgresql/${version}/bin`, ...(processEnvironment()['PATH'] ?? '').split(':')]
  const found = folders.find((folder) => existsSync(join(folder, 'pg_ctl')))
  if (found !== undefined) return found
  throw new CommandError(
    `PostgreSQL ${version} is not installed here.`,
    `Install its server, which need not run (Debian: postgresql-${version}).`,
  )
}
