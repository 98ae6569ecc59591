/**
 * Migrations that build or drop indexes while payments continue.
 *
 * `create index concurrently` lets writes pass, but cannot run inside a transaction. A file with the line `-- outside a transaction` is
 * therefore applied statement by statement, and after a failure again from the start, so each of its statements must be repeatable (`if not
 * exists`, `if exists`). An interrupted build leaves an invalid index, which is dropped here before it is built again. Indexes of tables in
 * parts by month: `months/migrate-parts.ts`.
 */
import { applyInParts } from '../months/migrate-parts.ts'
import type { PoolClient } from './pool.ts'

/** The timeouts are set for the session and restored at the end. */
export async function applyOutside(client: PoolClient, text: string, lockTimeoutSeconds: number): Promise<void> {
  const { rows } = await client.query<{ usual: string }>(`select current_setting('statement_timeout') as usual`)
  await client.query('set statement_timeout = 0')
  try {
    for (const statement of statementsIn(text)) await applyStatement(client, statement, lockTimeoutSeconds)
  } finally {
    await client.query(`set statement_timeout = '${rows[0]?.usual ?? 0}'; reset lock_timeout`).catch(() => undefined)
  }
}

/** Functions are not supported, because their bodies contain semicolons; they belong in a migration inside a transaction. */
function statementsIn(text: string): readonly string[] {
  const withoutComments = text.replaceAll(/--.*$/gm, '')
  return withoutComments
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')
}

const buildsIndex = /^create (?:unique )?index concurrently (?:if not exists )?(\w+)/i

async function applyStatement(client: PoolClient, statement: string, lockTimeoutSeconds: number): Promise<void> {
  if (await applyInParts(client, statement, lockTimeoutSeconds)) return
  const index = buildsIndex.exec(statement)?.[1]
  // A concurrent statement blocks no other while it waits for its lock. Behind any other waiting statement every payment would queue.
  await client.query(`set lock_timeout = '${/\bconcurrently\b/i.test(statement) ? 0 : lockTimeoutSeconds}s'`)
  if (index !== undefined) {
    const state = await readStateOfIndex(client, index)
    if (state === 'valid') return
    if (state === 'invalid') await client.query(`drop index concurrently ${index}`)
  }
  await client.query(statement)
}

async function readStateOfIndex(client: PoolClient, name: string): Promise<'valid' | 'invalid' | 'missing'> {
  const { rows } = await client.query<{ valid: boolean }>(
    `select indisvalid as valid from pg_index
     where indexrelid = (select oid from pg_class where relname = $1 and relnamespace = current_schema()::regnamespace)`,
    [name],
  )
  const [found] = rows
  if (!found) return 'missing'
  return found.valid ? 'valid' : 'invalid'
}
