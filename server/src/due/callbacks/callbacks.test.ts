import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { callbackRows } from '#server/store/callbacks/callbacks.ts'
import { answers, reply, startReceiver } from '../../../test/callbacks/callback-receiver.ts'
import { callbackState, insertCallback, insertPayment } from '../../../test/callbacks/callback-rows.ts'
import { callbackScene, until } from '../../../test/callbacks/callback-scene.ts'
import type { DeliveryResult } from './callbacks.ts'

const scene = callbackScene()

describe('retries', () => {
  test('follow the plan with jitter, with the same body and id, and end as failed after ten attempts', async () => {
    scene.receiver.answerWith(answers.broken)
    const id = await scene.callback({ url: scene.receiver.url() })
    const results: DeliveryResult[] = []
    const worker = scene.start({ onResult: (result) => results.push(result) })

    // Chapter 10 §11.1: 1 m, 5 m, 15 m, 30 m, 1 h, 3 h, 6 h, 12 h, 24 h.
    const plan = [1, 5, 15, 30, 60, 180, 360, 720, 1440].map((minutes) => minutes * 60)
    for (const [index, seconds] of plan.entries()) {
      await worker.awaitIdle()
      assert.equal(scene.receiver.received.length, index + 1)
      const { next_at: nextAt, attempts } = await callbackState(scene.pool, id)
      assert.ok(nextAt)
      assert.equal(attempts, index + 1)
      const waitSeconds = (nextAt.getTime() - scene.clock.now().getTime()) / 1000
      assert.ok(waitSeconds >= seconds && waitSeconds <= seconds * 1.1, `${waitSeconds} s instead of ${seconds} s`)

      scene.clock.moveTo(new Date(nextAt.getTime() - 1))
      await worker.awaitIdle()
      assert.equal(scene.receiver.received.length, index + 1)
      scene.clock.moveTo(nextAt)
    }
    await worker.awaitIdle()
    assert.equal(scene.receiver.received.length, 10)
    assert.deepEqual(results, [...Array<string>(9).fill('retry'), 'failed'])
    const { state, attempts, ended_at: endedAt } = await callbackState(scene.pool, id)
    assert.deepEqual({ state, attempts }, { state: 'failed', attempts: 10 })
    assert.ok(endedAt)

    scene.clock.move(30 * 86_400)
    await worker.awaitIdle()
    assert.equal(scene.receiver.received.length, 10)
    assert.equal(
      new Set(scene.receiver.received.map(({ headers, body }) => `${String(headers['webhook-id'])} ${body}`)).size,
      1,
    )
  })

  test("follow the merchant's own plan if there is one", async () => {
    scene.receiver.answerWith(answers.error)
    const id = await scene.callback({
      url: scene.receiver.url(),
      retrySeconds: [7],
    })
    const worker = scene.start()
    await worker.awaitIdle()
    scene.clock.move(8)
    await worker.awaitIdle()
    assert.equal(scene.receiver.received.length, 2)
    assert.equal((await callbackState(scene.pool, id)).state, 'failed')
  })
})

