import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, afterEach, before, test } from 'node:test'
import {
  callbackState,
  insertCallback,
  insertPayment,
  madeAt,
  type PaymentFixture,
} from '../../../test/callbacks/callback-rows.ts'
import { type TestDatabase, testDatabase } from '../../../test/database.ts'
import type { CallbackAttempt, CallbackNext } from '../../contracts/ports.ts'
import { listBlockedUrls, listLoggedCallbacks, readBacklog, unblock } from './callback-log.ts'
import { resend, resendRange } from './callback-resend.ts'
import { callbackRows } from './callbacks.ts'

const url = 'https://shop.example/notify'
const later = (seconds: number): Date => new Date(madeAt.getTime() + seconds * 1000)
const attempt: CallbackAttempt = {
  at: madeAt,
  durationMs: 5,
  httpStatus: 200,
  answer: 'ERROR',
  fault: null,
  acknowledged: false,
}

let database: TestDatabase
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())
afterEach(() => database.pool.query('truncate callbacks, callback_attempts, callback_urls, payments cascade'))

/** Creates a callback that has already been delivered or has failed. */
async function ended(
  payment: PaymentFixture,
  state: 'delivered' | 'failed',
  at = madeAt,
  sequence = 1,
): Promise<string> {
  const id = await insertCallback(database.pool, payment, { url, at, sequence })
  await settleNext({ state }, at)
  return id
}

async function settleNext(next: CallbackNext, now = madeAt): Promise<void> {
  const [claimed] = await callbackRows(database.pool).claim(now, 1, 60)
  assert.ok(claimed)
  await callbackRows(database.pool).settle(claimed, { ...attempt, at: now }, next)
}

test('the log shows each callback of a payment with every attempt, and no callback of another payment', async () => {
  const payment = await insertPayment(database.pool)
  await ended(await insertPayment(database.pool, { merchantId: payment.merchantId }), 'delivered')
  await ended(await insertPayment(database.pool), 'delivered')
  const id = await insertCallback(database.pool, payment, { url, body: 'a=b' })
  await settleNext({ state: 'due', nextAt: later(60), counts: true })
  await settleNext({ state: 'failed' }, later(60))

  const [logged, ...others] = await listLoggedCallbacks(database.pool, payment)
  assert.deepEqual(others, [])
  assert.ok(logged)
  const { transactionId, ...rest } = logged
  assert.match(transactionId, /^[0-9a-f-]{36}$/)
  assert.deepEqual(rest, {
    merchantId: payment.merchantId,
    id,
    paymentId: payment.paymentId,
    sequence: 1,
    url,
    contentType: 'application/x-www-form-urlencoded',
    body: 'a=b',
    state: 'failed',
    nextAt: null,
    createdAt: madeAt,
    endedAt: new Date(later(60).getTime() + 5),
    attempts: [
      { attempt: 1, at: madeAt, durationMs: 5, httpStatus: 200, answer: 'ERROR', fault: null, acknowledged: false },
      { attempt: 2, at: later(60), durationMs: 5, httpStatus: 200, answer: 'ERROR', fault: null, acknowledged: false },
    ],
  })
})

test("paging through a merchant's log skips nothing, with and without a state filter", async () => {
  const merchantId = randomUUID()
  const ids = []
  for (let index = 0; index < 5; index += 1) {
    ids.push(await ended(await insertPayment(database.pool, { merchantId }), index < 2 ? 'failed' : 'delivered'))
  }
  const seen = []
  let before: string | undefined
  for (;;) {
    const page = await listLoggedCallbacks(database.pool, { merchantId, limit: 2, ...(before ? { before } : {}) })
    seen.push(...page.map(({ id }) => id))
    before = page.at(-1)?.id
    if (page.length < 2) break
  }
  assert.deepEqual(seen, ids.toSorted().reverse())

  const failed = await listLoggedCallbacks(database.pool, { merchantId, state: 'failed' })
  assert.deepEqual(
    failed.map(({ id }) => id),
    ids.slice(0, 2).toSorted().reverse(),
  )
  assert.deepEqual(await listLoggedCallbacks(database.pool, { merchantId, state: 'due' }), [])
})

for (const state of ['failed', 'delivered'] as const) {
  test(`a ${state} callback that is resent is due at once, restarts its retry plan and continues the attempt numbers`, async () => {
    const payment = await insertPayment(database.pool)
    const id = await ended(payment, state)
    assert.equal(
      await resend(database.pool, { merchantId: payment.merchantId, callbackId: id, now: later(500) }),
      'resent',
    )
    const { state: now, attempts, next_at: nextAt, ended_at: endedAt } = await callbackState(database.pool, id)
    assert.deepEqual({ now, attempts, nextAt, endedAt }, { now: 'due', attempts: 0, nextAt: later(500), endedAt: null })

    await settleNext({ state: 'delivered' }, later(500))
    const [logged] = await listLoggedCallbacks(database.pool, payment)
    assert.deepEqual(
      logged?.attempts.map(({ attempt, at }) => [attempt, at]),
      [
        [1, madeAt],
        [2, later(500)],
      ],
    )
  })
}

