/**
 * Which servers of a distributed database do not answer its coordinator. Payments of their merchants cannot be written, while everything on the
 * coordinator can, such as the heartbeats by which health knows that writes succeed.
 */
import { errorCode } from '#domain/error-code.ts'
import { isDistributed } from '../database/buckets.ts'
import type { Pool } from '../database/pool.ts'
import { inTransaction } from '../database/transaction.ts'

interface DatabaseNode {
  readonly name: string
  readonly port: number
}

/** Shorter than the deadline of a health check, so that the check still names the server. */
const answerMs = 1000

/** The coordinator is group 0. */
const nodesText = `select nodename as name, nodeport as port from pg_dist_node
  where isactive and noderole = 'primary' and groupid <> 0 order by nodename, nodeport`

/** As `name:port`; empty on one server. */
export async function findSilentNodes(pool: Pool): Promise<readonly string[]> {
  if (!(await isDistributed(pool))) return []
  const { rows } = await pool.query<DatabaseNode>(nodesText)
  const silent: string[] = []
  for (const node of rows) {
    const answer = await ask(pool, node)
    if (answer !== 'answers') silent.push(`${node.name}:${node.port}`)
    // Another one would take as long, and the caller waits.
    if (answer === 'late') break
  }
  return silent
}

async function ask(pool: Pool, { name, port }: DatabaseNode): Promise<'answers' | 'refuses' | 'late'> {
  try {
    return await inTransaction(pool, async (client) => {
      await client.query(`set local statement_timeout = ${answerMs}`)
      const { rows } = await client.query<{ answers: boolean }>(
        'select citus_check_connection_to_node($1, $2) as answers',
        [name, port],
      )
      return rows[0]?.answers === true ? 'answers' : 'refuses'
    })
  } catch (error) {
    if (errorCode(error) === queryCanceled) return 'late'
    throw error
  }
}

const queryCanceled = '57014'