describe('order per payment (Chapter 10 §11.1, "Order")', () => {
  test('the next callback waits until the previous one is acknowledged; other payments do not wait', async () => {
    scene.receiver.answerWith((response, { headers }) =>
      response.end(headers['webhook-sequence'] === '1' ? 'ERROR' : 'OK'),
    )
    const payment = await insertPayment(scene.pool)
    for (const sequence of [1, 2, 3]) await insertCallback(scene.pool, payment, { url: scene.receiver.url(), sequence })
    const other = await insertPayment(scene.pool)
    await insertCallback(scene.pool, other, { url: scene.receiver.url(), sequence: 2 })

    const worker = scene.start()
    await worker.awaitIdle()
    assert.deepEqual(new Set(scene.numbers()), new Set(['1', '2']))
    assert.equal(scene.receiver.received.length, 2)
    assert.ok(scene.receiver.received.some(({ body }) => body === `trans_id=${other.paymentId}&number=2`))

    scene.clock.move(60 * 1.1)
    scene.receiver.answerWith(answers.ok)
    scene.receiver.received.length = 0
    await worker.awaitIdle()
    assert.deepEqual(scene.numbers(), ['1', '2', '3'])
  })

  test('the next callback is sent when the previous one has failed for good', async () => {
    scene.receiver.answerWith((response, { headers }) =>
      response.end(headers['webhook-sequence'] === '1' ? 'ERROR' : 'OK'),
    )
    const payment = await insertPayment(scene.pool)
    await insertCallback(scene.pool, payment, { url: scene.receiver.url(), sequence: 1, retrySeconds: [] })
    const second = await insertCallback(scene.pool, payment, { url: scene.receiver.url(), sequence: 2 })
    await scene.deliverOnce()

    assert.deepEqual(scene.numbers(), ['1', '2'])
    assert.equal((await callbackState(scene.pool, second)).state, 'delivered')
  })

  for (const [what, answer] of [
    ['was delivered', 'OK'],
    ['has failed for good', 'ERROR'],
  ] as const)
    test(`the next callback is sent at once when the previous one ${what}, without waiting for a poll`, async () => {
      scene.receiver.answerWith((response) => response.end(answer))
      const payment = await insertPayment(scene.pool)
      for (const sequence of [1, 2])
        await insertCallback(scene.pool, payment, { url: scene.receiver.url(), sequence, retrySeconds: [] })
      scene.start({ pollMs: 3_600_000 })
      await until(async () => scene.receiver.received.length === 2)
      assert.deepEqual(scene.numbers(), ['1', '2'])
    })

  test('a delivery without a next callback makes the worker look for no more work', async () => {
    const id = await scene.callback({ url: scene.receiver.url() })
    const rows = callbackRows(scene.pool)
    let looks = 0
    const claim: typeof rows.claim = (...parameters) => {
      looks += 1
      return rows.claim(...parameters)
    }
    scene.start({ rows: { ...rows, claim }, pollMs: 3_600_000 })
    await until(async () => (await callbackState(scene.pool, id)).state === 'delivered')
    await sleep(100)
    assert.equal(looks, 1)
  })

  test('the next callback does not overtake one that is being delivered', async () => {
    let finish = (): void => undefined
    scene.receiver.answerWith((response) => {
      finish = () => response.end('OK')
    })
    const payment = await insertPayment(scene.pool)
    for (const sequence of [1, 2]) await insertCallback(scene.pool, payment, { url: scene.receiver.url(), sequence })
    const worker = scene.start({ timeoutMs: 5000 })
    await until(async () => scene.receiver.received.length > 0)
    await sleep(100)
    assert.deepEqual(scene.numbers(), ['1'])

    scene.receiver.answerWith(answers.ok)
    finish()
    await worker.awaitIdle()
    assert.deepEqual(scene.numbers(), ['1', '2'])
  })
})

describe('results that are stored together', () => {
  test('a result may wait for others while other deliveries are under way, and the last one may not', async () => {
    const rows = callbackRows(scene.pool)
    const mayWait: (boolean | undefined)[] = []
    const settle: typeof rows.settle = (callback, attempt, next, othersUnderWay) => {
      mayWait.push(othersUnderWay)
      for (const finish of held.splice(0)) finish()
      return rows.settle(callback, attempt, next, othersUnderWay)
    }
    const held: (() => void)[] = []
    scene.receiver.answerWith((response) => {
      if (scene.receiver.received.length < 2) held.push(() => response.end('OK'))
      else response.end('OK')
    })
    const ids = [
      await scene.callback({ url: scene.receiver.url() }),
      await scene.callback({ url: scene.receiver.url('/other') }),
    ]
    await scene.deliverOnce({ rows: { ...rows, settle }, timeoutMs: 5000 })
    assert.deepEqual(mayWait, [true, false])
    for (const id of ids) assert.equal((await callbackState(scene.pool, id)).state, 'delivered')
  })

  test('a worker that is stopped stores the results that were waiting', async () => {
    const url = scene.receiver.url()
    let finish = (): void => undefined
    scene.receiver.answerWith((response) => {
      if (scene.receiver.received.length === 2) finish = () => response.end('OK')
      else response.end('OK')
    })
    const ids = [await scene.callback({ url }), await scene.callback({ url })]
    const worker = scene.start({ timeoutMs: 5000 })
    await until(async () => scene.receiver.received.length === 2)
    const stopped = worker.stop()
    finish()
    await stopped
    for (const id of ids) assert.equal((await callbackState(scene.pool, id)).state, 'delivered')
  })
})

