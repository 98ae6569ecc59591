import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { emptyTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { refusedBy } from './constraint.ts'
import { changedNothing, openPool, query, sql } from './pool.ts'
import { inTransaction } from './transaction.ts'

let database: TestDatabase
before(async () => {
  database = await emptyTestDatabase()
})
after(() => database.drop())

const echo = (type: string) =>
  sql<{ value: unknown }, readonly [unknown]>(`echo.${type}`, `select $1::${type} as value`)
const echoed = async (type: string, value: unknown) => (await query(database.pool, echo(type), [value]))[0]?.value

// biome-ignore format: a table is read in columns.
const readings = [
  // type          sent                                   read
  ['int8',        9_223_372_036_854_775_807n,            9_223_372_036_854_775_807n],
  ['int8[]',      '{1,NULL,-2}',                         [1n, null, -2n]],
  ['int8[]',      '{}',                                  []],
  ['int4',        7,                                     7],
  ['numeric',     '12345678901234567890.1200',           '12345678901234567890.1200'],
  ['numeric',     '-12345678901234567890',               -12345678901234567890n],
  ['numeric[]',   '{0.10,NULL}',                         ['0.10', null]],
  ['date',        '2028-02-29',                          '2028-02-29'],
  ['date[]',      '{2026-01-01,2026-12-31}',             ['2026-01-01', '2026-12-31']],
  ['timestamptz', new Date('2026-03-29T00:59:59.999Z'),  new Date('2026-03-29T00:59:59.999Z')],
  ['jsonb',       '{"a": [1, null]}',                    { a: [1, null] }],
  ['bytea',       Buffer.from([0, 255]),                 Buffer.from([0, 255])],
] as const

for (const [type, sent, read] of readings) {
  test(`${type} is read as ${typeof read === 'object' ? read.constructor.name : typeof read} without loss`, async () => {
    assert.deepEqual(await echoed(type, sent), read)
  })
}

test('every 64-bit amount comes back unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), async (amount) => {
      assert.equal(await echoed('int8', amount), amount)
    }),
    { numRuns: 50 },
  )
})

test('another pool of the driver keeps its own type parsers', async () => {
  const { default: pg } = await import('pg')
  const client = new pg.Client(database.url)
  await client.connect()
  assert.equal((await client.query('select 1::int8 as value')).rows[0].value, '1')
  await client.end()
})

test("database sessions use UTC and limit every statement's time", async () => {
  const show = sql<{ zone: string; statement: string; idle: string }>(
    'show.session',
    `select current_setting('timezone') as zone, current_setting('statement_timeout') as statement,
            current_setting('idle_in_transaction_session_timeout') as idle`,
  )
  const [session] = await query(database.pool, show, [])
  assert.deepEqual(session, { zone: 'UTC', statement: '30s', idle: '30s' })
})

test('a rejected statement keeps its connection usable', async () => {
  const pool = openPool(database.url, { max: 1, applicationName: 'refused' })
  const backend = sql<{ pid: number }>('backend.pid', 'select pg_backend_pid() as pid')
  const divide = sql<{ value: number }, readonly [number]>('number.divide', 'select 1 / $1::int as value')

  const [first] = await query(pool, backend, [])
  await assert.rejects(query(pool, divide, [0]), { code: '22012' })
  assert.deepEqual(await query(pool, divide, [1]), [{ value: 1 }])
  assert.deepEqual(await query(pool, backend, []), [first])
  await pool.end()
})

test('a constraint of another server that refuses a COPY, an internal error to Citus, keeps the connection', async () => {
  const pool = openPool(database.url, { max: 1, applicationName: 'remote' })
  const backend = sql<{ pid: number }>('backend.pid', 'select pg_backend_pid() as pid')
  await pool.query(
    `create function pg_temp.refuse(text) returns int language plpgsql as $$ begin raise exception '%', $1 using errcode = 'XX000'; end $$`,
  )
  const refuse = sql<{ value: number }, readonly [string]>('remote.refuse', 'select pg_temp.refuse($1) as value')
  const [first] = await query(pool, backend, [])
  const message = 'duplicate key value violates unique constraint "order_claims_pkey_102040"'
  await assert.rejects(
    query(pool, refuse, [message]),
    (error) => changedNothing(error) && refusedBy(error) === 'order_claims_pkey',
  )
  assert.deepEqual(await query(pool, backend, []), [first])
  await assert.rejects(query(pool, refuse, ['could not read block 7']), (error) => !changedNothing(error))
  assert.notDeepEqual(await query(pool, backend, []), [first])
  await pool.end()
})

test('a parameter that cannot be encoded harms neither the pool nor the prepared statement', async () => {
  const pool = openPool(database.url, { max: 1, applicationName: 'unencodable' })
  const store = sql<{ value: unknown }, readonly [unknown]>('json.echo', 'select $1::jsonb as value')

  await assert.rejects(query(pool, store, [{ amount: 1n }]), TypeError)
  assert.deepEqual(await query(pool, store, [{ amount: '1' }]), [{ value: { amount: '1' } }])
  await pool.end()
})

