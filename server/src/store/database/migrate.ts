/**
 * Brings the database to this release's schema: numbered SQL files, applied once and in order.
 *
 * A migration runs in a transaction together with the row that records it, so it has either happened or left no trace. A migration that
 * builds indexes while payments continue cannot do that; see `migrate-outside.ts`. Processes that start together take turns by an advisory
 * lock and check again what has been applied; no lock outlives a process that dies.
 *
 * Each migration records the oldest program that can serve the schema after it. A release that finds a newer schema reads there whether it
 * may serve it. This lets processes of the previous release continue, and a release be rolled back without touching the schema.
 *
 * Deliberately absent: down migrations. A release is undone by a backup or a new migration, because a way back is never tested.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseError } from 'pg'
import { commandName } from '../../process/command-name.ts'
import { StartupError } from '../../process/startup-error.ts'
import { readGrants, restoreGrants } from '../months/migrate-grants.ts'
import { connectionFault } from './connection/connection-fault.ts'
import { applyOutside } from './migrate-outside.ts'
import { fourDigits, type Migration, readMigrations } from './migration-files.ts'
import type { Pool, PoolClient } from './pool.ts'

interface MigrateOptions {
  /** `refuse` leaves the schema alone and throws if it is not current. */
  readonly migrate?: 'apply' | 'refuse'
  readonly directory?: URL
  /** Read by the migration that gives limits their currency. */
  readonly limitsCurrency?: string | null
  readonly log?: (line: string) => void
}

export interface SchemaState {
  /** The highest applied migration; 0 for an empty database. */
  readonly applied: number
  /** The highest migration of this release. */
  readonly known: number
  /** The lowest migration that a program must know to serve the schema. */
  readonly needed: number
  readonly pending: readonly Migration[]
  /** Applied migrations whose text differs in this release. */
  readonly changed: readonly Migration[]
}

const lockKey = 'gatehouse.migrate'
const lockTimeoutSeconds = 10
/**
 * Payments queue behind a migration that waits for a lock, and one that holds locks meanwhile may be waited for in turn. It gives up before the
 * server looks for deadlocks, which takes a second and may end the payment instead; then it tries again.
 */
const shortLockTimeoutMs = 400
const triesInside = 20
const betweenTriesMs = 500
const betweenAsksMs = 50
const oldestServer = { number: 150_000, name: 'PostgreSQL 15' }

/** Returns the migrations that it applied. */
export async function migrate(pool: Pool, options: MigrateOptions = {}): Promise<readonly Migration[]> {
  const known = await readMigrations(options.directory)
  const client = await connect(pool)
  try {
    await requireSuitableServer(client)
    const before = await readState(client, known)
    requireCompatible(before)
    if (before.pending.length === 0) return []
    if (options.migrate === 'refuse') throw schemaTooOld(before)

    const applied: Migration[] = []
    for (;;) {
      const migration = await applyNext(client, known, options.limitsCurrency ?? '')
      if (!migration) return applied
      options.log?.(`Applied migration ${migration.file}.`)
      applied.push(migration)
    }
  } finally {
    client.release()
  }
}

export async function readSchemaState(pool: Pool, directory?: URL): Promise<SchemaState> {
  const known = await readMigrations(directory)
  const client = await pool.connect()
  try {
    return await readState(client, known)
  } finally {
    client.release()
  }
}

async function applyNext(
  client: PoolClient,
  known: readonly Migration[],
  limitsCurrency: string,
): Promise<Migration | undefined> {
  await takeTurn(client)
  try {
    const state = await readState(client, known)
    requireCompatible(state)
    const next = state.pending[0]
    if (next) await apply(client, next, limitsCurrency)
    return next
  } finally {
    await client.query('select pg_advisory_unlock(hashtext($1))', [lockKey]).catch(() => undefined)
  }
}

/** Polls instead of waiting: a waiting statement holds a snapshot, for which a concurrent index build would wait in turn. */
async function takeTurn(client: PoolClient): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock(hashtext($1)) as taken', [
      lockKey,
    ])
    if (rows[0]?.taken) return
    await sleep(betweenAsksMs)
  }
}

async function apply(client: PoolClient, migration: Migration, limitsCurrency: string): Promise<void> {
  const { number, name, checksum, oldestProgram } = migration
  const record = async (): Promise<void> => {
    await client.query(
      'insert into schema_migrations (number, name, checksum, applied_at, oldest_program) values ($1, $2, $3, now(), $4)',
      [number, name, checksum, oldestProgram],
    )
  }
  await prepareRecord(client)
  try {
    if (!migration.outsideTransaction)
      return await applyWhenFree(() => applyInside(client, { text: migration.text, limitsCurrency }, record))
    await applyOutside(client, migration.text, lockTimeoutSeconds)
    await record()
  } catch (error) {
    throw migrationFailed(migration, error)
  }
}

/** It has left no trace if its locks were not free. */
async function applyWhenFree(attempt: () => Promise<void>): Promise<void> {
  for (let left = triesInside - 1; ; left -= 1) {
    try {
      return await attempt()
    } catch (error) {
      if (left === 0 || !isBusy(error)) throw error
    }
    await sleep(betweenTriesMs)
  }
}

