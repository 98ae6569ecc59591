/**
 * `npm test`: runs the tests on one PostgreSQL, whose migrated template each of them clones.
 *
 * A file that failed among the others is run again alone, because the machine may have been too busy; if it passes then it is called
 * unsteady, and up to three unsteady files do not fail the run.
 */
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, constants, tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { machineMs } from '#server/process/clock.ts'
import { StartupError } from '#server/process/startup-error.ts'
import { dropDemoTemplate } from '../server/test/shop-environment.ts'
import { ensureTemplate } from '../server/test/template.ts'
import { startTestPostgres } from '../server/test/test-postgres.ts'
import { runProgram, UsageError } from './command-line.ts'
import { buildPrograms } from './programs/build-programs.ts'
import { openMemoryFolder } from './testing/memory-folder.ts'
import { environmentAt, type Moment, moments, readsClock } from './testing/moments.ts'
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
const momentFlag = '--moment='

const usage = `Usage: npm test -- [WORD OF A PATH…] [--grep=TITLE] [--strict] [--full] [FLAG OF THE TEST RUNNER…]

  --grep=TITLE            only tests whose titles match
  --strict                a file that passes only when it is run again fails the run
  --full                  every page in every language, theme and width, *.full.test.ts, larger campaigns; then, once more at
                          each moment, the files that read a clock
  --moment=NAME           only at this moment: ${moments.map(({ name }) => name).join(', ')}
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
  const name = momentIn(flags)
  if (name !== undefined && !moments.some((moment) => moment.name === name))
    throw new UsageError(`There is no moment '${name}'.`)

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
  try {
    await ensureTemplate(server.url)
    const programs = files.some(startsPrograms) ? { GATEHOUSE_BUILT_PROGRAMS: await buildPrograms() } : {}
    let status = 0
    for (const moment of momentsOf(flags)) {
      const some = moment === null ? files : files.filter(isTimely)
      if (some.length === 0) continue
      if (moment !== null) process.stdout.write(`\nℹ at the moment ${moment.name}, ${moment.at} (${moment.zone})\n`)
      const ended = await runAt(moment, { files: some, titles }, { flags, serverUrl: server.url, programs })
      if (ended !== 0 && moment !== null) process.stdout.write(`✖ These tests fail at the moment ${moment.name}.\n`)
      status ||= ended
      if (ended > 128) break
    }
    return status
  } finally {
    await server.stop()
  }
}

interface Surroundings {
  readonly flags: readonly string[]
  readonly serverUrl: string
  readonly programs: Readonly<Record<string, string>>
}

/** Null is the machine's own time. The demo data of each moment has that of its own, so it has a template and a folder of its own. */
async function runAt(
  moment: Moment | null,
  { files, titles }: Selection,
  { flags, serverUrl, programs }: Surroundings,
) {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-run-'))
  try {
    const patterns = titles.map((title) => `--test-name-pattern=${title}`)
    const env = { GATEHOUSE_TEST_DATABASE: serverUrl, GATEHOUSE_TEST_RUN: folder, ...programs }
    return await runAll({ files, titles }, readFlags([...flags, ...patterns]), () => ({
      ...env,
      ...(moment ? environmentAt(moment, machineMs()) : {}),
    }))
  } finally {
    rmSync(folder, { recursive: true, force: true })
    // A server that is gone has already removed it.
    await dropDemoTemplate(serverUrl, folder).catch(() => undefined)
  }
}

function momentIn(flags: readonly string[]): string | undefined {
  return flags.findLast((flag) => flag.startsWith(momentFlag))?.slice(momentFlag.length)
}

/** A full run is one at the machine's time, then one at each moment. */
function momentsOf(flags: readonly string[]): readonly (Moment | null)[] {
  const name = momentIn(flags)
  if (name !== undefined) return moments.filter((moment) => moment.name === name)
  return [null, ...(flags.includes('--full') ? moments : [])]
}

/** Programs have a database server of their own, whose time cannot be shifted. */
function isTimely(file: string): boolean {
  return !startsPrograms(file) && readsClock(readFileSync(join(root, file), 'utf8'))
}

function startsPrograms(file: string): boolean {
  return ['campaigns/', 'server/test/instance/', 'server/test/acquirers/start.'].some((place) => file.startsWith(place))
}

function isKnown(flag: string): boolean {
  const [name = ''] = flag.split('=')
  if (name === '--strict' || name === '--full' || name === '--moment' || name.startsWith('--test-')) return true
  return process.allowedNodeEnvironmentFlags.has(name)
}

/** A path may be relative to the current folder. */
function withinRoot(arg: string): string {
  return existsSync(arg) ? relative(root, resolve(arg)) : arg
}

async function runAll(
  { files, titles }: Selection,
  { strict, full, slots, others }: Flags,
  environment: () => Readonly<Record<string, string>>,
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
        ...environment(),
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
    others: flags.filter(
      (flag) => flag !== '--strict' && flag !== '--full' && flag !== concurrency && !flag.startsWith(momentFlag),
    ),
  }
}
