/**
 * The one door to PostgreSQL: a pool of connections and named statements.
 *
 * A statement is a value with a name. PostgreSQL parses and plans it once per connection, and its name is what shows in
 * profiles. Names read `noun.verb` (`payment.lock`); two texts under one name are refused by the driver.
 *
 * Connections are pipelined: statements sent on one client without waiting travel together and are answered in order.
 * Each is still its own message to the server, so inside a transaction a failed statement does not keep a COMMIT sent
 * behind it from being answered: the answer then reads ROLLBACK, and whoever commits must look at it.
 *
 * A statement that the server will not run as it was prepared (a migration changed its tables meanwhile, or a pooler moved us to another
 * session) was not executed. It is run once more without its name, and the connection is closed, so that the next one prepares anew.
 *
 * What is deliberately not here: no transactions (the store's ports own them), no other retries (the caller knows what may be
 * repeated), no global type parsers (another user of the driver in this process keeps the driver's own).
 */
import { DatabaseError, Pool, type PoolClient, type QueryResultRow, TypeOverrides } from 'pg'

export type { Pool, PoolClient } from 'pg'

interface PoolOptions {
  /** Most connections held at once. */
  readonly max: number
  /** Shown in pg_stat_activity, so that an operator can tell the processes apart. */
  readonly applicationName: string
  /** Told about connections that broke while idle; the pool replaces them by itself. */
  readonly log?: (line: string) => void
  /** The server refuses whatever would write. */
  readonly readOnly?: boolean
  /** A commit is acknowledged when it is safe, also where the server's own setting says less. */
  readonly durable?: boolean
  /** Told about each statement that the server could not write: no room on its disk, a disk that fails, or a database that is read-only. */
  readonly onRefusedWrite?: () => void
}

/** `Row` and `Params` exist for the compiler only; `shape` is never set. */
export interface Statement<Row extends QueryResultRow, Params extends readonly unknown[]> {
  readonly name: string
  readonly text: string
  readonly shape?: { readonly row: Row; readonly params: Params }
}

export type Queryable = Pool | PoolClient

const connectTimeoutMs = 10_000
const statementTimeoutMs = 30_000
const idleInTransactionTimeoutMs = 30_000

export function openPool(
  url: string,
  { max, applicationName, log, readOnly = false, durable = false, onRefusedWrite }: PoolOptions,
): Pool {
  const pool = new Pool({
    connectionString: url,
    max,
    application_name: applicationName,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    pipeline: true,
    types: ownTypes(),
    onConnect: (client) => prepareSession(client, { readOnly, durable }),
  })
  pool.on('error', (error) => log?.(`A database connection was lost while idle: ${error.message}`))
  // A connection that breaks while it is lent out rejects its statements; without a listener of its own it would also
  // end the process.
  pool.on('connect', (client) => {
    client.on('error', () => undefined)
    if (onRefusedWrite) watchers.set(client, onRefusedWrite)
  })
  return pool
}

export function sql<Row extends QueryResultRow = Record<never, never>, Params extends readonly unknown[] = readonly []>(
  name: string,
  text: string,
): Statement<Row, Params> {
  return { name, text }
}

/** Runs a statement, on a connection of its own when given the pool, and answers its rows. */
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
 * Gives a client back to its pool after its last statement, with what that statement threw. A refusal by the server (a
 * duplicate key, say) leaves the connection and its prepared statements intact. Anything else, a parameter that could
 * not be encoded included, may leave the two sides with different ideas of what is prepared, so that connection is
 * closed, and so is one that has refused a statement as it was prepared. The pool's own `query` closes it in both cases, which makes every duplicate key cost a new connection.
 */
export function release(client: PoolClient, error?: unknown): void {
  const intact = error === undefined || (error instanceof DatabaseError && !endsSession(error))
  client.release(!intact || outdated.has(client))
}

const watchers = new WeakMap<PoolClient, () => void>()

/** disk_full, io_error and read_only_sql_transaction. */
const refusedWriteCodes = new Set(['53100', '58030', '25006'])

/** To be called with what a statement of the client threw. */
export function tellRefusedWrite(client: PoolClient, error: unknown): void {
  if (error instanceof DatabaseError && refusedWriteCodes.has(error.code ?? '')) watchers.get(client)?.()
}

/** Connections on which a statement is prepared that the server no longer runs. */
const outdated = new WeakSet<PoolClient>()

const cachedPlanChanged = '0A000'
const statementMissing = '26000'
const statementExists = '42P05'

/** Each is said before anything was executed. Only of a cached plan does 0A000 mean that it may be prepared anew. */
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

// Codes that the server sends as its last word on a connection, before the socket itself is seen to close.
const endsSession = ({ code = '' }: DatabaseError): boolean => /^(57P|08|25P03|XX)/.test(code)

async function run<Row extends QueryResultRow, Params extends readonly unknown[]>(
  client: PoolClient,
  { name, text }: Statement<Row, Params>,
  params: Params,
): Promise<readonly Row[]> {
  try {
    const result = await client.query<Row>({ name, text, values: [...params] })
    return result.rows
  } catch (error) {
    if (isOutdated(error)) outdated.add(client)
    tellRefusedWrite(client, error)
    throw error
  }
}

/** Left alone where it asks for more, such as remote_apply. */
const raiseCommit = `select set_config('synchronous_commit', 'on', false)
     where current_setting('synchronous_commit') in ('off', 'local')`

/**
 * As statements, not as start-up parameters, because connection poolers in front of PostgreSQL refuse those. UTC, so
 * that no date depends on how the server was set up.
 */
async function prepareSession(
  client: Pick<PoolClient, 'query'>,
  { readOnly, durable }: Required<Pick<PoolOptions, 'readOnly' | 'durable'>>,
): Promise<void> {
  await client.query(
    `set time zone 'UTC';
     set statement_timeout = ${statementTimeoutMs};
     set idle_in_transaction_session_timeout = ${idleInTransactionTimeoutMs}${readOnly ? '; set default_transaction_read_only = on' : ''}${durable ? `; ${raiseCommit}` : ''}`,
  )
}

type Read = (value: string) => unknown

const asText: Read = (value) => value

/** Money is whole, whatever its size; what has decimals stays the text that it is. */
const exact: Read = (value) => (/^-?\d+$/.test(value) ? BigInt(value) : value)

const arrayOf =
  (read: Read): Read =>
  (value) =>
    entries(value).map((entry) => (entry === 'NULL' ? null : read(entry)))

/** Numbers and dates are never quoted inside an array, so a comma always separates. */
function entries(value: string): readonly string[] {
  const inside = value.slice(1, -1)
  return inside === '' ? [] : inside.split(',')
}

// Object identifiers of PostgreSQL's built-in types are part of its protocol and never change.
// biome-ignore format: a table is read in columns.
const readings: readonly (readonly [type: string, oid: number, read: Read])[] = [
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
