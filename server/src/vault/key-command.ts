/**
 * Key-encryption keys from a key service: a command gets the wrapped key ring on its standard input and prints the key ring. The plain keys
 * are in the memory of the processes only, never in a file, an argument or the environment.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { StartupError } from '#server/process/startup-error.ts'

const longestMs = 30_000
const mostBytes = 64 * 1024

/** Returns what the command prints. Its messages go to the standard error of this process. */
export async function runKeyCommand(command: string, wrapped: string | Buffer): Promise<string> {
  // A group of its own, so that the programs that the shell has started can be ended with it.
  const child = spawn('/bin/sh', ['-c', command], { stdio: ['pipe', 'pipe', 'inherit'], detached: true })
  const stop = (): void => endGroup(child.pid)
  const timer = setTimeout(stop, longestMs)
  // A command that needs no input may end before it has read any.
  child.stdin.on('error', () => undefined)
  child.stdin.end(wrapped)
  const printed: Buffer[] = []
  let length = 0
  child.stdout.on('data', (part: Buffer) => {
    length += part.length
    if (length <= mostBytes) printed.push(part)
    else stop()
  })
  await once(child, 'close').finally(() => clearTimeout(timer))
  if (child.exitCode === 0 && length <= mostBytes) return Buffer.concat(printed).toString('utf8')
  const end = child.exitCode === null ? 'was stopped' : `ended with status ${child.exitCode}`
  throw new StartupError(
    `GATEHOUSE_KEY_COMMAND ${end}.`,
    'Run it by hand; it must print the key ring within 30 seconds.',
  )
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}
