/**
 * The server's process: started so that it outlives us, found again by the file it keeps in its data folder.
 *
 * It must not die with us. Killed outright we leave it running, and the next start adopts it; on Ctrl-C the terminal
 * must not stop it while payments are still being finished, hence a process group of its own and a file for its log.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import {
  closeSync,
  existsSync,
  fchownSync,
  fstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { runAs } from './account.ts'
import { type Cluster, pathForServer } from './cluster.ts'
import { accessSettings, scramSettings } from './password.ts'
import { cleanEnvironment } from './programs.ts'
import { serverSettings } from './settings.ts'

interface Postmaster {
  readonly pid: number
  readonly socketDir: string
  readonly ready: boolean
}

export interface Launch {
  readonly child: ChildProcess
  /** What the server has logged since. */
  readonly said: () => string
}

const logBytesMax = 10_000_000
const stopPollMs = 10
const stopSteps = [
  ['SIGINT', 4_000], // a fast stop: sessions end, everything is written out
  ['SIGQUIT', 800], // an immediate stop: the log holds what was not written out
  ['SIGKILL', 200],
] as const

/** The server that runs on this data, if one does. */
export function findPostmaster(cluster: Cluster): Postmaster | null {
  const { pid, socketDir, state } = readLock(dataLock(cluster))
  if (pid === null || socketDir === '' || !isOurs(cluster, pid)) return null
  return { pid, socketDir, ready: state === 'ready' }
}

export function launchPostmaster(cluster: Cluster, socketDir: string, disposable: boolean): Launch {
  const { dataDir, name, account, programs } = cluster
  forgetStrayLocks(cluster, socketDir)
  const log = openLog(cluster)
  const logged = fstatSync(log).size
  const settings = [...serverSettings({ name, socketDir, disposable }), ...accessSettings(cluster), ...scramSettings]
  const options = ['-D', pathForServer(account, dataDir), ...settings]
  const child = spawn(programs.postgres, options, {
    ...runAs(account),
    cwd: dataDir,
    env: cleanEnvironment,
    detached: true,
    stdio: ['ignore', log, log],
  })
  child.on('error', () => undefined) // The caller sees that it has ended.
  child.unref()
  closeSync(log)
  return { child, said: () => readFileSync(cluster.logFile).subarray(logged).toString() }
}

/** Ends every session and writes everything out; a server that is too slow for that recovers at its next start. */
export async function stopPostmaster(cluster: Cluster, pid: number): Promise<void> {
  for (const [signal, patienceMs] of stopSteps) {
    if (!isOurs(cluster, pid) || !signalled(pid, signal)) return
    for (let waitedMs = 0; waitedMs < patienceMs && isOurs(cluster, pid); waitedMs += stopPollMs)
      await sleep(stopPollMs)
  }
}

function readLock(file: string): { pid: number | null; socketDir: string; state: string } {
  // Line by line: process, data folder, start time, port, folder of the socket, address, shared memory, state. The
  // server writes them one after the other while it starts.
  const [pid = '', , , , socketDir = '', , , state = ''] = readIfThere(file).split('\n')
  return { pid: /^\d+$/.test(pid.trim()) ? Number(pid) : null, socketDir, state: state.trim() }
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/**
 * The number of a process that is gone may be another program's by now, or still be held by a dead process that nobody
 * has collected. PostgreSQL would take either for a running server and refuse to start, so such a lock is removed. It
 * finds what is left of its own old sessions without the lock, by the shared memory they hold.
 */
function forgetStrayLocks(cluster: Cluster, socketDir: string): void {
  for (const file of [dataLock(cluster), join(socketDir, '.s.PGSQL.5432.lock')]) {
    const { pid } = readLock(file)
    if (pid !== null && !isOurs(cluster, pid)) rmSync(file, { force: true })
  }
}

const dataLock = ({ dataDir }: Cluster): string => join(dataDir, 'postmaster.pid')

const isOurs = ({ name }: Cluster, pid: number): boolean => commandOf(pid).includes(`cluster_name=${name}`)

function commandOf(pid: number): string {
  if (process.platform === 'linux') return readIfThere(`/proc/${pid}/cmdline`)
  const { stdout } = spawnSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
  return stdout ?? ''
}

function openLog({ logFile, account }: Cluster): number {
  if (existsSync(logFile) && statSync(logFile).size > logBytesMax) renameSync(logFile, `${logFile}.1`)
  const log = openSync(logFile, 'a', 0o600)
  if (account) fchownSync(log, account.uid, account.gid)
  return log
}

function signalled(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}
