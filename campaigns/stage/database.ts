/** The PostgreSQL of a campaign: its own server that can be killed, or a clone on the server that the tests share. */
import { join } from 'node:path'
import { type EmbeddedServer, startEmbedded } from '#server/store/database/embedded.ts'
import { migrate } from '#server/store/database/migrate.ts'
import { openPool } from '#server/store/database/pool.ts'
import { testDatabase } from '../../server/test/database.ts'
import { mountSmallDisk } from './small-disk.ts'

export interface StageDatabase {
  readonly url: string
  /** The server's main process; null if the campaign may not kill the server. */
  pid(): number | null
  /** The folder of the server's files; null if the server is shared. */
  readonly folder: string | null
  close(): Promise<void>
}

/** `own` runs with fsync like a production server; `shared` is created in milliseconds and not durable. */
export type DatabaseKind = 'own' | 'shared'

/** `diskMegabytes` puts the server's files on a small disk, which a campaign can fill; this needs root. */
export async function openDatabase(kind: DatabaseKind, folder: string, diskMegabytes?: number): Promise<StageDatabase> {
  if (kind === 'shared') {
    const clone = await testDatabase()
    return { url: clone.url, pid: () => null, folder: null, close: () => clone.drop() }
  }
  const dataDir = join(folder, 'postgres')
  const disk = diskMegabytes === undefined ? null : mountSmallDisk(dataDir, diskMegabytes)
  try {
    const embedded = await startEmbedded({ dataDir })
    await migrateDatabase(embedded)
    const close = async (): Promise<void> => {
      await embedded.stop()
      disk?.unmount()
    }
    return { url: embedded.url, pid: () => embedded.pid, folder: dataDir, close }
  } catch (error) {
    disk?.unmount()
    throw error
  }
}

async function migrateDatabase({ url }: EmbeddedServer): Promise<void> {
  const pool = openPool(url, { max: 1, applicationName: 'gatehouse campaign' })
  try {
    await migrate(pool)
  } finally {
    await pool.end()
  }
}
