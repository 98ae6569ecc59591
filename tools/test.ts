/**
 * `npm test`: runs the tests on one PostgreSQL, whose migrated template each of them clones.
 *
 * A file that failed among the others is run again alone, because the machine may have been too busy; if it passes then it is called
 * unsteady, and up to three unsteady files do not fail the run.
 */
import { existsSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, constants, tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { StartupError } from '#server/process/startup-error.ts'
import { dropDemoTemplate } from '../server/test/shop-environment.ts'
import { ensureTemplate } from '../server/test/template.ts'
import { startTestPostgres } from '../server/test/test-postgres.ts'
import { runProgram, UsageError } from './command-line.ts'
import { buildPrograms } from './programs/build-programs.ts'
import { openMemoryFolder } from './testing/memory-folder.ts'
import { runBatch } from './testing/test-batch.ts'
import { faultsOf, type Outcome } from './testing/test-outcome.ts'
import { type Batch, batchesOf, timeLimitMs } from './testing/test-plan.ts'
import { linesOf } from './testing/test-report.ts'
import { judgeRun } from './testing/test-run.ts'
import { isTitleFilter, matchedNothing, NoSuchTestFile, type Selection, selectTests } from './testing/test-selection.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const tests = '{bench,campaigns,cli,client,domain,sandbox,server,tools,web}/**/*.test.ts'
const beginningAndEndMs = 120_000
const furtherFileWithinMs = 60_000
const wholeRunFiles = 100

const usage = `Usage: npm test -- [WORD OF A PATH…] [--grep=TITLE] [--strict] [--full] [FLAG OF THE TEST RUNNER…]

  --grep=TITLE            only tests whose titles match
  --strict                a file that passes only when it is run again fails the run
  --full                  every page in every language, theme and width, *.full.test.ts, larger campaigns
  --test-concurrency=N    concurrent processes

Set GATEHOUSE_TEST_DATABASE to use your own PostgreSQL server; its role must be allowed to create databases.`

try {
  process.exitCode = await runProgram(usage, main)
} catch (error) {
  if (error instanceof NoSuchTestFile) {
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 2
  } else if (error instanceof StartupError) {
    process.stderr.write(`${error.message} ${error.remedy}\n`)
    process.exitCode = 1
  } else throw error
}

async function main(args: readonly string[]): Promise<number> {
  const { files, titles } = selectTests(globSync(tests, { cwd: root }).toSorted(), args.map(withinRoot))
  const flags = args.filter((arg) => arg.startsWith('-') && !isTitleFilter(arg))
  const unknown = flags.find((flag) => !isKnown(flag))
  if (unknown !== undefined) throw new UsageError(`Unknown option '${unknown}'.`)

  // A few files start sooner with the database that earlier runs left on the disk.
  const memory = files.length >= wholeRunFiles ? openMemoryFolder() : null
  if (memory !== null) process.env['TMPDIR'] = memory.path
  try {
    return await runOn(files, flags, titles)
  } finally {
    memory?.remove()
  }
}

async function runOn(files: readonly string[], flags: readonly string[], titles: readonly string[]): Promise<number> {
  const ownServerUrl = process.env.GATEHOUSE_TEST_DATABASE
  const server = ownServerUrl ? { url: ownServerUrl, stop: () => Promise.resolve() } : await startTestPostgres()
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-run-'))
  try {
    await ensureTemplate(server.url)
    const patterns = titles.map((title) => `--test-name-pattern=${title}`)
    const env = {
      GATEHOUSE_TEST_DATABASE: server.url,
      GATEHOUSE_TEST_RUN: folder,
      ...(files.some(startsPrograms) ? { GATEHOUSE_BUILT_PROGRAMS: await buildPrograms() } : {}),
    }
    return await runAll({ files, titles }, readFlags([...flags, ...patterns]), env)
  } finally {
    rmSync(folder, { recursive: true, force: true })
    // A server that is gone has already removed it.
    await dropDemoTemplate(server.url, folder).catch(() => undefined)
    await server.stop()
  }
}

function startsPrograms(file: string): boolean {
  return ['campaigns/', 'server/test/instance/', 'server/test/acquirers/start.'].some((place) => file.startsWith(place))
}

function isKnown(flag: string): boolean {
  const [name = ''] = flag.split('=')
  if (name === '--strict' || name === '--full' || name.startsWith('--test-')) return true
  return process.allowedNodeEnvironmentFlags.has(name)
}

/** A path may be relative to the current folder. */
function withinRoot(arg: string): string {
  return existsSync(arg) ? relative(root, resolve(arg)) : arg
}

async function runAll(
  { files, titles }: Selection,
  { strict, full, slots, others }: Flags,
  env: Readonly<Record<string, string>>,
): Promise<number> {
  // Flags for the test runner, such as a pattern for titles, do not apply to the tests that represent files.
  const batches = batchesOf(files, others.length > 0)
  const cancellation = new AbortController()
  let status = 0
  // The child processes are ended by us; this process stays to stop the database.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      status = 128 + constants.signals[signal]
      cancellation.abort()
    })
  }
  const alone = files.length === 1
  let testCount = 0
  const run = async (batch: Batch): Promise<Outcome> => {
    const testWithinMs = Math.max(...batch.files.map(timeLimitMs))
    const outcome = await runBatch(batch, {
      cwd: root,
      env: {
        ...process.env,
        ...env,
        ...(full ? { GATEHOUSE_FULL: '1' } : {}),
        ...(process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}),
      },
      flags: [`--test-timeout=${testWithinMs}`, ...others],
      withinMs: testWithinMs + beginningAndEndMs + (batch.files.length - 1) * furtherFileWithinMs,
      signal: cancellation.signal,
      isHosted: !alone && others.length === 0,
      ...(alone ? { echo: (text) => process.stdout.write(text) } : {}),
    })
    testCount += outcome.counts.tests
    if (!alone) process.stdout.write(outcome.ok ? linesOf(outcome) : `${linesOf(outcome)}${faultsOf(outcome)}`)
    return outcome
  }
  const verdict = await judgeRun(batches, { run, slots, strict: strict || alone, signal: cancellation.signal })
  if (status !== 0) return status
  if (!alone) process.stdout.write(`${verdict.lines.join('\n')}\n`)
  if (matchedNothing(titles, testCount)) {
    process.stderr.write('No test of these files has the title that --grep gives.\n')
    return 1
  }
  return verdict.ok ? 0 : 1
}

interface Flags {
  readonly strict: boolean
  readonly full: boolean
  /** The number of concurrent processes. */
  readonly slots: number
  readonly others: readonly string[]
}

function readFlags(flags: readonly string[]): Flags {
  const concurrency = flags.findLast((flag) => flag.startsWith('--test-concurrency='))
  return {
    strict: flags.includes('--strict'),
    full: flags.includes('--full'),
    // Two more than CPUs: one has the tests that wait most of the time, and the others wait for the database and for browsers.
    slots: Number(concurrency?.split('=')[1] ?? availableParallelism() + 2),
    others: flags.filter((flag) => flag !== '--strict' && flag !== '--full' && flag !== concurrency),
  }
}
