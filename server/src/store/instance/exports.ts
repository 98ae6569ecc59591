/** Running downloads: their progress, and whether they were cancelled. Each belongs to the user who started it. */
import type { JsonObject } from '../../contracts/records.ts'
import { json } from '../database/insertion.ts'
import { type Nothing, type Queryable, query, sql } from '../database/pool.ts'

type ExportState = 'ready' | 'running' | 'done' | 'cancelled' | 'failed'

export const exportKinds = ['payments', 'transactions'] as const
export type ExportKind = (typeof exportKinds)[number]

export interface ExportRow {
  readonly userId: string
  readonly id: string
  readonly kind: ExportKind
  readonly filter: JsonObject
  readonly state: ExportState
  readonly rowsTotal: bigint
  readonly rowsWritten: bigint
  readonly createdAt: Date
}

const columns = `user_id as "userId", id, kind, filter, state, rows_total as "rowsTotal", rows_written as "rowsWritten", created_at as "createdAt"`

const addExport = sql<Nothing, readonly unknown[]>(
  'export.add',
  `insert into exports (user_id, id, kind, filter, state, rows_total, created_at) values ($1, $2, $3, $4, 'ready', $5, $6)`,
)
const findExport = sql<ExportRow, readonly [string, string]>(
  'export.find',
  `select ${columns} from exports where user_id = $1 and id = $2`,
)
/** Of two simultaneous requests, one gets the row and writes the download. */
const beginExport = sql<ExportRow, readonly [string, string]>(
  'export.begin',
  `update exports set state = 'running' where user_id = $1 and id = $2 and state = 'ready' returning ${columns}`,
)
const advanceExport = sql<{ id: string }, readonly [string, string, number]>(
  'export.advance',
  `update exports set rows_written = rows_written + $3 where user_id = $1 and id = $2 and state = 'running' returning id`,
)
const endExport = sql<{ id: string }, readonly [string, string, string, Date]>(
  'export.end',
  `update exports set state = $3, ended_at = $4 where user_id = $1 and id = $2 and state in ('ready', 'running') returning id`,
)
const sweepExports = sql<Nothing, readonly [Date]>('export.sweep', 'delete from exports where created_at < $1')

export const exportStore = (on: Queryable) => ({
  add: async ({
    userId,
    id,
    kind,
    filter,
    rowsTotal,
    createdAt,
  }: Omit<ExportRow, 'state' | 'rowsWritten'>): Promise<void> => {
    await query(on, addExport, [userId, id, kind, json(filter), rowsTotal, createdAt])
  },
  find: async (userId: string, id: string): Promise<ExportRow | null> =>
    (await query(on, findExport, [userId, id]))[0] ?? null,
  begin: async (userId: string, id: string): Promise<ExportRow | null> =>
    (await query(on, beginExport, [userId, id]))[0] ?? null,
  /** False if it was cancelled meanwhile. */
  advance: async (userId: string, id: string, rows: number): Promise<boolean> =>
    (await query(on, advanceExport, [userId, id, rows])).length === 1,
  end: async (userId: string, id: string, state: 'done' | 'cancelled' | 'failed', at: Date): Promise<boolean> =>
    (await query(on, endExport, [userId, id, state, at])).length === 1,
  sweep: async (before: Date): Promise<void> => {
    await query(on, sweepExports, [before])
  },
})
