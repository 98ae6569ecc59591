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

/** Ends the connections of the imports, whose transactions are rolled back. */
const endConnections = sql<{ ended: boolean }, readonly [string]>(
  'running-import.end',
  `select pg_terminate_backend(pid) as ended from pg_stat_activity
   where datname = current_database() and usename = current_user and application_name like 'settling ' || $1 || ' %'`,
)

interface RunningImport {
  readonly midId: string
  /** Rows are read and stored, then matched and booked. */
  readonly phase: 'reading' | 'matching'
  readonly rows: number
}

const form = /^settling ([0-9a-f-]{36}) (reading|matching) (\d+)$/

/** Only inside the transaction of the import. */
export async function noteProgress(client: PoolClient, { midId, phase, rows }: RunningImport): Promise<void> {
  await query(client, noteName, [`settling ${midId} ${phase} ${rows}`])
}

/** How many imports of the MID were ended. */
export const endImports = async (on: Queryable, midId: string): Promise<number> =>
  (await query(on, endConnections, [midId])).filter(({ ended }) => ended).length

/** Whether the connection of an import was ended, in a statement or between two. */
export const isEndedConnection = (error: unknown): boolean =>
  error instanceof Error &&
  (('code' in error && error.code === '57P01') || /Connection terminated|not queryable/.test(error.message))

export async function runningImports(on: Queryable): Promise<readonly RunningImport[]> {
  return (await query(on, listNames, [])).flatMap(({ name }) => {
    const [, midId = '', phase = '', rows = ''] = form.exec(name) ?? []
    return phase === 'reading' || phase === 'matching' ? [{ midId, phase, rows: Number(rows) }] : []
  })
}
