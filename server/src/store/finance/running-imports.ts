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

export async function runningImports(on: Queryable): Promise<readonly RunningImport[]> {
  return (await query(on, listNames, [])).flatMap(({ name }) => {
    const [, midId = '', phase = '', rows = ''] = form.exec(name) ?? []
    return phase === 'reading' || phase === 'matching' ? [{ midId, phase, rows: Number(rows) }] : []
  })
}
