import { createHash } from 'node:crypto'
import { migrate } from '#server/store/database/migrate.ts'
import { readMigrations } from '#server/store/database/migration-files.ts'
import { openPool, type Pool, type Queryable } from '#server/store/database/pool.ts'
import { isShifted, shiftedTime } from '../../tools/testing/moments.ts'

const unusedDays = 2

/** Triggers write claims for the release before this one. Here they would hide a statement that has forgotten its claim. */
const withoutTriggers = `alter table payments disable trigger payments_claim;
  alter table payments disable trigger payments_claim_again;
  alter table transactions disable trigger transactions_claim`

/** Increased when the table that records migrations changes, because no migration creates it, or what follows the migrations. */
const recordVersion = '3'

/**
 * Returns the name of a migrated, empty database to clone. Its name is derived from the migrations, so changed migrations get a new one,
 * and checkouts with different migrations can share a server.
 */
export const ensureTemplate = (serverUrl: string): Promise<string> =>
  ensureFilled(serverUrl, isShifted ? shiftedTime : '', async () => undefined)

/** The same with initial data. `kind` distinguishes templates with different data. */
export async function ensureFilled(
  serverUrl: string,
  kind: string,
  fill: (databaseUrl: string) => Promise<void>,
): Promise<string> {
  const name = await templateName(kind)
  const pool = openPool(serverUrl, { max: 1, applicationName: 'gatehouse test template' })
  try {
    if (await isComplete(pool, name)) return name
    await withLock(pool, async (client) => {
      if (await isComplete(client, name)) return
      await dropOutdated(client)
      await make(client, serverUrl, name, fill)
    })
    return name
  } finally {
    await pool.end()
  }
}

/** A connection of its own: an idle one of the pool is closed after ten seconds, and the lock would end while the template is being filled. */
async function withLock(pool: Pool, work: (client: Queryable) => Promise<void>): Promise<void> {
  const client = await pool.connect()
  try {
    // On a busy machine another process may fill the template for longer than a statement may take.
    await client.query('set statement_timeout = 0')
    await client.query('select pg_advisory_lock(7283, 3)')
    await work(client)
  } finally {
    client.release(true)
  }
}

/** For a template that is not needed any more. */
export async function dropFilled(serverUrl: string, kind: string): Promise<void> {
  const pool = openPool(serverUrl, { max: 1, applicationName: 'gatehouse test template' })
  try {
    await dropTemplate(pool, await templateName(kind))
  } finally {
    await pool.end()
  }
}

/** The same server with another database. The address of a socket has no host, which the URL class does not accept. */
export function urlOfDatabase(serverUrl: string, name: string): string {
  return serverUrl.replace(/\/[^/?]*(\?|$)/, `/${name}$1`)
}

async function templateName(kind: string): Promise<string> {
  const checksums = (await readMigrations()).map(({ checksum }) => checksum)
  return `template_${createHash('sha256').update(checksums.join()).update(recordVersion).update(kind).digest('hex').slice(0, 16)}`
}

async function isComplete(pool: Queryable, name: string): Promise<boolean> {
  const { rows } = await pool.query('select from pg_database where datname = $1 and datistemplate', [name])
  return rows.length === 1
}

/** Marked as a template only when complete; an incomplete one from a killed run is created again. */
async function make(
  pool: Queryable,
  serverUrl: string,
  name: string,
  fill: (databaseUrl: string) => Promise<void>,
): Promise<void> {
  await pool.query(`drop database if exists ${name} with (force)`)
  await pool.query(`create database ${name}`)
  const url = urlOfDatabase(serverUrl, name)
  const template = openPool(url, { max: 1, applicationName: 'gatehouse test template' })
  try {
    if (isShifted) await template.query(shiftedTime)
    await migrate(template)
    await template.query(withoutTriggers)
  } finally {
    await template.end()
  }
  await fill(url)
  await pool.query(`do $$ begin execute format('comment on database ${name} is %L', now()); end $$`)
  // A clone fails while a client is connected to the template.
  await pool.query(`alter database ${name} with is_template true allow_connections false`)
}

async function dropOutdated(pool: Queryable): Promise<void> {
  const { rows } = await pool.query<{ name: string }>(
    `select datname as name from pg_database
     where datname ~ '^template_[0-9a-f]{16}$' and datistemplate
       and shobj_description(oid, 'pg_database')::timestamptz < now() - make_interval(days => $1)`,
    [unusedDays],
  )
  for (const { name } of rows) await dropTemplate(pool, name)
}

async function dropTemplate(pool: Queryable, name: string): Promise<void> {
  if (!(await isComplete(pool, name))) return
  await pool.query(`alter database ${name} with is_template false`)
  await pool.query(`drop database ${name} with (force)`)
}
