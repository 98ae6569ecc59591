/** A database beside the gateway's, on the same server. The gateway's role may create none, so the superuser of the server does. */
import { Client } from 'pg'
import { gatewayRole, openCluster, superuser } from '#server/store/database/embedded/cluster.ts'
import { passwordOf } from '#server/store/database/embedded/password.ts'
import type { Stage } from '../../campaigns/stage/stage.ts'

/** Returns its address. */
export async function createOwnDatabase({ database }: Stage, name: string): Promise<string> {
  if (database.folder === null) throw new Error('The server of this stage is shared.')
  const cluster = await openCluster(database.folder, () => undefined)
  // By text: the address of a socket has an empty host, which the URL class does not accept.
  const client = new Client({
    connectionString: database.url
      .replace(/\/\/[^@]*@/, `//${superuser}:${passwordOf(cluster, superuser)}@`)
      .replace(databaseName, '/postgres'),
  })
  await client.connect()
  try {
    await client.query(`create database ${name} owner ${gatewayRole}`)
  } finally {
    await client.end()
  }
  return database.url.replace(databaseName, `/${name}`)
}

const databaseName = /\/\w+(?=\?|$)/
