/**
 * `npm test [-- <word>…]`: runs the tests on one PostgreSQL, whose migrated template each of them clones.
 * Set GATEHOUSE_TEST_DATABASE to run them on a server of your own; its role must be allowed to create databases.
 */
import { spawn } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { availableParallelism, constants } from 'node:os'
import { relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { StartupError } from '#server/startup-error.ts'
import { ensureTemplate } from '../server/test/template.ts'
import { startTestServer } from '../server/test/test-server.ts'
import { selectTests } from './test-selection.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const tests = '{bench,campaigns,cli,domain,sandbox,server,tools,web}/**/*.test.ts'
// Per test and per file. A test that hangs should fail while somebody still waits for it.
const timeoutMs = 300_000

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof StartupError)) throw error
  process.stderr.write(`${error.message} ${error.remedy}\n`)
  process.exitCode = 1
}

async function main(args: readonly string[]): Promise<number> {
  const words = args.filter((arg) => !arg.startsWith('-')).map(withinRoot)
  const flags = args.filter((arg) => arg.startsWith('-'))
  const { files, titles } = selectTests(globSync(tests, { cwd: root }).toSorted(), words)

  const given = process.env.GATEHOUSE_TEST_DATABASE
  const server = given ? { url: given, stop: () => Promise.resolve() } : await startTestServer()
  try {
    await ensureTemplate(server.url)
    return await runTests([...flags, ...titles.map((title) => `--test-name-pattern=${title}`)], files, server.url)
  } finally {
    await server.stop()
  }
}

/** A path may be given from wherever one stands. */
function withinRoot(word: string): string {
  return existsSync(word) ? relative(root, resolve(word)) : word
}

async function runTests(flags: readonly string[], files: readonly string[], database: string): Promise<number> {
  const options = [
    '--test',
    '--test-reporter=spec',
    `--test-timeout=${timeoutMs}`,
    // One more than cores, since tests that wait for the database leave theirs idle.
    `--test-concurrency=${availableParallelism() + 1}`,
  ]
  const runner = spawn(process.execPath, [...options, ...flags, ...files], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, GATEHOUSE_TEST_DATABASE: database },
  })
  // The runner ends on them by itself or by us; we stay, to stop the database.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => runner.kill(signal))

  const { promise: ended, resolve: end, reject } = Promise.withResolvers<number>()
  runner.on('error', reject)
  runner.on('close', (status, signal) => end(status ?? 128 + (signal ? constants.signals[signal] : 0)))
  return ended
}