describe('several processes', () => {
  test('a callback claimed by a process that died is delivered when its lease expires', async () => {
    const id = await scene.callback({ url: scene.receiver.url() })
    const [claimed] = await callbackRows(scene.pool).claim(scene.clock.now(), 10, 0.5)
    assert.equal(claimed?.id, id)

    const worker = scene.start()
    await worker.awaitIdle()
    assert.equal(scene.receiver.received.length, 0)
    await until(async () => (await callbackState(scene.pool, id)).state === 'delivered')
    assert.equal(scene.receiver.received.length, 1)
  })

  test('two workers deliver every callback once and in order, and never two of one payment at once', async () => {
    const [payments, each] = [40, 5]
    const open = new Set<string>()
    const overlaps: string[] = []
    scene.receiver.answerWith((response, { body }) => {
      const payment = String(/trans_id=([^&]+)/.exec(body)?.[1])
      if (open.has(payment)) overlaps.push(payment)
      open.add(payment)
      const answerMs = scene.receiver.received.length % 10
      setTimeout(() => {
        open.delete(payment)
        response.end('OK')
      }, answerMs)
    })
    for (let index = 0; index < payments; index += 1) {
      const payment = await insertPayment(scene.pool)
      for (let sequence = 1; sequence <= each; sequence += 1) {
        await insertCallback(scene.pool, payment, { url: scene.receiver.url(), sequence })
      }
    }
    const both = [scene.start({ timeoutMs: 5000 }), scene.start({ timeoutMs: 5000 })]
    await until(async () => {
      // Callbacks deferred behind another one are due again after a second.
      scene.clock.move(1)
      await Promise.all(both.map((worker) => worker.awaitIdle()))
      return scene.receiver.received.length >= payments * each
    })

    assert.deepEqual(overlaps, [])
    const order = Map.groupBy(scene.receiver.received, ({ body }) => String(/trans_id=([^&]+)/.exec(body)?.[1]))
    assert.equal(order.size, payments)
    for (const received of order.values()) {
      assert.deepEqual(
        received.map(({ headers }) => headers['webhook-sequence']),
        ['1', '2', '3', '4', '5'],
      )
    }
  })
})

test('the operator is warned of each callback that failed for good, and of no other', async () => {
  scene.receiver.answerWith((response, { headers }) =>
    response.end(headers['webhook-sequence'] === '1' ? 'ERROR' : 'OK'),
  )
  const payment = await insertPayment(scene.pool)
  const failed = await insertCallback(scene.pool, payment, {
    url: `${scene.receiver.url()}?token=secret`,
    sequence: 1,
    retrySeconds: [],
  })
  await insertCallback(scene.pool, payment, { url: scene.receiver.url(), sequence: 2 })
  const warned: object[] = []
  const raised: object[] = []
  const ignore = (): void => undefined
  await scene.deliverOnce({
    log: { debug: ignore, info: ignore, error: ignore, warn: (fields) => warned.push(fields) },
    alerts: { raise: async (alert) => void raised.push(alert) },
  })
  assert.deepEqual(warned, [{ engine: 'callbacks', ...payment, callbackId: failed, attempts: 1 }])
  const text = `Callbacks to ${scene.receiver.url()} were given up: no attempt was acknowledged. Send them again under Callbacks.`
  const { merchantId } = payment
  assert.deepEqual(raised, [{ kind: 'callback-failed', merchantId, paymentId: null, text, once: true }])
})

for (const [status, state] of [
  [200, 'delivered'],
  [299, 'delivered'],
  [300, 'due'],
] as const) {
  test(`an answer OK with HTTP status ${status} leaves the callback ${state}`, async () => {
    scene.receiver.answerWith(reply(status, 'OK'))
    const id = await scene.callback({ url: scene.receiver.url() })
    await scene.deliverOnce()
    assert.equal((await callbackState(scene.pool, id)).state, state)
  })
}

test('a hanging receiver does not delay other receivers', async () => {
  scene.receiver.answerWith(answers.hang)
  for (let index = 0; index < 40; index += 1) await scene.callback({ url: scene.receiver.url(`/order/${index}`) })
  const other = await startReceiver()
  const id = await scene.callback({ url: other.url(), at: new Date(scene.clock.now().getTime() + 1) })
  scene.clock.move(1)

  // Longer than `until` waits: a delivery that needed a slot of the hanging ones would fail the test.
  scene.start({ concurrency: 8, timeoutMs: 120_000 })
  await until(async () => (await callbackState(scene.pool, id)).state === 'delivered')
  // A quarter of the deliveries that may be under way: 8 slots, and 8 times as many that wait.
  assert.ok(scene.receiver.received.length <= 18, `${scene.receiver.received.length} requests to one host`)
  await other.close()
})

test('more hanging hosts than slots do not delay a host that was never tried', async () => {
  const hanging = await Promise.all(Array.from({ length: 12 }, startReceiver))
  for (const host of hanging) {
    host.answerWith(answers.hang)
    await scene.callback({ url: host.url() })
  }
  const id = await scene.callback({ url: scene.receiver.url(), at: new Date(scene.clock.now().getTime() + 1) })
  scene.clock.move(1)

  // Longer than `until` waits, as above.
  scene.start({ concurrency: 4, timeoutMs: 120_000 })
  await until(async () => (await callbackState(scene.pool, id)).state === 'delivered')
  await Promise.all(hanging.map((host) => host.close()))
})
