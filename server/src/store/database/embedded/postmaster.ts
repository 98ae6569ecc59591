/**
 * The server's process: started so that it outlives the gateway, and found again by its lock file in the data folder.
 *
 * It must not die with the gateway. If the gateway is killed, the server keeps running and the next start adopts it; on Ctrl-C the terminal
 * must not stop it while payments are being finished. It therefore has its own process group and logs to a file.
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
  /** What the server has logged since the launch. */
  readonly readLog: () => string
}

const logBytesMax = 10_000_000
const stopPollMs = 10
const stopSteps = [
  ['SIGINT', 4_000], // a fast stop: sessions end, everything is written to disk
  ['SIGQUIT', 800], // an immediate stop: unwritten changes are recovered from the log
  ['SIGKILL', 200],
] as const

/** The server that runs on this data, if any. */
export function findPostmaster(cluster: Cluster): Postmaster | null {
  const { pid, socketDir, state } = readLock(dataLock(cluster))
  if (pid === null || socketDir === '' || !isOurs(cluster, pid)) return null
  return { pid, socketDir, ready: state === 'ready' }
}

export function launchPostmaster(cluster: Cluster, socketDir: string, disposable: boolean): Launch {
  const { dataDir, name, account, programs } = cluster
  removeStaleLocks(cluster, socketDir)
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
  child.on('error', () => undefined) // The caller notices the exit.
  child.unref()
  closeSync(log)
  return { child, readLog: () => readFileSync(cluster.logFile).subarray(logged).toString() }
}

/** Ends every session and writes everything to disk. A server that is too slow for that recovers at its next start. */
export async function stopPostmaster(cluster: Cluster, pid: number): Promise<void> {
  for (const [signal, patienceMs] of stopSteps) {
    if (!isOurs(cluster, pid) || !sendSignal(pid, signal)) return
    for (let waitedMs = 0; waitedMs < patienceMs && isOurs(cluster, pid); waitedMs += stopPollMs)
      await sleep(stopPollMs)
  }
}

function readLock(file: string): { pid: number | null; socketDir: string; state: string } {
  // Line by line: process, data folder, start time, port, socket folder, address, shared memory, state. The server writes them one by one
  // while it starts.
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
 * The process id in a stale lock may belong to another program by now, or to a zombie. PostgreSQL would take either for a running server
 * and refuse to start, so such a lock is removed. PostgreSQL detects its own leftover sessions without the lock, by their shared memory.
 */
function removeStaleLocks(cluster: Cluster, socketDir: string): void {
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

function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}
