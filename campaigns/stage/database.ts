/** The PostgreSQL of a campaign: one of its own that can be killed, or a clone on the server that the tests share. */
import { join } from 'node:path'
import { type Embedded, startEmbedded } from '#server/store/embedded.ts'
import { migrate } from '#server/store/migrate.ts'
import { openPool } from '#server/store/pool.ts'
import { testDatabase } from '../../server/test/database.ts'

export interface StageDatabase {
  readonly url: string
  /** The server's first process; null when the server is not the campaign's to kill. */
  pid(): number | null
  close(): Promise<void>
}

/** `own` writes through to the disk like a production one; `shared` is made in milliseconds and lost with the machine. */
export type DatabaseKind = 'own' | 'shared'

export async function openDatabase(kind: DatabaseKind, folder: string): Promise<StageDatabase> {
  if (kind === 'shared') {
    const clone = await testDatabase()
    return { url: clone.url, pid: () => null, close: () => clone.drop() }
  }
  const embedded = await startEmbedded({ dataDir: join(folder, 'postgres') })
  await migrated(embedded)
  return { url: embedded.url, pid: () => embedded.pid, close: () => embedded.stop() }
}

async function migrated({ url }: Embedded): Promise<void> {
  const pool = openPool(url, { max: 1, applicationName: 'gatehouse campaign' })
  try {
    await migrate(pool)
  } finally {
    await pool.end()
  }
}
