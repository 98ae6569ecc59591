/**
 * The only access to PostgreSQL: a pool of connections and named statements.
 *
 * A statement is a value with a name. PostgreSQL parses and plans it once per connection, and the name appears in profiles. Names have the
 * form `noun.verb` (`payment.lock`); the driver refuses two texts under one name.
 *
 * Connections are pipelined: statements sent on one client without waiting travel together and are answered in order. Each is still a
 * separate message. Inside a transaction, a COMMIT sent behind a failed statement is therefore still answered, with ROLLBACK, and the
 * caller must check that answer.
 *
 * If the server rejects a prepared statement as outdated (a migration changed its tables, or a pooler switched the session), it was not
 * executed. It is run once more without its name, and the connection is closed, so that the next connection prepares it again.
 *
 * Deliberately absent: transactions (the store's ports own them), other retries (the caller knows what may be repeated), global type
 * parsers (other users of the driver in this process keep their own).
 */
import { DatabaseError, Pool, type PoolClient, type QueryResultRow, TypeOverrides } from 'pg'
import { closeTogether, WatchedClient } from './connection/watched-client.ts'
import { refusedBy } from './constraint.ts'
import { Leadership } from './leadership.ts'

export type { Pool, PoolClient } from 'pg'

interface PoolOptions {
  /** The maximum number of connections. */
  readonly max: number
  /** Shown in pg_stat_activity, so that an operator can tell the processes apart. */
  readonly applicationName: string
  /** Receives a line about each connection that broke while idle or fell silent; the pool replaces it by itself. */
  readonly log?: (line: string) => void
  /** The server rejects every write. */
  readonly readOnly?: boolean
  /** A commit is acknowledged only when it is durable, even if the server's own setting is weaker. */
  readonly durable?: boolean
  /** A statement is planned once per connection. Otherwise a statement on tables in parts would be planned for its part each time. */
  readonly plansOnce?: boolean
  /** The time limit of a statement, if it is not the usual one. */
  readonly statementTimeoutMs?: number
  /** Called for each statement that the server could not write: disk full, disk error, or a read-only database. */
  readonly onRefusedWrite?: () => void
}

/** `Row` and `Params` exist for the compiler only; `shape` is never set. */
export interface Statement<Row extends QueryResultRow, Params extends readonly unknown[]> {
  readonly name: string
  readonly text: string
  readonly shape?: { readonly row: Row; readonly params: Params }
}

export type Queryable = Pool | PoolClient

export const isPool = (on: Queryable): on is Pool => on instanceof Pool

const connectTimeoutMs = 10_000
// A new connection costs the server some 20 ms and has to plan every statement again: a quiet instance would pay that for each payment.
const idleTimeoutMs = 300_000
// Sooner than firewalls forget a connection.
const keepAliveAfterMs = 30_000
const usualStatementTimeoutMs = 30_000
const idleInTransactionTimeoutMs = 30_000

export function openPool(url: string, options: PoolOptions): Pool {
  const { max, applicationName, log, readOnly = false, durable = false, plansOnce = false, onRefusedWrite } = options
  const { statementTimeoutMs = usualStatementTimeoutMs } = options
  const leadership = new Leadership()
  const pool = new Pool({
    Client: WatchedClient,
    connectionString: url,
    max,
    application_name: applicationName,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: idleTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveAfterMs,
    pipeline: true,
    types: ownTypes(),
    // A standby may serve those who only read.
    onConnect: (client) =>
      Promise.all([
        prepareSession(client, { readOnly, durable, plansOnce, statementTimeoutMs }),
        readOnly ? null : leadership.require(client),
      ]),
  })
  pool.on('error', (error) => log?.(`A database connection was lost while idle: ${error.message}`))
  closeTogether(pool, log)
  // A connection that breaks while in use rejects its statements. Without its own listener it would also end the process.
  pool.on('connect', (client) => {
    client.on('error', () => undefined)
    if (onRefusedWrite) watchers.set(client, onRefusedWrite)
  })
  return pool
}

/** The rows of a statement that returns none. */
export type Nothing = Record<never, never>

export function sql<Row extends QueryResultRow = Nothing, Params extends readonly unknown[] = readonly []>(
  name: string,
  text: string,
): Statement<Row, Params> {
  const statement = { name, text }
  known.set(name, statement)
  return statement
}

interface KnownStatement {
  readonly name: string
  readonly text: string
}

const known = new Map<string, KnownStatement>()

/** Every statement of the modules that are loaded. Tests hold them against the rules of distributed tables. */
export const knownStatements = (): readonly KnownStatement[] => [...known.values()]

/** Runs a statement and returns its rows. Given the pool, it takes a connection for this statement. */
export async function query<Row extends QueryResultRow, Params extends readonly unknown[]>(
  on: Queryable,
  statement: Statement<Row, Params>,
  params: Params,
): Promise<readonly Row[]> {
  if (!(on instanceof Pool)) return run(on, statement, params)

  const client = await on.connect()
  try {
    const rows = await run(client, statement, params)
    release(client)
    return rows
  } catch (error) {
    if (isOutdated(error)) return runUnnamed(client, statement, params)
    release(client, error)
    throw error
  }
}

/**
 * Returns a client to its pool, with the error of its last statement. A rejection by the server (a duplicate key, say) leaves the
 * connection and its prepared statements intact. After any other error, including a parameter that could not be encoded, client and server
 * may disagree about what is prepared, so the connection is closed; so is one that rejected a statement as outdated. The pool's own `query`
 * closes it in all cases, so that every duplicate key would cost a new connection.
 */
