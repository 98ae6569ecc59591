/** Keys of requests that take longer than a lease: a cascade over slow acquirers. Chapter 10 §1.4. */
import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { after, afterEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openAccount } from '../../../test/account.ts'
import { attemptPath, softDeclines } from '../../../test/cascades.ts'
import { merchantId } from '../../../test/panel/admin.ts'
import { openShop } from '../../../test/shop.ts'
import type { Idempotency } from '../../contracts/ports.ts'
import { RefusedError } from '../../contracts/refused-error.ts'
import { idempotencyStore } from '../../store/payments/idempotency.ts'
import { type IdempotentRequest, runOnlyOnce } from './idempotency.ts'
import type { Reply } from './reply.ts'

const shop = await openShop()
afterEach(() => shop.clearScenario())
after(() => shop[Symbol.asyncDispose]())
const owner = await merchantId(shop, 'demo')

const leaseMs = 1200
const { pool, clock, ids } = shop.base
const store = idempotencyStore(pool, { clock, ids, leaseMs })

const request = (): IdempotentRequest => ({
  merchantId: owner,
  mode: 'live',
  key: randomUUID(),
  body: Buffer.from('the same'),
  errorBody: (error) => error.message,
})

const answer = (body: string): Reply => ({ http: 200, body })
const never = (): Promise<never> => assert.fail('Nobody else may carry it out.')
const isRunning = (error: unknown): boolean =>
  error instanceof RefusedError && error.refusal.message === 'Duplicate request.'

/** Every call by its name, in order. */
function noted(calls: string[]): Idempotency {
  return {
    ...store,
    take: (...parameters) => {
      calls.push('take')
      return store.take(...parameters)
    },
    renew: (...parameters) => {
      calls.push('renew')
      return store.renew(...parameters)
    },
    keep: (...parameters) => {
      calls.push('keep')
      return store.keep(...parameters)
    },
  }
}

test('a cascade that takes longer than the lease keeps its key: repeats are refused until it ends, and then get its answer', async () => {
  const merchant = await openAccount(shop, { mids: [{}, {}, {}] })
  for (const number of [1, 2]) await shop.scenario({ mid: `${merchant}-${number}`, delay_ms: 1300, ...softDeclines })
  await shop.scenario({ mid: `${merchant}-3`, delay_ms: 1300 })
  const order_id = randomUUID()
  const once = request()
  const sale = async (): Promise<Reply> => answer((await shop.sale({ order_id }, { merchant })).text)
  const running = runOnlyOnce(store, once, sale, never)
  await sleep(100)
  for (let passed = 0; passed < 3; passed += 1) {
    await assert.rejects(runOnlyOnce(store, once, never, never), isRunning)
    await sleep(leaseMs)
  }
  const first = await running
  assert.equal(JSON.parse(first.body).result, 'SUCCESS')
  assert.deepEqual(await attemptPath(shop, order_id), ['1 DECLINED', '2 DECLINED', '3 SETTLED'])
  assert.equal((await runOnlyOnce(store, once, never, never)).body, first.body)
})

test('a request that is answered within its lease renews nothing', async () => {
  const calls: string[] = []
  await runOnlyOnce(noted(calls), request(), async () => answer('at once'), never)
  await sleep(leaseMs)
  assert.deepEqual(calls, ['take', 'keep'])
})

test('a renewal that fails is tried again before the lease is over', async () => {
  const once = request()
  let failures = 0
  const shaky: Idempotency = {
    ...store,
    renew: async (...parameters) => {
      failures += 1
      if (failures <= 2) throw new Error('No connection.')
      await store.renew(...parameters)
    },
  }
  const running = runOnlyOnce(shaky, once, () => sleep(2 * leaseMs, answer('late')), never)
  await sleep(leaseMs + 200)
  await assert.rejects(runOnlyOnce(store, once, never, never), isRunning)
  assert.equal((await running).body, 'late')
})

test('a process that stood still beyond its lease gives the answer that was given meanwhile', async () => {
  const once = request()
  const still: Idempotency = { ...store, renew: () => Promise.reject(new Error('Stands still.')) }
  const slow = runOnlyOnce(still, once, () => sleep(2 * leaseMs, answer('its own')), never)
  await sleep(leaseMs + 100)
  const recalled = await runOnlyOnce(store, once, never, async () => answer('the first one told'))
  assert.equal(recalled.body, 'the first one told')
  assert.equal((await slow).body, 'the first one told')
  assert.equal((await runOnlyOnce(store, once, never, never)).body, 'the first one told')
})

test('a renewal that comes after the key was released does not take it again', async () => {
  const { merchantId: merchant, key, body } = request()
  const hash = createHash('sha256').update(body).digest()
  const taken = await store.take(merchant, key, hash)
  assert.equal(taken.use, 'first')
  const useId = 'useId' in taken ? taken.useId : ''
  await store.release(merchant, key, useId)
  await store.renew(merchant, key, useId)
  assert.equal((await store.take(merchant, key, hash)).use, 'abandoned')
})

test('a request that ends after its key went to another one gets its own answer, and does not free the key', async () => {
  const first = request()
  const other = { ...first, body: Buffer.from('another one') }
  const still: Idempotency = { ...store, renew: () => Promise.reject(new Error('Stands still.')) }
  const slow = runOnlyOnce(still, first, () => sleep(3 * leaseMs, answer('its own')), never)
  await sleep(leaseMs + 100)
  // The second process takes over, fails, and frees the key; the merchant then uses it for something else.
  await assert.rejects(
    runOnlyOnce(
      store,
      first,
      () => Promise.reject(new Error('Failed.')),
      async () => null,
    ),
    /Failed/,
  )
  assert.equal((await runOnlyOnce(store, other, async () => answer('the other one'), never)).body, 'the other one')
  assert.equal((await slow).body, 'its own')
  assert.equal((await runOnlyOnce(store, other, never, never)).body, 'the other one')
})

test('a request that fails after its key went to another one does not free the key of the other', async () => {
  const { merchantId: merchant, key } = request()
  const [mine, others] = ['mine', 'of another'].map((text) => createHash('sha256').update(text).digest())
  assert.ok(mine && others)
  const first = await store.take(merchant, key, mine)
  assert.ok('useId' in first)
  await store.release(merchant, key, first.useId)
  assert.equal((await store.take(merchant, key, others)).use, 'first')
  await store.release(merchant, key, first.useId)
  assert.equal((await store.take(merchant, key, others)).use, 'running')
})
