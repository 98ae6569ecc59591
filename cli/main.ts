/** The gatehouse command: `npm run gatehouse -- <command>`. */
import { hostname, userInfo } from 'node:os'
import { buffer } from 'node:stream/consumers'
import { run } from './dispatch.ts'
import { processEnvironment } from './kit/instance.ts'

const ending = new AbortController()
// A terminal and whoever started us may both send it: the second must not cut short what the first has begun to close.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => ending.abort())

// A reader that has seen enough, such as `head`, closes the pipe; that is no fault.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))

const exitCode = await run(process.argv.slice(2), {
  output: {
    out: (line) => void process.stdout.write(`${line}\n`),
    err: (line) => void process.stderr.write(`${line}\n`),
  },
  environment: processEnvironment(),
  input: () => buffer(process.stdin),
  signal: ending.signal,
  operator: `${userName()}@${hostname()}`,
})
process.exit(exitCode)

/** A container may run under a number that has no name. */
function userName(): string {
  try {
    return userInfo().username
  } catch {
    return `user ${process.getuid?.() ?? '?'}`
  }
}