export function release(client: PoolClient, error?: unknown): void {
  const intact = error === undefined || (error instanceof DatabaseError && !endsSession(error))
  client.release(!intact || staleConnections.has(client))
}

/**
 * Whether a failed statement certainly changed nothing: the server rejected it, or its values could not be encoded. After a lost connection
 * it may have been committed.
 */
export const changedNothing = (error: unknown): boolean =>
  error instanceof TypeError || (error instanceof DatabaseError && !endsSession(error))

const watchers = new WeakMap<PoolClient, () => void>()

/** disk_full, io_error and read_only_sql_transaction. */
const refusedWriteCodes = new Set(['53100', '58030', '25006'])

/** Call it with the error that a statement of the client threw. */
export function reportRefusedWrite(client: PoolClient, error: unknown): void {
  if (error instanceof DatabaseError && refusedWriteCodes.has(error.code ?? '')) watchers.get(client)?.()
}

/** Connections on which an outdated statement is prepared. */
const staleConnections = new WeakSet<PoolClient>()

const cachedPlanChanged = '0A000'
const statementMissing = '26000'
const statementExists = '42P05'

/** Each of these is raised before execution. 0A000 allows a new preparation only if it concerns a cached plan. */
function isOutdated(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return false
  const { code, routine } = error
  return (
    (code === cachedPlanChanged && routine === 'RevalidateCachedQuery') ||
    code === statementMissing ||
    code === statementExists
  )
}

async function runUnnamed<Row extends QueryResultRow, Params extends readonly unknown[]>(
  client: PoolClient,
  { text }: Statement<Row, Params>,
  params: Params,
): Promise<readonly Row[]> {
  try {
    return (await client.query<Row>({ text, values: [...params] })).rows
  } finally {
    client.release(true)
  }
}

// Codes that the server sends last on a connection, before the socket is seen to close. Citus passes on the refusal of a constraint by a COPY to
// another server as an internal error; the session goes on.
const endsSession = (error: DatabaseError): boolean =>
  /^(57P|08|25P03|XX)/.test(error.code ?? '') && !(error.code === 'XX000' && refusedBy(error) !== null)

async function run<Row extends QueryResultRow, Params extends readonly unknown[]>(
  client: PoolClient,
  { name, text }: Statement<Row, Params>,
  params: Params,
): Promise<readonly Row[]> {
  try {
    const result = await client.query<Row>({ name, text, values: [...params] })
    return result.rows
  } catch (error) {
    if (isOutdated(error)) staleConnections.add(client)
    reportRefusedWrite(client, error)
    throw error
  }
}

/**
 * Citus plans most statements only with their values: a plan for all values that it was forced to make is an error when it runs. See
 * decisions/shards#plans-with-values.
 */
const planOnce = `select set_config('plan_cache_mode', 'force_generic_plan', false) where to_regclass('pg_dist_partition') is null`

/** A stricter setting, such as remote_apply, is kept. */
const raiseCommit = `select set_config('synchronous_commit', 'on', false)
     where current_setting('synchronous_commit') in ('off', 'local')`

/**
 * Statements instead of start-up parameters, because connection poolers refuse those. UTC, so that no date depends on the server's
 * configuration.
 */
async function prepareSession(
  client: Pick<PoolClient, 'query'>,
  {
    readOnly,
    durable,
    plansOnce,
    statementTimeoutMs,
  }: Required<Pick<PoolOptions, 'readOnly' | 'durable' | 'plansOnce' | 'statementTimeoutMs'>>,
): Promise<void> {
  await client.query(
    `set time zone 'UTC';
     set statement_timeout = ${statementTimeoutMs};
     set idle_in_transaction_session_timeout = ${idleInTransactionTimeoutMs}${readOnly ? '; set default_transaction_read_only = on' : ''}${plansOnce ? `; ${planOnce}` : ''}${durable ? `; ${raiseCommit}` : ''}`,
  )
}

type ValueParser = (value: string) => unknown

const asText: ValueParser = (value) => value

/** Integers become bigint, whatever their size; values with decimals stay text. */
const exact: ValueParser = (value) => (/^-?\d+$/.test(value) ? BigInt(value) : value)

const arrayOf =
  (read: ValueParser): ValueParser =>
  (value) =>
    entries(value).map((entry) => (entry === 'NULL' ? null : read(entry)))

/** Numbers and dates are never quoted inside an array, so a comma always separates. */
function entries(value: string): readonly string[] {
  const inside = value.slice(1, -1)
  return inside === '' ? [] : inside.split(',')
}

// The object ids of PostgreSQL's built-in types are part of its protocol and never change.
// biome-ignore format: a table is read in columns.
const readings: readonly (readonly [type: string, oid: number, read: ValueParser])[] = [
  // type        oid   read as
  [ 'int8',      20,   BigInt          ],
  [ 'int8[]',    1016, arrayOf(BigInt) ],
  [ 'date',      1082, asText          ], // YYYY-MM-DD; a Date would shift with the time zone of the process
  [ 'date[]',    1182, arrayOf(asText) ],
  [ 'numeric',   1700, exact           ], // a number would round
  [ 'numeric[]', 1231, arrayOf(exact)  ],
]

function ownTypes(): TypeOverrides {
  const overrides = new TypeOverrides()
  for (const [, oid, read] of readings) overrides.setTypeParser(oid, read)
  return overrides
}
