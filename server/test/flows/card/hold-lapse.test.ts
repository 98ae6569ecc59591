/** A hold that lapsed at the acquirer without our request. Events that the sandbox never reports are inserted directly. Chapter 10 §6. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { enterEvent } from '#server/payments/commands/acquirer-event.ts'
import { operationDeps } from '../../operation-deps.ts'
import { callbackHash, readCallbacks, statusOf } from '../../payments.ts'
import { openShop } from '../../shop.ts'

const shop = await openShop({}, ['chargebacks'])
after(() => shop[Symbol.asyncDispose]())

const { pool, clock } = shop.base
const deps = operationDeps(shop)

async function lapse(transId: string, reference = `LAPSE-${transId}`): Promise<void> {
  const { rows } = await pool.query<{ mid_id: string }>('select mid_id from payments where id = $1', [transId])
  await enterEvent(deps, rows[0]?.mid_id ?? '', { kind: 'lapse', reference, paymentId: transId, at: clock.now() })
}

async function alerts(transId: string): Promise<readonly string[]> {
  const { rows } = await pool.query<{ text: string }>('select text from alerts where payment_id = $1', [transId])
  return rows.map(({ text }) => text)
}

const day = 86_400_000

test('a hold that is not captured lapses at the acquirer after a week, and is called back as released', async () => {
  const { body } = await shop.sale({ auth: 'Y' })
  await shop.advance(7 * day - 60_000)
  assert.equal(await statusOf(shop, body.trans_id), 'PENDING')
  await shop.advance(2 * 60_000)
  assert.equal(await statusOf(shop, body.trans_id), 'REVERSAL')
  assert.deepEqual(await readCallbacks(shop, body.trans_id, 'CREDITVOID'), ['SUCCESS REVERSAL'])
  assert.deepEqual(await shop.postings(body.trans_id), ['payer -> held 1000', 'held -> payer 1000'])
})

test('a hold that was captured in time does not lapse', async () => {
  const { body } = await shop.sale({ auth: 'Y' })
  await shop.followUp('CAPTURE', body.trans_id)
  await shop.advance(8 * day)
  assert.equal(await statusOf(shop, body.trans_id), 'SETTLED')
  assert.deepEqual(await alerts(body.trans_id), [])
})

test('the payment is REVERSAL, and the callback is that of a CREDITVOID, sent once', async () => {
  const { body } = await shop.sale({ auth: 'Y' })
  for (const _ of ['reported', 'reported again']) await lapse(body.trans_id)
  assert.equal(await statusOf(shop, body.trans_id), 'REVERSAL')
  const [, callback, ...more] = await shop.callbacks(body.trans_id)
  assert.equal(more.length, 0)
  const { creditvoid_id, creditvoid_date, ...rest } = callback?.fields ?? {}
  assert.match(creditvoid_id, /^[0-9a-f-]{36}$/)
  assert.match(creditvoid_date, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
  assert.deepEqual(rest, {
    action: 'CREDITVOID',
    result: 'SUCCESS',
    status: 'REVERSAL',
    order_id: body.order_id,
    trans_id: body.trans_id,
    hash: callbackHash(shop, body.trans_id),
    amount: '10.00',
  })
  assert.deepEqual(await shop.postings(body.trans_id), ['payer -> held 1000', 'held -> payer 1000'])
  assert.deepEqual(await alerts(body.trans_id), [])
})

test('a report about a payment that is no longer a hold changes nothing and raises an alert', async () => {
  const { body } = await shop.sale()
  await lapse(body.trans_id)
  assert.equal(await statusOf(shop, body.trans_id), 'SETTLED')
  assert.deepEqual(await alerts(body.trans_id), ['A lapse arrived for a payment in status SETTLED.'])
})

test('a MID cannot report about a payment of another MID', async () => {
  const { body } = await shop.sale({ auth: 'Y' })
  const { rows } = await pool.query<{ id: string }>("select id from mids where name = 'sandbox-dms-live'")
  const event = { kind: 'lapse', reference: 'STRAY', paymentId: body.trans_id, at: clock.now() } as const
  await enterEvent(deps, rows[0]?.id ?? '', event)
  assert.equal(await statusOf(shop, body.trans_id), 'PENDING')
})
