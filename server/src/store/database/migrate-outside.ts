/**
 * Migrations that build or drop indexes while payments go on.
 *
 * `create index concurrently` lets writes pass, and for that it needs to run outside a transaction. A file with the line
 * `-- outside a transaction` is therefore applied statement by statement, and what fails in the middle is applied again from the start:
 * every statement of such a file must be one that can be repeated (`if not exists`, `if exists`). Of an index whose building was
 * broken off PostgreSQL leaves an invalid one behind, which is dropped here before it is built anew.
 */
import type { PoolClient } from './pool.ts'

/** Time-outs are the session's here, and are what they were before in the end. */
export async function applyOutside(client: PoolClient, text: string, lockTimeoutSeconds: number): Promise<void> {
  const { rows } = await client.query<{ usual: string }>(`select current_setting('statement_timeout') as usual`)
  await client.query('set statement_timeout = 0')
  try {
    for (const statement of statementsIn(text)) await applyStatement(client, statement, lockTimeoutSeconds)
  } finally {
    await client.query(`set statement_timeout = '${rows[0]?.usual ?? 0}'; reset lock_timeout`).catch(() => undefined)
  }
}

/** Without functions, whose bodies have semicolons of their own: those belong into a migration inside a transaction. */
function statementsIn(text: string): readonly string[] {
  const withoutComments = text.replaceAll(/--.*$/gm, '')
  return withoutComments
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')
}

const buildsIndex = /^create (?:unique )?index concurrently (?:if not exists )?(\w+)/i

async function applyStatement(client: PoolClient, statement: string, lockTimeoutSeconds: number): Promise<void> {
  const index = buildsIndex.exec(statement)?.[1]
  // What runs concurrently waits without anybody waiting behind it; of anything else every payment would queue behind the wait.
  await client.query(`set lock_timeout = '${/\bconcurrently\b/i.test(statement) ? 0 : lockTimeoutSeconds}s'`)
  if (index !== undefined) {
    const state = await stateOfIndex(client, index)
    if (state === 'valid') return
    if (state === 'invalid') await client.query(`drop index concurrently ${index}`)
  }
  await client.query(statement)
}

async function stateOfIndex(client: PoolClient, name: string): Promise<'valid' | 'invalid' | 'missing'> {
  const { rows } = await client.query<{ valid: boolean }>(
    `select indisvalid as valid from pg_index
     where indexrelid = (select oid from pg_class where relname = $1 and relnamespace = current_schema()::regnamespace)`,
    [name],
  )
  const [found] = rows
  if (!found) return 'missing'
  return found.valid ? 'valid' : 'invalid'
}
