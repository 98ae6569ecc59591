import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type TestDatabase, testDatabase } from '../../../../test/database.ts'
import { DatabaseLine } from '../../../../test/hosts/database-line.ts'
import { changedNothing, openPool, query, sql } from '../pool.ts'
import { inTransaction } from '../transaction.ts'
import { countSecond } from './watched-client.ts'

let database: TestDatabase
let line: DatabaseLine
before(async () => {
  database = await testDatabase()
  line = await DatabaseLine.open(database.url)
})
after(async () => {
  await line.close()
  await database.drop()
})

const one = sql<{ one: number }>('vanished.one', 'select 1 as one')
const take = sql('vanished.take', 'insert into vanished (id) values (1)')

/** Seconds of waiting, as the watch counts them; it reads what has arrived in between. */
async function pass(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    countSecond()
    await new Promise((resolve) => setImmediate(resolve))
  }
}

const stateOf = (promise: Promise<unknown>): Promise<string> =>
  Promise.race([
    promise.then(
      () => 'answered',
      () => 'failed',
    ),
    new Promise<string>((resolve) => setTimeout(() => resolve('waits'), 100)),
  ])

test('a statement to a server that vanished fails a little after its limit, as one that may have been committed', async (t) => {
  const pool = openPool(line.url, { max: 1, applicationName: 'vanished' })
  t.after(() => pool.end())
  await query(pool, one, [])
  line.fallSilent()
  const lost = query(pool, one, [])
  lost.catch(() => undefined)
  assert.equal(await stateOf(lost), 'waits')
  await pass(33)
  assert.equal(await stateOf(lost), 'waits')
  await pass(2)
  await assert.rejects(lost, (error) => !changedNothing(error) && /silent for 35 s/.test(String(error)))
  assert.deepEqual(await query(pool, one, []), [{ one: 1 }], 'the next one gets a new connection')
})

test('once a server was found silent, no idle connection to it is used any more', async (t) => {
  const pool = openPool(line.url, { max: 4, applicationName: 'idle' })
  t.after(() => pool.end())
  const clients = await Promise.all([pool.connect(), pool.connect(), pool.connect(), pool.connect()])
  for (const client of clients) client.release()
  line.fallSilent()
  const lost = query(pool, one, [])
  lost.catch(() => undefined)
  await stateOf(lost)
  await pass(35)
  await assert.rejects(lost)
  for (let count = 0; count < 4; count += 1) await query(pool, one, [])
})

const held = sql('vanished.held', 'select 1 from instance')

test('of the idle connections those that answered before the server was found silent are closed, those that answer then are kept', async (t) => {
  const pool = openPool(line.url, { max: 2, applicationName: 'between' })
  const holder = await database.pool.connect()
  t.after(async () => {
    holder.release(true)
    await pool.end()
  })
  await holder.query('begin; lock table instance')
  const openBoth = async () => {
    const clients = await Promise.all([pool.connect(), pool.connect()])
    for (const client of clients) client.release()
  }
  await openBoth()
  const lost = query(pool, held, [])
  lost.catch(() => undefined)
  assert.deepEqual(await query(pool, one, []), [{ one: 1 }], 'answered while the other waits')
  line.fallSilent()
  await pass(35)
  await assert.rejects(lost, /silent/)
  await query(pool, one, [])

  await openBoth()
  const again = query(pool, held, [])
  again.catch(() => undefined)
  await pass(33)
  const alive = await pool.connect()
  await alive.query('select 1')
  alive.release()
  await pass(2)
  await assert.rejects(again, /silent/)
  const next = await pool.connect()
  next.release()
  assert.equal(next, alive)
})

test('a server that answers late, within the limit that it has, is waited for', async (t) => {
  const pool = openPool(line.url, { max: 1, applicationName: 'late' })
  t.after(() => pool.end())
  const holder = await database.pool.connect()
  await holder.query('begin; lock table instance')
  const late = query(pool, sql('vanished.late', 'select 1 from instance'), [])
  await stateOf(late)
  await pass(33)
  await holder.query('rollback')
  holder.release()
  await late
})

test('statements sent one behind the other have their limits one after the other', async () => {
  const client = await database.pool.connect()
  const pause = () => client.query('select pg_sleep(0.05)')
  const answers = [pause(), pause(), pause()]
  for (const answer of answers) {
    await pass(20)
    await answer
  }
  await Promise.all(answers)
  client.release()
})

const lifts = [
  ['of its transaction', 'begin; set local statement_timeout = 0'],
  ['of its session', 'set statement_timeout = 0'],
] as const

for (const [whose, lift] of lifts)
  test(`a statement whose limit was lifted for the rest ${whose} may take hours`, async () => {
    const client = await database.pool.connect()
    await client.query(lift)
    const long = client.query('select pg_sleep(0.3)')
    await pass(7200)
    await long
    client.release(true)
  })

test('after a transaction without a limit its connection has one again', async (t) => {
  const pool = openPool(line.url, { max: 1, applicationName: 'again' })
  t.after(() => pool.end())
  await inTransaction(pool, async (client) => {
    await client.query('set local statement_timeout = 0')
  })
  line.fallSilent()
  const lost = query(pool, one, [])
  lost.catch(() => undefined)
  await stateOf(lost)
  await pass(35)
  await assert.rejects(lost, /silent/)
})

test('a session that is not even prepared fails too, and with it the statement that needs it', async (t) => {
  const pool = openPool(line.url, { max: 1, applicationName: 'gatehouse silent from the start' })
  t.after(() => pool.end())
  pool.options.onConnect = () => line.fallSilent()
  const lost = query(pool, take, [])
  lost.catch(() => undefined)
  await stateOf(lost)
  await pass(35)
  await assert.rejects(lost, /silent/)
})