async function applyInside(
  client: PoolClient,
  { text, limitsCurrency }: { readonly text: string; readonly limitsCurrency: string },
  record: () => Promise<void>,
): Promise<void> {
  await client.query('begin')
  try {
    // The migration may take long, but the wait for locks may not.
    await client.query(
      `set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0; set local lock_timeout = ${shortLockTimeoutMs}`,
    )
    await client.query("select set_config('gatehouse.limits_currency', $1, true)", [limitsCurrency])
    const grants = await readGrants(client)
    await client.query(text)
    await restoreGrants(client, grants)
    await record()
    await client.query('commit')
  } catch (error) {
    // On a lost connection the roll-back fails too; the first error is the informative one.
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}

/** Releases before this column wrote no value: a migration that they applied is served only by programs that know it. */
async function prepareRecord(client: PoolClient): Promise<void> {
  await client.query(`create table if not exists schema_migrations (
    number         int primary key,
    name           text not null,
    checksum       text not null,
    applied_at     timestamptz not null,
    oldest_program int
  )`)
  if (await hasColumn(client, 'oldest_program')) return
  await client.query('alter table schema_migrations add column if not exists oldest_program int')
}

interface AppliedMigration {
  readonly number: number
  readonly checksum: string
  readonly oldestProgram: number
}

async function readState(client: PoolClient, known: readonly Migration[]): Promise<SchemaState> {
  const rows = await listAppliedMigrations(client)
  const applied = new Map(rows.map(({ number, checksum }) => [number, checksum]))
  return {
    applied: Math.max(0, ...applied.keys()),
    known: known.length,
    needed: Math.max(0, ...rows.map(({ oldestProgram }) => oldestProgram)),
    pending: known.filter(({ number }) => !applied.has(number)),
    changed: known.filter(({ number, checksum }) => (applied.get(number) ?? checksum) !== checksum),
  }
}

async function listAppliedMigrations(client: PoolClient): Promise<readonly AppliedMigration[]> {
  if (!(await hasColumn(client, 'number'))) return []
  const oldest = (await hasColumn(client, 'oldest_program')) ? 'coalesce(oldest_program, number)' : 'number'
  const { rows } = await client.query<AppliedMigration>(
    `select number, checksum, ${oldest} as "oldestProgram" from schema_migrations`,
  )
  return rows
}

/**
 * Checks a column of our own record. It queries the catalogue's rows, because to_regclass uses a cache that, within a transaction, misses a
 * table that another process has created since.
 */
async function hasColumn(client: PoolClient, column: string): Promise<boolean> {
  const { rows } = await client.query<{ exists: boolean }>(
    `select exists (
       select 1 from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
       where c.relname = 'schema_migrations' and c.relkind = 'r' and n.nspname = any (current_schemas(false))
         and a.attname = $1 and not a.attisdropped
     ) as exists`,
    [column],
  )
  return rows[0]?.exists ?? false
}

async function connect(pool: Pool): Promise<PoolClient> {
  try {
    return await pool.connect()
  } catch (error) {
    throw connectionFault(error)
  }
}

async function requireSuitableServer(client: PoolClient): Promise<void> {
  const { rows } = await client.query<{ number: number; version: string; encoding: string }>(
    `select current_setting('server_version_num')::int as number, current_setting('server_version') as version,
            current_setting('server_encoding') as encoding`,
  )
  const server = rows[0]
  if (server && server.number < oldestServer.number) {
    throw new StartupError(
      `The database server is PostgreSQL ${server.version}, which is too old.`,
      `Use ${oldestServer.name} or newer.`,
    )
  }
  if (server && server.encoding !== 'UTF8') {
    throw new StartupError(
      `The encoding of the database is ${server.encoding}; it must be UTF8.`,
      `Create it with: create database gatehouse encoding 'UTF8' template template0.`,
    )
  }
}

function requireCompatible({ applied, known, needed, changed }: SchemaState): void {
  if (needed > known) {
    throw new StartupError(
      `The database has migration ${fourDigits(applied)} and needs a release with at least ${fourDigits(needed)}; this release has ${fourDigits(known)}.`,
      'Start the newer release, or restore a backup from before the upgrade.',
    )
  }
  if (changed.length > 0) {
    throw new StartupError(
      `Migration files were changed after they were applied: ${changed.map(({ file }) => file).join(', ')}.`,
      'Restore the original files. To change the schema, add a new migration.',
    )
  }
}

function schemaTooOld({ applied, known }: SchemaState): StartupError {
  return new StartupError(
    `The database has migration ${fourDigits(applied)}, but this release needs ${fourDigits(known)}.`,
    `Run "${commandName} migrate".`,
  )
}

/** lock_not_available and deadlock_detected. */
const busyCodes = new Set(['55P03', '40P01'])
const isBusy = (error: unknown): boolean => error instanceof DatabaseError && busyCodes.has(error.code ?? '')

function migrationFailed(migration: Migration, error: unknown): StartupError {
  const reason = error instanceof Error ? error.message : String(error)
  return new StartupError(
    `Migration ${migration.file} failed${migration.outsideTransaction ? ' and can be run again' : ' and was rolled back'}: ${reason}`,
    isBusy(error)
      ? 'Other processes locked the tables for too long. Try again when there is less traffic.'
      : 'Fix the cause named in the message, then start again. The previous release still works with the current schema.',
    { cause: error },
  )
}