test('a callback that waits for its next attempt can be sent at once', async () => {
  const payment = await insertPayment(database.pool)
  const id = await insertCallback(database.pool, payment, { url })
  await settleNext({ state: 'due', nextAt: later(3600), counts: true })
  assert.equal(await resend(database.pool, { merchantId: payment.merchantId, callbackId: id, now: later(1) }), 'resent')
  assert.deepEqual((await callbackState(database.pool, id)).next_at, later(1))
})

test('a callback that is being delivered is not resent, nor is one of another merchant', async () => {
  const payment = await insertPayment(database.pool)
  const id = await insertCallback(database.pool, payment, { url })
  await callbackRows(database.pool).claim(madeAt, 1, 60)
  const before = await callbackState(database.pool, id)
  assert.equal(
    await resend(database.pool, { merchantId: payment.merchantId, callbackId: id, now: later(1) }),
    'in-flight',
  )
  assert.equal(await resend(database.pool, { merchantId: randomUUID(), callbackId: id, now: later(1) }), 'unknown')
  assert.deepEqual(await callbackState(database.pool, id), before)
})

test('resending a time range includes its start, excludes its end, and keeps to the merchant and the state', async () => {
  const payment = await insertPayment(database.pool)
  const ids = []
  for (const [index, seconds] of [0, 10, 20, 30].entries())
    ids.push(await ended(payment, 'failed', later(seconds), index + 1))
  const delivered = await ended(payment, 'delivered', later(11), 5)
  const foreign = await ended(await insertPayment(database.pool), 'failed', later(11))

  const range = { merchantId: payment.merchantId, from: later(10), to: later(30), state: 'failed' } as const
  assert.equal(await resendRange(database.pool, range, later(100)), 2)
  const states = await Promise.all([...ids, delivered, foreign].map((id) => callbackState(database.pool, id)))
  assert.deepEqual(
    states.map(({ state }) => state),
    ['failed', 'due', 'due', 'failed', 'delivered', 'failed'],
  )

  assert.equal(await resendRange(database.pool, { ...range, state: 'delivered' }, later(100)), 1)
  assert.equal(await resendRange(database.pool, range, later(100)), 0)
})

test('unblocking an address makes only its deferred callbacks due', async () => {
  const rows = callbackRows(database.pool)
  for (let time = 0; time < 4; time += 1) await rows.countTimeout(url, madeAt)
  const until = await rows.countTimeout(url, madeAt)
  assert.ok(until)
  assert.deepEqual(await listBlockedUrls(database.pool, madeAt), [{ url, until }])

  const deferred = await insertCallback(database.pool, await insertPayment(database.pool), { url })
  await settleNext({ state: 'due', nextAt: until, counts: false })
  const retried = await insertCallback(database.pool, await insertPayment(database.pool), { url })
  await settleNext({ state: 'due', nextAt: later(1000), counts: true })
  const elsewhere = await insertCallback(database.pool, await insertPayment(database.pool), {
    url: `${url}/other`,
    at: until,
  })

  assert.equal(await unblock(database.pool, url, later(1)), true)
  const nextAt = async (id: string) => (await callbackState(database.pool, id)).next_at
  assert.deepEqual(await Promise.all([deferred, retried, elsewhere].map(nextAt)), [later(1), later(1000), until])
  assert.deepEqual(await listBlockedUrls(database.pool, later(1)), [])
  assert.equal(await unblock(database.pool, url, later(1)), false)
})

test('the backlog counts waiting, late, failed and blocked callbacks', async () => {
  const nothing = { waiting: 0, late: 0, oldestLateAt: null, failed: 0, blockedUrls: 0 }
  assert.deepEqual(await readBacklog(database.pool, madeAt), nothing)

  await ended(await insertPayment(database.pool), 'failed')
  await ended(await insertPayment(database.pool), 'delivered')
  for (const seconds of [5, 10, 20]) {
    await insertCallback(database.pool, await insertPayment(database.pool), { url, at: later(seconds) })
  }
  for (let time = 0; time < 5; time += 1) await callbackRows(database.pool).countTimeout(url, later(10))
  const expected = { waiting: 3, late: 2, oldestLateAt: later(5), failed: 1, blockedUrls: 1 }
  assert.deepEqual(await readBacklog(database.pool, later(10)), expected)
})
