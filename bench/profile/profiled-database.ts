/** A server like that of any stage which also counts its statements. The library costs each statement some microseconds, so it is loaded for a profile only. */
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { openCluster, superuser } from '#server/store/database/embedded/cluster.ts'
import { passwordOf } from '#server/store/database/embedded/password.ts'
import { openDatabase, type StageDatabase } from '../../campaigns/stage/database.ts'

export async function openProfiledDatabase(folder: string): Promise<StageDatabase> {
  const cluster = await openCluster(join(folder, 'postgres'), () => undefined)
  appendFileSync(join(cluster.dataDir, 'postgresql.auto.conf'), settings)
  const database = await openDatabase('own', folder)
  const client = new Client({
    // The driver prefers the account in the address to one beside it.
    connectionString: database.url.replace(/(?<=\/\/)[^@]+/, `${superuser}:${passwordOf(cluster, superuser)}`),
  })
  await client.connect()
  await client.query('create extension pg_stat_statements')
  await client.query('grant execute on function pg_stat_statements_reset to public')
  await client.end()
  return database
}

const settings = `shared_preload_libraries = 'pg_stat_statements'\n`
