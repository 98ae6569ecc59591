/**
 * The PostgreSQL of the tests: one embedded server per machine and user, kept between runs because creating it takes a second. Its data may
 * be lost at any time; deleting its folder is always safe.
 */

import { rmSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { isAlive } from '#server/process/programs/is-alive.ts'
import { StartupError } from '#server/process/startup-error.ts'
import { type EmbeddedServer, startEmbedded } from '#server/store/database/embedded.ts'
import { openPool, type Pool } from '#server/store/database/pool.ts'

/** Databases of a test process; the name contains the process id, so that leftovers can be recognised. */
export const testDatabaseName = (count: number): string => `test_${process.pid}_${count}`

export async function startTestPostgres(): Promise<EmbeddedServer> {
  const server = await startKept(join(tmpdir(), `gatehouse-test-${userInfo().uid}`))
  const pool = openPool(server.url, { max: 1, applicationName: 'gatehouse test server' })
  await dropLeftovers(pool)
  await pool.end()
  return server
}

async function startKept(dataDir: string): Promise<EmbeddedServer> {
  try {
    return await startEmbedded({ dataDir, disposable: true })
  } catch (error) {
    // It runs without fsync, so a crash of the machine may have damaged it.
    if (!(error instanceof StartupError && error.message.includes('does not start'))) throw error
    rmSync(dataDir, { recursive: true, force: true })
    return startEmbedded({ dataDir, disposable: true })
  }
}

async function dropLeftovers(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ name: string; pid: number }>(
    `select datname as name, split_part(datname, '_', 2)::int as pid from pg_database where datname ~ '^test_\\d+_\\d+$'`,
  )
  for (const { name, pid } of rows) {
    if (!isAlive(pid)) await pool.query(`drop database if exists ${name} with (force)`)
  }
}
