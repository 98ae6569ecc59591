/**
 * Where the time of the database goes while payments are made: by kind of session, as the system counts processor time, and by statement,
 * as `pg_stat_statements` counts the time from its beginning to its end. Also which tables were vacuumed and analysed meanwhile.
 */
import { knownStatements } from '#server/store/database/pool.ts'
import { childrenOf, commandOf, cpuSeconds, endedSecondsOf } from '../processes.ts'
import type { Scene } from '../scene.ts'

interface StatementTimes {
  readonly name: string
  readonly calls: number
  readonly rows: number
  /** From the beginning of the execution to its end, waits included. */
  readonly seconds: number
  readonly walBytes: number
}

interface TableUpkeep {
  readonly table: string
  readonly vacuums: number
  readonly analyses: number
  readonly seconds: number
}

interface DatabaseTimes {
  readonly payments: number
  /** Seconds of processor time by kind of session. */
  readonly sessions: ReadonlyMap<string, number>
  /** Empty if the server counts no statements. */
  readonly statements: readonly StatementTimes[]
  readonly upkeep: readonly TableUpkeep[]
}

/** For each payment that was made during the load. */
export async function databaseTimesDuring(scene: Scene, load: () => Promise<void>): Promise<string> {
  return textOf(await measureDuring(scene, load))
}

function textOf({ payments, sessions, statements, upkeep }: DatabaseTimes): string {
  const ms = (seconds: number): string => `${((seconds / payments) * 1000).toFixed(3)} ms`
  const kinds = [...sessions].toSorted(([, one], [, other]) => other - one).filter(([, seconds]) => seconds > 0)
  return [
    'Processor time of the database per payment',
    ...kinds.map(([kind, seconds]) => `${ms(seconds).padStart(10)}  ${kind}`),
    '',
    'Statements per payment: time with waits, calls, rows of a call, log',
    ...statements.map(
      ({ name, calls, rows, seconds, walBytes }) =>
        `${ms(seconds).padStart(10)} ${(calls / payments).toFixed(3).padStart(7)} ${(rows / calls).toFixed(1).padStart(6)} ${Math.round(walBytes / payments)} B  ${name}`,
    ),
    '',
    'Vacuum and analysis, seconds with waits in all',
    ...upkeep.map(
      ({ table, vacuums, analyses, seconds }) =>
        `${seconds.toFixed(2).padStart(7)} s  ${table}: vacuumed ${vacuums}, analysed ${analyses} times`,
    ),
  ].join('\n')
}

async function measureDuring(scene: Scene, load: () => Promise<void>): Promise<DatabaseTimes> {
  const server = scene.stage.database.pid() ?? 0
  const counts = await countsStatements(scene)
  if (counts) await scene.stage.pool.query('select pg_stat_statements_reset()')
  const upkeepBefore = await readUpkeep(scene)
  const kinds = await kindsOf(scene)
  const paymentsBefore = await countPayments(scene)
  const before = secondsOf(server)
  await load()
  for (const [pid, kind] of await kindsOf(scene)) kinds.set(pid, kind)
  const after = secondsOf(server)
  const sessions = new Map<string, number>()
  for (const [pid, seconds] of after) {
    const kind = kinds.get(pid) ?? titleOf(pid)
    sessions.set(kind, (sessions.get(kind) ?? 0) + seconds - (before.get(pid) ?? 0))
  }
  return {
    payments: (await countPayments(scene)) - paymentsBefore,
    sessions,
    statements: counts ? await readStatements(scene) : [],
    upkeep: difference(upkeepBefore, await readUpkeep(scene)),
  }
}

/** No process has this number. */
const ended = 0

/** By process; those that have ended are counted together by their parent. */
function secondsOf(server: number): ReadonlyMap<number, number> {
  return new Map([
    [ended, endedSecondsOf(server)],
    [server, cpuSeconds(server)],
    ...childrenOf(server).map((pid) => [pid, cpuSeconds(pid)] as const),
  ])
}

/** Sessions by their program; the server's own processes are named by their titles. */
async function kindsOf({ stage }: Scene): Promise<Map<number, string>> {
  const { rows } = await stage.pool.query<{ pid: number; kind: string }>(
    "select pid, 'sessions of ' || application_name as kind from pg_stat_activity where application_name <> ''",
  )
  return new Map(rows.map(({ pid, kind }) => [pid, kind]))
}

function titleOf(pid: number): string {
  if (pid === ended) return 'sessions and autovacuum workers that have ended'
  const title = commandOf(pid)
  return /^postgres: \S+: (?<kind>[a-z ]*[a-z])/.exec(title)?.groups?.['kind'] ?? 'main process'
}

async function countPayments({ stage }: Scene): Promise<number> {
  const { rows } = await stage.pool.query<{ payments: number }>('select count(*)::int as payments from payments')
  return rows[0]?.payments ?? 0
}

async function countsStatements({ stage }: Scene): Promise<boolean> {
  const { rowCount } = await stage.pool.query("select 1 from pg_extension where extname = 'pg_stat_statements'")
  return rowCount === 1
}

async function readStatements({ stage }: Scene): Promise<readonly StatementTimes[]> {
  const names = new Map(knownStatements().map(({ name, text }) => [shapeOf(text), name]))
  const { rows } = await stage.pool.query<Omit<StatementTimes, 'name'> & { text: string }>(
    `select query as text, calls::int as calls, rows::int as rows, total_exec_time / 1000 as seconds, wal_bytes::float8 as "walBytes"
     from pg_stat_statements order by total_exec_time desc limit 25`,
  )
  return rows.map(({ text, ...counts }) => ({ name: names.get(shapeOf(text)) ?? text.slice(0, 60), ...counts }))
}

/** The server shows a statement with numbers for its constants. */
const shapeOf = (text: string): string =>
  text
    .replaceAll(/'[^']*'|\$?\b\d+\b|\b(?:true|false|null)\b/g, '?')
    .replaceAll(/\? \/\*, \.\.\. \*\//g, '?')
    .replaceAll(/\?(?:, \?)+/g, '?')
    .replaceAll(/\s+/g, ' ')

async function readUpkeep({ stage }: Scene): Promise<readonly TableUpkeep[]> {
  const { rows } = await stage.pool.query<TableUpkeep>(
    `select schemaname || '.' || relname as table, autovacuum_count::int as vacuums, autoanalyze_count::int as analyses,
       (total_autovacuum_time + total_autoanalyze_time) / 1000 as seconds
     from pg_stat_user_tables`,
  )
  return rows
}

function difference(before: readonly TableUpkeep[], after: readonly TableUpkeep[]): readonly TableUpkeep[] {
  const earlier = new Map(before.map((one) => [one.table, one]))
  return after
    .map(({ table, vacuums, analyses, seconds }) => {
      const was = earlier.get(table)
      return {
        table,
        vacuums: vacuums - (was?.vacuums ?? 0),
        analyses: analyses - (was?.analyses ?? 0),
        seconds: seconds - (was?.seconds ?? 0),
      }
    })
    .filter(({ vacuums, analyses }) => vacuums + analyses > 0)
    .toSorted((one, other) => other.seconds - one.seconds)
}
