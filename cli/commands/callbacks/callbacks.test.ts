import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, test } from 'node:test'
import { callbackState, insertCallback, insertPayment } from '../../../server/test/callbacks/callback-rows.ts'
import { openTestInstance, type TestInstance } from '../../test/gatehouse.ts'

const url = 'https://acme.example/notify'
let instance: TestInstance
let merchantId: string
before(async () => {
  instance = await openTestInstance()
  await instance.do('merchant', 'create', 'acme', '--title', 'Acme')
  const { rows } = await instance.database.pool.query<{ id: string }>('select id from merchants')
  merchantId = rows[0]?.id ?? ''
})
after(() => instance[Symbol.asyncDispose]())
beforeEach(() => instance.database.pool.query('truncate callbacks, callback_attempts, callback_urls, payments cascade'))

const end = (id: string, state: 'failed' | 'delivered') =>
  instance.database.pool.query(
    `update callbacks set state = $2, next_at = null, attempts = 10, ended_at = now() where id = $1`,
    [id, state],
  )
const listCallbacks = async (...options: readonly string[]): Promise<readonly string[]> =>
  (await instance.do('callbacks', 'list', 'acme', '--json', ...options)).json.map(({ id }: { id: string }) => id)

test('callbacks are listed by merchant, by payment and by failure', async () => {
  const { pool } = instance.database
  const one = await insertPayment(pool, { merchantId })
  const two = await insertPayment(pool, { merchantId })
  const [failed, delivered, other] = [
    await insertCallback(pool, one, { url }),
    await insertCallback(pool, one, { url, sequence: 2 }),
    await insertCallback(pool, two, { url }),
  ]
  await insertCallback(pool, await insertPayment(pool), { url })
  await end(failed, 'failed')
  await end(delivered, 'delivered')

  assert.deepEqual((await listCallbacks()).toSorted(), [failed, delivered, other].toSorted())
  assert.deepEqual((await listCallbacks('--payment', one.paymentId)).toSorted(), [failed, delivered].toSorted())
  assert.deepEqual(await listCallbacks('--failed'), [failed])
  assert.equal((await listCallbacks('--limit', '1')).length, 1)
  assert.match(
    (await instance.do('callbacks', 'list', 'acme', '--failed')).out,
    new RegExp(`${failed}.*failed.*${url}`),
  )
})

test('a failed callback that is resent becomes due again and keeps the record of its earlier attempts', async () => {
  const { pool } = instance.database
  const id = await insertCallback(pool, await insertPayment(pool, { merchantId }), { url })
  await end(id, 'failed')
  await instance.do('callbacks', 'resend', 'acme', id)
  const { state, attempts, next_at } = await callbackState(pool, id)
  assert.deepEqual([state, attempts], ['due', 0])
  assert.ok(next_at)
})

test('a callback is resent to the merchant’s current address on request, or says that there is none', async () => {
  const { pool } = instance.database
  const id = await insertCallback(pool, await insertPayment(pool, { merchantId }), { url })
  const { rows } = await pool.query('select notification_url from merchants where id = $1', [merchantId])
  await pool.query(`update merchants set notification_url = 'https://moved.example/told' where id = $1`, [merchantId])
  await instance.do('callbacks', 'resend', 'acme', id, '--current')
  const sentTo = await pool.query('select url from callbacks where id = $1', [id])
  assert.equal(sentTo.rows[0].url, 'https://moved.example/told')
  await pool.query('update merchants set notification_url = null where id = $1', [merchantId])
  assert.match((await instance.run(['callbacks', 'resend', 'acme', id, '--current'])).err, /no notification address/)
  await pool.query('update merchants set notification_url = $2 where id = $1', [merchantId, rows[0].notification_url])
})

test('the help of a resend says that it goes to the original address', async () => {
  const { out } = await instance.run(['callbacks', 'resend', '--help'])
  assert.match(out.replaceAll(/\s+/g, ' '), /sent to its original address/)
})

test('a callback that is being delivered or does not exist is not resent', async () => {
  const { pool } = instance.database
  const id = await insertCallback(pool, await insertPayment(pool, { merchantId }), { url })
  await pool.query(`update callbacks set lease_until = clock_timestamp() + interval '1 minute'`)
  assert.match((await instance.run(['callbacks', 'resend', 'acme', id])).err, /being delivered right now/)
  assert.match((await instance.run(['callbacks', 'resend', 'acme', randomUUID()])).err, /has no callback/)
})

test('a blocked address is listed, can be unblocked, and is then no longer listed', async () => {
  await instance.database.pool.query(
    `insert into callback_urls (url, timeouts, blocked_until) values ($1, '{}', now() + interval '15 minutes')`,
    [url],
  )
  assert.match((await instance.do('callbacks', 'blocked')).out, /https:\/\/acme\.example\/notify/)
  await instance.do('callbacks', 'unblock', url)
  assert.match((await instance.do('callbacks', 'blocked')).out, /No address is blocked/)
  assert.equal((await instance.run(['callbacks', 'unblock', url])).code, 1)
})
