/** A root of Debian that systemd runs as in a machine of its own: a container with its own network, in which nothing outside is reached. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

const runFile = promisify(execFile)
const mostOutput = 16 * 1024 * 1024
const bootWithinMs = 120_000
const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** Why no root can be booted here; null if one can. */
export function bootFault(): string | null {
  if (!existsSync('/usr/bin/systemd-nspawn'))
    return 'systemd-nspawn is not installed (Debian: apt-get install systemd-container).'
  return null
}

export interface BootedRoot {
  /** Runs a script as root and returns what it printed; rejects if a command of it fails. */
  run(script: string): Promise<string>
  stop(): Promise<void>
}

/** The root needs systemd-sysv. */
export async function boot(root: string): Promise<BootedRoot> {
  const container = spawn(
    'systemd-nspawn',
    ['--register=no', '--keep-unit', '--private-network', '--quiet', '--console=pipe', '--boot', `--directory=${root}`],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const said: string[] = []
  container.stderr.on('data', (text) => said.push(String(text)))
  const run = async (script: string): Promise<string> => {
    const leader = await leaderOf(container)
    const inside = ['--mount', '--uts', '--ipc', '--net', '--pid', '--cgroup', '--target', leader]
    const shell = ['env', '-i', `PATH=${path}`, 'HOME=/root', 'sh', '-euc', `cd /root\n${script}`]
    return (await runFile('nsenter', [...inside, ...shell], { maxBuffer: mostOutput })).stdout
  }
  const stop = async (): Promise<void> => {
    if (container.exitCode !== null || container.signalCode !== null) return
    const ended = once(container, 'exit')
    // Ends everything in the container; a signal to systemd-nspawn itself would leave it running.
    process.kill(Number(await leaderOf(container)), 'SIGKILL')
    await ended
  }
  try {
    await waitUntilBooted(run, container)
  } catch (error) {
    await stop()
    throw new Error(`systemd did not start: ${said.join('')}`, { cause: error })
  }
  return { run, stop }
}

async function waitUntilBooted(run: BootedRoot['run'], container: ChildProcess): Promise<void> {
  const until = performance.now() + bootWithinMs
  for (;;) {
    // "degraded" is a system with a failed unit, which the caller judges.
    const state = await run('systemctl is-system-running || true').catch(() => '')
    if (/^(?:running|degraded)$/m.test(state)) return
    if (performance.now() > until || container.exitCode !== null)
      throw new Error(`The state is ${state.trim() || 'unknown'}.`)
    await sleep(500)
  }
}

/** The process that is systemd. */
async function leaderOf({ pid }: ChildProcess): Promise<string> {
  const [leader] = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ')
  if (!leader) throw new Error('The container has not started yet.')
  return leader
}
