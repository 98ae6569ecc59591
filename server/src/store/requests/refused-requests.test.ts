import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { limits } from '#domain/limits.ts'
import { type TestDatabase, testDatabase } from '../../../test/database.ts'
import type { RefusedRequest } from '../../contracts/refused-requests.ts'
import { systemClock } from '../../process/clock.ts'
import { systemIds } from '../../process/ids.ts'
import { inTransaction } from '../database/transaction.ts'
import { purges } from '../retention/purges.ts'
import { refusedRequestLog } from './refused-requests.ts'

const clock = systemClock()
const ids = systemIds(clock)
const { ofMerchant, ofMerchantPerBatch, perBatch } = limits.refusedRequests
const ignore = () => undefined
const log = { debug: ignore, info: ignore, error: ignore, warn: ignore }

let database: TestDatabase
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

const refused = (over: Partial<RefusedRequest> = {}): RefusedRequest => ({
  merchantId: crypto.randomUUID(),
  mode: 'live',
  requestId: crypto.randomUUID(),
  protocol: 'S2S_CARD',
  action: 'SALE',
  orderId: 'ORDER-1',
  paymentId: null,
  step: 'hash',
  at: clock.now(),
  refusal: { http: 400, code: 100000, message: 'Request data is invalid.', violations: [], hash: null },
  ...over,
})

const ordersOf = async (merchantId: string): Promise<readonly (string | null)[]> => {
  const { rows } = await database.pool.query<{ order_id: string | null }>(
    'select order_id from refused_requests where merchant_id = $1 order by id',
    [merchantId],
  )
  return rows.map(({ order_id }) => order_id)
}

test('only the newest refusals of a merchant are stored, whatever another merchant does', async () => {
  const [busy, quiet] = [crypto.randomUUID(), crypto.randomUUID()]
  const refusals = refusedRequestLog(database.pool, { ids, log })
  refusals.add(refused({ merchantId: quiet }))
  for (let count = 0; count < ofMerchant + 3 * ofMerchantPerBatch; count += 1) {
    // Identifiers of one millisecond have no order.
    clock.moveTo(count)
    refusals.add(refused({ merchantId: busy, orderId: `ORDER-${count}` }))
    if (count % ofMerchantPerBatch === ofMerchantPerBatch - 1) await refusals.flush()
  }
  await refusals.flush()
  const orders = await ordersOf(busy)
  assert.equal(orders.length, ofMerchant)
  assert.deepEqual([orders.at(0), orders.at(-1)], ['ORDER-30', `ORDER-${ofMerchant + 29}`])
  assert.deepEqual(await ordersOf(quiet), ['ORDER-1'])
})

test('a flood of refusals leaves a few of each merchant in one statement and drops the rest', async () => {
  let statements = 0
  const counted = new Proxy(database.pool, {
    get: (pool, name) => {
      const member: unknown = Reflect.get(pool, name)
      if (typeof member !== 'function') return member
      if (name === 'connect') statements += 1
      return member.bind(pool)
    },
  })
  const refusals = refusedRequestLog(counted, { ids, log })
  const flooded = crypto.randomUUID()
  for (let count = 0; count < 1000; count += 1) refusals.add(refused({ merchantId: flooded }))
  const others = Array.from({ length: 2 * perBatch }, () => crypto.randomUUID())
  for (const merchantId of others) refusals.add(refused({ merchantId }))
  await refusals.flush()
  assert.equal((await ordersOf(flooded)).length, ofMerchantPerBatch)
  const { rows } = await database.pool.query<{ count: number }>(
    'select count(*)::int as count from refused_requests where merchant_id = any($1)',
    [[flooded, ...others]],
  )
  assert.deepEqual([rows[0]?.count, statements], [perBatch, 2])
})

test('a refusal that cannot be written is dropped, and the next one is written', async () => {
  const merchantId = crypto.randomUUID()
  const refusals = refusedRequestLog(database.pool, { ids, log })
  refusals.add(refused({ merchantId, paymentId: 'not a uuid' }))
  await refusals.flush()
  refusals.add(refused({ merchantId, orderId: 'ORDER-2' }))
  await refusals.flush()
  assert.deepEqual(await ordersOf(merchantId), ['ORDER-2'])
})

test('refusals are removed after their time', async () => {
  const merchantId = crypto.randomUUID()
  const refusals = refusedRequestLog(database.pool, { ids, log })
  const before = new Date(clock.now().getTime() - limits.refusedRequests.keptMs)
  refusals.add(refused({ merchantId, orderId: 'OLD', at: new Date(before.getTime() - 1) }))
  refusals.add(refused({ merchantId, orderId: 'NEW', at: before }))
  await refusals.flush()
  const batch = { before, cursor: '', limit: 100, now: clock.now() }
  await inTransaction(database.pool, (client) => purges['refused requests'](client, batch))
  assert.deepEqual(await ordersOf(merchantId), ['NEW'])
})
