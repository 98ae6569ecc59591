/**
 * Files of scheduled exports, in parts. A file gets its own id while it is written and is given to its run at the end: a second worker that
 * writes the same file at the same time, because the first looked dead, writes another one, and the first that ends counts.
 */
import { type Nothing, type Queryable, query, sql } from '../database/pool.ts'

const addPart = sql<Nothing, readonly [string, number, Buffer, Date]>(
  'export-file.add-part',
  'insert into export_file_parts (file_id, part, content, written_at) values ($1, $2, $3, $4)',
)
const readPart = sql<{ content: Buffer }, readonly [string, number]>(
  'export-file.read-part',
  'select content from export_file_parts where file_id = $1 and part = $2',
)
const removeParts = sql<Nothing, readonly [string]>(
  'export-file.remove',
  'delete from export_file_parts where file_id = $1',
)
const giveFile = sql<{ id: string }, readonly unknown[]>(
  'export-run.give-file',
  `update export_runs set file_id = $2, row_count = $3, byte_count = $4, merchants = $5
   where id = $1 and file_id is null and state = 'waiting' returning id`,
)

interface FinishedFile {
  readonly id: string
  readonly rowCount: bigint
  readonly byteCount: bigint
  /** Null for all. */
  readonly merchants: readonly string[] | null
}

export const exportFileStore = (on: Queryable) => ({
  addPart: async (id: string, part: number, content: Buffer, at: Date): Promise<void> => {
    await query(on, addPart, [id, part, content, at])
  },
  remove: async (id: string): Promise<void> => {
    await query(on, removeParts, [id])
  },
  /** False if the run has a file already, or has ended. */
  give: async (runId: string, { id, rowCount, byteCount, merchants }: FinishedFile): Promise<boolean> =>
    (await query(on, giveFile, [runId, id, rowCount, byteCount, merchants])).length === 1,
  parts: (id: string): AsyncIterable<Buffer> => readParts(on, id),
})

async function* readParts(on: Queryable, id: string): AsyncIterable<Buffer> {
  for (let part = 0; ; part += 1) {
    const [row] = await query(on, readPart, [id, part])
    if (row === undefined) return
    yield row.content
  }
}