test('a connection that breaks while in use fails only its own statement', async () => {
  const pool = openPool(database.url, { max: 1, applicationName: 'cut' })
  const sleeping = query(pool, sql('session.sleep', 'select pg_sleep(30)'), [])
  const cut = assert.rejects(sleeping, { code: '57P01' })
  await until(async () => {
    const { rowCount } = await database.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'cut' and wait_event = 'PgSleep'`,
    )
    return rowCount === 1
  })
  await cut

  assert.deepEqual(await query(pool, sql<{ one: number }>('number.one', 'select 1 as one'), []), [{ one: 1 }])
  await pool.end()
})

test('pipelined statements are answered in order, and an error affects only its own', async () => {
  const client = await database.pool.connect()
  const divide = (by: number) =>
    query(client, sql<{ value: number }, readonly [number]>('pipeline.divide', 'select 6 / $1::int as value'), [by])

  const answers = await Promise.allSettled([divide(1), divide(0), divide(3)])
  client.release()
  assert.deepEqual(
    answers.map((answer) => (answer.status === 'fulfilled' ? answer.value[0]?.value : answer.reason.code)),
    [6, '22012', 2],
  )
})

test('a COMMIT sent behind a failed statement is answered ROLLBACK', async () => {
  const client = await database.pool.connect()
  const [, failed, commit] = await Promise.allSettled([
    client.query('begin'),
    client.query('select 1 / 0'),
    client.query('commit'),
  ])
  client.release()
  assert.equal(failed.status, 'rejected')
  assert.equal(commit.status === 'fulfilled' && commit.value.command, 'ROLLBACK')
})

test('a statement prepared before a migration added a column still works, on every connection', async () => {
  await database.pool.query('create table things (id int); insert into things (id) values (1)')
  const pool = openPool(database.url, { max: 2, applicationName: 'outdated' })
  const list = sql<{ id: number }>('thing.list', 'select * from things')
  const clients = await Promise.all([pool.connect(), pool.connect()])
  for (const client of clients) {
    await query(client, list, [])
    client.release()
  }

  await database.pool.query('alter table things add column name text')
  for (let time = 0; time < 4; time += 1) assert.deepEqual(await query(pool, list, []), [{ id: 1, name: null }])
  await pool.end()
})

test('a transaction with an outdated statement fails as a whole, and the next one prepares the statement again', async () => {
  await database.pool.query('create table wares (id int); insert into wares (id) values (1)')
  const pool = openPool(database.url, { max: 1, applicationName: 'outdated in a transaction' })
  const list = sql<{ id: number }>('ware.list', 'select * from wares')
  await query(pool, list, [])

  await database.pool.query('alter table wares add column name text')
  const listed = () => inTransaction(pool, (client) => query(client, list, []))
  await assert.rejects(listed(), { code: '0A000' })
  assert.deepEqual(await listed(), [{ id: 1, name: null }])
  await pool.end()
})

test('an outdated statement in a nested transaction also closes its connection', async () => {
  await database.pool.query('create table goods (id int); insert into goods (id) values (1)')
  const pool = openPool(database.url, { max: 1, applicationName: 'outdated in a part' })
  const list = sql<{ id: number }>('good.list', 'select * from goods')
  await query(pool, list, [])

  await database.pool.query('alter table goods add column name text')
  await inTransaction(pool, async (client) => {
    await assert.rejects(
      inTransaction(client, (part) => query(part, list, [])),
      { code: '0A000' },
    )
  })
  assert.deepEqual(await inTransaction(pool, (client) => query(client, list, [])), [{ id: 1, name: null }])
  await pool.end()
})

test('a prepared statement that the session has lost, or already has, is still answered', async () => {
  const pool = openPool(database.url, { max: 1, applicationName: 'moved' })
  const two = sql<{ value: number }>('number.two', 'select 2 as value')
  await query(pool, two, [])
  await pool.query('deallocate all')
  assert.deepEqual(await query(pool, two, []), [{ value: 2 }])

  await pool.query(`prepare "number.three" as select 3 as value`)
  assert.deepEqual(await query(pool, sql<{ value: number }>('number.three', 'select 3 as value'), []), [{ value: 3 }])
  await pool.end()
})

test('a feature that the server lacks is refused without a retry', async () => {
  const lockGroups = sql('group.lock', 'select 1 from (values (1)) as v (a) group by a for update')
  await assert.rejects(query(database.pool, lockGroups, []), { code: '0A000' })
})

async function until(done: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 500; attempt++) {
    if (await done()) return
    await sleep(10)
  }
  assert.fail('The condition did not come about.')
}

test('a connection that was idle for a minute serves the next statement', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const pool = openPool(database.url, { max: 1, applicationName: 'idle' })
  t.after(() => pool.end())
  const session = async () => (await pool.query('select pg_backend_pid() as pid')).rows[0]?.pid
  const first = await session()
  t.mock.timers.tick(60_000)
  assert.equal(await session(), first)
})
