/**
 * How far imports of settlement files have come, for everybody who looks at the database meanwhile. The rows of an import are seen only when it
 * has ended; the name of its connection is seen at once, and ends with its transaction however that ends.
 */
import { type PoolClient, type Queryable, query, sql } from '../database/pool.ts'

const noteName = sql<Record<never, never>, readonly [string]>(
  'running-import.note',
  `select set_config('application_name', $1, true)`,
)
const listNames = sql<{ name: string }, readonly []>(
  'running-import.list',
  `select application_name as name from pg_stat_activity where datname = current_database() and application_name like 'settling %'
   order by xact_start`,
)

/** Ends the connection of the import, whose transaction is rolled back. */
const endConnection = sql<{ ended: boolean }, readonly [string]>(
  'running-import.end',
  `select pg_terminate_backend(pid) as ended from pg_stat_activity
   where datname = current_database() and usename = current_user and starts_with(application_name, 'settling ' || $1)`,
)

interface RunningImport {
  readonly importId: string
  readonly midId: string
  /** It waits for another import of its MID; its rows are read and stored, then matched and booked. */
  readonly phase: 'waiting' | 'reading' | 'matching'
  readonly rows: number
}

const phases = ['waiting', 'reading', 'matching'] as const
const form = /^settling ([\w-]{22})([\w-]{22})([wrm])(\d+)$/

/** A name has 63 characters at most, so that identifiers are written in base64. */
const shorten = (id: string): string => Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url')

const lengthen = (short: string): string =>
  Buffer.from(short, 'base64url')
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')

/** Only inside the transaction of the import. */
export async function noteProgress(client: PoolClient, { importId, midId, phase, rows }: RunningImport): Promise<void> {
  await query(client, noteName, [`settling ${shorten(importId)}${shorten(midId)}${phase.charAt(0)}${rows}`])
}

/** True if it was running. */
export const endImport = async (on: Queryable, importId: string): Promise<boolean> =>
  (await query(on, endConnection, [shorten(importId)])).some(({ ended }) => ended)

const endedCodes = new Set(['57P01', 'EPIPE', 'ECONNRESET'])

/** True if the connection of an import was ended: in a statement, between two, or while one was sent. */
export const isEndedConnection = (error: unknown): boolean =>
  error instanceof Error &&
  (('code' in error && endedCodes.has(String(error.code))) || /Connection terminated|not queryable/.test(error.message))

export async function readRunningImports(on: Queryable): Promise<readonly RunningImport[]> {
  return (await query(on, listNames, [])).flatMap(({ name }) => {
    const [, importId = '', midId = '', letter = '', rows = ''] = form.exec(name) ?? []
    const phase = phases.find((one) => one.startsWith(letter))
    if (letter === '' || phase === undefined) return []
    return { importId: lengthen(importId), midId: lengthen(midId), phase, rows: Number(rows) }
  })
}
