/** Finds and runs pgbench, which is a part of PostgreSQL and written in C: it takes less of the machine than a driver in Node would. */
import { spawn } from 'node:child_process'
import { accessSync, constants, globSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { UsageError } from '../../tools/command-line.ts'
import { endedSecondsOf } from '../processes.ts'
import type { Driven } from './driven.ts'
import type { PgbenchScript } from './pgbench-script.ts'
import { sessionSettings } from './session-settings.ts'

/** Null if there is none. `wish` is the path that the command line names. */
export function findPgbench(wish: string | undefined): string | null {
  if (wish !== undefined) {
    if (!isProgram(wish)) throw new UsageError(`--pgbench: ${wish} is not a program.`)
    return wish
  }
  return places().find(isProgram) ?? null
}

/** Debian's own program on the path is a script that chooses among these versions, so they come first. */
const places = (): readonly string[] => [
  ...globSync('/usr/lib/postgresql/*/bin/pgbench').toSorted((a, b) => versionIn(b) - versionIn(a)),
  ...(process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'pgbench')),
]

const versionIn = (path: string): number => Number(/\/(\d+)\/bin\//.exec(path)?.[1] ?? 0)

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

interface RunOptions {
  readonly program: string
  readonly url: string
  readonly connections: number
  readonly seconds: number
}

/** The first second is left out: in it each connection prepares its statements. */
const warmUpSeconds = 1

export async function runPgbench(script: PgbenchScript, options: RunOptions): Promise<Driven> {
  const { program, url, connections, seconds } = options
  const before = endedSecondsOf(process.pid)
  const child = spawn(
    program,
    [
      '--no-vacuum',
      '--protocol=prepared',
      '--progress=1',
      `--client=${connections}`,
      `--time=${seconds + warmUpSeconds}`,
      ...Object.entries(script.variables).map(([name, value]) => `--define=${name}=${value}`),
      '--file=-',
    ],
    { env: { ...process.env, ...connectionVariables(url) }, stdio: ['pipe', 'pipe', 'pipe'] },
  )
  const ended = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve))
  child.stdin.on('error', () => undefined)
  child.stdin.end(script.text)
  const [report, progress, status] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  if (status !== 0) throw new Error(`pgbench failed: ${errorIn(progress)}`)
  return drivenBy(report, progress, endedSecondsOf(process.pid) - before)
}

const errorIn = (said: string): string => said.split('\n').find((line) => /error/i.test(line)) ?? said.slice(-500)

/** Its connection parameters are in the environment, because others on the machine can read a command line. */
export function connectionVariables(url: string): Readonly<Record<string, string>> {
  const { user, password, host, port, database, socket } =
    /^postgres(?:ql)?:\/\/(?<user>[^:@/]*)(?::(?<password>[^@/]*))?@(?<host>[^:/]*)(?::(?<port>\d+))?\/(?<database>[^?]*)(?:\?host=(?<socket>.*))?$/.exec(
      url,
    )?.groups ?? {}
  const known = { PGUSER: user, PGPASSWORD: password, PGHOST: socket ?? host, PGPORT: port, PGDATABASE: database }
  return {
    PGAPPNAME: 'floor',
    PGOPTIONS: sessionSettings,
    ...Object.fromEntries(
      Object.entries(known).flatMap(([name, value]) => (value ? [[name, decodeURIComponent(value)]] : [])),
    ),
  }
}

/**
 * From the lines of progress after the first, which covers the warm-up. On a busy machine a line may come late and cover several seconds; if
 * there is no second one, the whole run counts.
 */
export function drivenBy(report: string, progress: string, cpuSeconds: number): Driven {
  const all = numberIn(report, /transactions actually processed: (\d+)/)
  const lines = [...progress.matchAll(/^progress: ([\d.]+) s, ([\d.]+) tps/gm)].map(([, at, speed]) => ({
    at: Number(at),
    speed: Number(speed),
  }))
  const later = lines.slice(1).map(({ at, speed }, index) => ({ seconds: at - (lines[index]?.at ?? at), speed }))
  const seconds = later.reduce((sum, line) => sum + line.seconds, 0)
  if (seconds === 0)
    return { payments: all, warmUp: 0, seconds: all / numberIn(report, /^tps = ([\d.]+)/m), cpuSeconds }
  const payments = Math.round(later.reduce((sum, line) => sum + line.seconds * line.speed, 0))
  return { payments, warmUp: Math.max(0, all - payments), seconds, cpuSeconds: (cpuSeconds * payments) / all }
}

function numberIn(report: string, pattern: RegExp): number {
  const [, found] = pattern.exec(report) ?? []
  if (found === undefined) throw new Error(`pgbench reported no figures: ${report.slice(-500)}`)
  return Number(found)
}
