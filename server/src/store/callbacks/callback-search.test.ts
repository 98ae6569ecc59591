import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { insertCallback, insertPayment } from '../../../test/callbacks/callback-rows.ts'
import { type TestDatabase, testDatabase } from '../../../test/database.ts'
import { searchCallbacks, windowSize } from './callback-search.ts'

let database: TestDatabase
const merchantId = randomUUID()
const url = 'https://shop.example/notify'

before(async () => {
  database = await testDatabase()
  await database.pool.query(
    `insert into merchants (id, name, title, key, test_key, password_sealed, webhook_secrets_sealed, created_at)
     values ($1, 'shop', 'Shop', gen_random_uuid(), gen_random_uuid(), '', '', now())`,
    [merchantId],
  )
})
after(() => database.drop())

const ofMode = async (test: boolean) => {
  const payment = await insertPayment(database.pool, { merchantId })
  await database.pool.query('update payments set test = $2, order_id = $3 where id = $1', [
    payment.paymentId,
    test,
    test ? 'ORDER-TEST' : 'ORDER-LIVE',
  ])
  return payment
}

/** All pages of one mode. */
async function everyPage(test: boolean, limit: number): Promise<readonly string[]> {
  const ids: string[] = []
  let before: string | undefined
  for (let pages = 0; pages < 100; pages += 1) {
    const { callbacks, next } = await searchCallbacks(database.pool, { merchantIds: null, test, before, limit })
    ids.push(...callbacks.map(({ id }) => id))
    if (next === null) return ids
    before = next
  }
  throw new Error('The pages do not end.')
}

test('paging through the callbacks of one mode returns each of them once, with its order', async () => {
  const { pool } = database
  const modes = { live: await ofMode(false), test: await ofMode(true) }
  const idsByMode = { live: new Set<string>(), test: new Set<string>() }
  for (let sequence = 1; sequence <= 7; sequence += 1)
    for (const mode of ['live', 'test'] as const)
      idsByMode[mode].add(await insertCallback(pool, modes[mode], { url, sequence }))
  for (const mode of ['live', 'test'] as const) {
    const ids = await everyPage(mode === 'test', 3)
    assert.equal(ids.length, 7)
    assert.deepEqual(new Set(ids), idsByMode[mode])
  }
  const { callbacks } = await searchCallbacks(pool, { merchantIds: [merchantId], test: true, limit: 1 })
  assert.equal(callbacks[0]?.orderId, 'ORDER-TEST')
  const both = await searchCallbacks(pool, { merchantIds: null, limit: 100 })
  assert.deepEqual([both.callbacks.length, both.next], [14, null])
})

test('a search by mode reads small windows first and larger ones only if it finds too little', () => {
  assert.deepEqual(
    [0, 1, 2, 3, 4, 9].map((windows) => windowSize(50, windows)),
    [100, 200, 400, 800, 1000, 1000],
  )
  assert.equal(windowSize(2000, 0), 2000)
})

test('a search among very many callbacks of the other mode stops after some windows and can be resumed', async () => {
  const { pool } = database
  await pool.query('truncate callbacks cascade')
  const old = await insertCallback(pool, await ofMode(true), { url })
  await pool.query(`update callbacks set id = '00000000-0000-7000-8000-000000000000' where id = $1`, [old])
  const { paymentId } = await ofMode(false)
  await pool.query(
    `insert into callbacks (merchant_id, payment_id, sequence, id, transaction_id, url, content_type, body, state, retry_seconds,
       next_at, created_at)
     select $1, $2, n, gen_random_uuid(), gen_random_uuid(), '', '', '', 'due', '{}', now(), now() from generate_series(1, 10500) n`,
    [merchantId, paymentId],
  )
  const first = await searchCallbacks(pool, { merchantIds: null, test: true, limit: 50 })
  assert.equal(first.callbacks.length, 0)
  assert.notEqual(first.next, null)
  assert.equal((await everyPage(true, 50)).length, 1)
})
