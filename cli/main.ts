/** The gatehouse command: `npm run gatehouse -- <command>`. */
import { hostname, userInfo } from 'node:os'
import { buffer } from 'node:stream/consumers'
import { run } from './dispatch.ts'
import { processEnvironment } from './kit/instance.ts'

const interruption = new AbortController()
// The terminal and the parent process may both send the signal: the second one must not interrupt the shutdown.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => interruption.abort())

// A reader such as `head` closes the pipe when it has enough; that is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))

const exitCode = await run(process.argv.slice(2), {
  output: {
    out: (line) => void process.stdout.write(`${line}\n`),
    err: (line) => void process.stderr.write(`${line}\n`),
  },
  environment: processEnvironment(),
  readInput: () => buffer(process.stdin),
  signal: interruption.signal,
  operator: `${userName()}@${hostname()}`,
})
process.exit(exitCode)

/** In a container the user id may have no name. */
function userName(): string {
  try {
    return userInfo().username
  } catch {
    return `user ${process.getuid?.() ?? '?'}`
  }
}
