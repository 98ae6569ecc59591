/** Runs commands in this process on a database of the test's own, and collects everything they print. */
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { instanceStore } from '#server/store/instance/instance.ts'
import { emptyTestDatabase, type TestDatabase, testDatabase } from '../../server/test/database.ts'
import { run } from '../dispatch.ts'

export interface CommandRun {
  readonly code: number
  readonly out: string
  readonly err: string
  // biome-ignore lint/suspicious/noExplicitAny: decisions/tests#untyped-answers.
  readonly json: any
}

export interface RunOptions {
  readonly environment?: NodeJS.ProcessEnv
  readonly input?: string | Buffer
  readonly signal?: AbortSignal
  /** Called with every line while the command runs. */
  readonly onLine?: (line: string) => void
}

export async function runGatehouse(argv: readonly string[], options: RunOptions = {}): Promise<CommandRun> {
  const out: string[] = []
  const err: string[] = []
  const collect = (lines: string[]) => (line: string) => {
    lines.push(line)
    options.onLine?.(line)
  }
  const code = await run(argv, {
    output: { out: collect(out), err: collect(err) },
    environment: options.environment ?? {},
    readInput: async () => Buffer.from(options.input ?? ''),
    signal: options.signal ?? new AbortController().signal,
    operator: 'anna@desk',
    guarded: true,
  })
  const text = out.join('\n')
  return { code, out: text, err: err.join('\n'), json: jsonIn(text) }
}

/** Null if the text is not a single JSON value, such as one object per line. */
function jsonIn(text: string): unknown {
  try {
    return /^[[{]/.test(text) ? JSON.parse(text) : null
  } catch {
    return null
  }
}

export interface TestInstance extends AsyncDisposable {
  readonly database: TestDatabase
  readonly folder: string
  readonly environment: NodeJS.ProcessEnv
  /** Runs a command that must succeed. */
  do(...argv: readonly string[]): Promise<CommandRun>
  run(argv: readonly string[], options?: RunOptions): Promise<CommandRun>
}

interface TestInstanceOptions {
  /** Without tables. */
  readonly empty?: boolean
  /** The mode of the first start; null is a database that was never started. */
  readonly instanceMode?: 'sandbox' | 'live' | null
}

/** By default a sandbox instance without demo data. */
export async function openTestInstance(options: TestInstanceOptions = {}): Promise<TestInstance> {
  const { empty = false, instanceMode = 'sandbox' } = options
  const database = await (empty ? emptyTestDatabase() : testDatabase())
  if (!empty && instanceMode !== null) await instanceStore(database.pool).claimMode(instanceMode)
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-cli-'))
  const environment = { DATABASE_URL: database.url, DATA_DIR: folder, PORT: '0' }
  const runHere = (argv: readonly string[], options: RunOptions = {}) =>
    runGatehouse(argv, { ...options, environment: { ...environment, ...options.environment } })
  return {
    database,
    folder,
    environment,
    run: runHere,
    do: async (...argv) => {
      const ran = await runHere(argv)
      if (ran.code !== 0) throw new Error(`gatehouse ${argv.join(' ')} ended with ${ran.code}: ${ran.err}`)
      return ran
    },
    [Symbol.asyncDispose]: async () => {
      await database.drop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** An address at which no program listens. */
export async function findUnusedUrl(): Promise<string> {
  const server = createServer()
  const { promise, resolve } = Promise.withResolvers<number>()
  server.listen(0, '127.0.0.1', () => {
    const address = server.address()
    server.close(() => resolve(typeof address === 'object' ? (address?.port ?? 0) : 0))
  })
  return `http://127.0.0.1:${await promise}`
}
