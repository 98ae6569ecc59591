import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { systemIds } from '#server/process/ids.ts'
import { insertPayment } from '../../../test/callbacks/callback-rows.ts'
import { type TestDatabase, testDatabase } from '../../../test/database.ts'
import { findBeginningOfNewest, type PaymentRange } from './newest-payments.ts'

let database: TestDatabase
const [one, other] = [randomUUID(), randomUUID()]
const at = (minute: number): Date => new Date(Date.UTC(2026, 2, 1, 12, minute))
const range: PaymentRange = { from: at(-60), to: at(600), merchantIds: null, mode: null }

before(async () => {
  database = await testDatabase()
  // Payment n is made at minute 10·n; the other merchant's payments are in test mode.
  for (const [index, merchantId] of [one, one, other, one, other, one].entries()) {
    const { paymentId } = await insertPayment(database.pool, { merchantId })
    const time = at(10 * index)
    await database.pool.query('update payments set id = $2, created_at = $3, test = $4 where id = $1', [
      paymentId,
      systemIds({ now: () => time }).next(),
      time,
      merchantId === other,
    ])
  }
})
after(() => database.drop())

const begins = async (over: Partial<PaymentRange>, atMost: number) =>
  (await findBeginningOfNewest(database.pool, { ...range, ...over }, atMost))?.toISOString() ?? null

test('a range within the maximum is read whole', async () => {
  assert.equal(await begins({}, 6), null)
  assert.equal(await begins({ merchantIds: [one] }, 4), null)
  assert.equal(await begins({ merchantIds: [] }, 0), null)
})

test('a payment that is hours younger than its id does not move the start of the range', async () => {
  const { rows } = await database.pool.query('select id from payments order by id')
  const fourth = rows[3]?.id
  await database.pool.query('update payments set created_at = $2 where id = $1', [fourth, at(10 * 60)])
  assert.equal(await begins({}, 2), at(30).toISOString())
  await database.pool.query('update payments set created_at = $2 where id = $1', [fourth, at(30)])
})

test('a larger range keeps its newest payments, by merchant, mode and end of the range', async () => {
  assert.equal(await begins({}, 2), at(30).toISOString())
  assert.equal(await begins({ merchantIds: [one] }, 2), at(10).toISOString())
  assert.equal(await begins({ merchantIds: [one, other] }, 2), at(30).toISOString())
  assert.equal(await begins({ mode: 'test' }, 1), at(20).toISOString())
  assert.equal(await begins({ to: at(35) }, 2), at(10).toISOString())
})
