import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { limits } from '#domain/limits.ts'
import { listBlockedUrls, unblock } from '#server/store/callbacks/callback-log.ts'
import { callbackRows } from '#server/store/callbacks/callbacks.ts'
import { answers } from '../../../test/callbacks/callback-receiver.ts'
import { callbackState } from '../../../test/callbacks/callback-rows.ts'
import { callbackScene } from '../../../test/callbacks/callback-scene.ts'

const scene = callbackScene()

describe('a blocked URL (Chapter 10 §11.1, "Blocked URL")', () => {
  const { blockAfterTimeouts, blockedMs } = limits.callback

  async function timeOut(times: number): Promise<void> {
    scene.receiver.answerWith(answers.hang)
    for (let time = 0; time < times; time += 1) {
      await scene.callback({ url: scene.receiver.url(), retrySeconds: [] })
    }
    await scene.deliverOnce({ timeoutMs: 100 })
  }

  test('defers deliveries of all merchants for 15 minutes and uses up no attempt', async () => {
    await timeOut(blockAfterTimeouts)
    const requests = scene.receiver.received.length
    scene.receiver.answerWith(answers.ok)
    const id = await scene.callback({ url: scene.receiver.url() })
    const results: string[] = []
    const worker = scene.start({ onResult: (result) => void results.push(result) })
    await worker.awaitIdle()
    assert.deepEqual(results, ['deferred'])
    const { state, attempts } = await callbackState(scene.pool, id)
    assert.deepEqual(
      { requests: scene.receiver.received.length, state, attempts },
      { requests, state: 'due', attempts: 0 },
    )

    scene.clock.move(blockedMs / 1000 - 1)
    await worker.awaitIdle()
    assert.equal(scene.receiver.received.length, requests)
    scene.clock.move(2)
    await worker.awaitIdle()
    assert.equal((await callbackState(scene.pool, id)).state, 'delivered')
  })

  test('does not affect another URL on the same host', async () => {
    await timeOut(blockAfterTimeouts)
    scene.receiver.answerWith(answers.ok)
    const id = await scene.callback({ url: scene.receiver.url('/other') })
    await scene.deliverOnce()
    assert.equal((await callbackState(scene.pool, id)).state, 'delivered')
  })

  test('is caused by five timeouts and not by four', async () => {
    await timeOut(blockAfterTimeouts - 1)
    scene.receiver.answerWith(answers.ok)
    const id = await scene.callback({ url: scene.receiver.url() })
    await scene.deliverOnce()
    assert.equal((await callbackState(scene.pool, id)).state, 'delivered')
  })

  test('is not caused by timeouts with a success in between', async () => {
    await timeOut(blockAfterTimeouts - 1)
    scene.receiver.answerWith(answers.ok)
    await scene.callback({ url: scene.receiver.url() })
    await scene.deliverOnce()
    await timeOut(1)
    scene.receiver.answerWith(answers.ok)
    const id = await scene.callback({ url: scene.receiver.url() })
    await scene.deliverOnce()
    assert.equal((await callbackState(scene.pool, id)).state, 'delivered')
  })

  test('is caused by timeouts with a wrong answer in between, because only an acknowledgement ends the count', async () => {
    await timeOut(blockAfterTimeouts - 1)
    scene.receiver.answerWith(answers.broken)
    await scene.callback({ url: scene.receiver.url(), retrySeconds: [] })
    await scene.deliverOnce()
    await timeOut(1)
    assert.equal((await listBlockedUrls(scene.pool, scene.clock.now())).length, 1)
  })

  test('is logged once, with its host', async () => {
    scene.receiver.answerWith(answers.hang)
    for (let time = 0; time < blockAfterTimeouts; time += 1)
      await scene.callback({ url: scene.receiver.url(), retrySeconds: [60] })
    const warned: object[] = []
    const ignore = (): void => undefined
    await scene.deliverOnce({
      timeoutMs: 100,
      log: { debug: ignore, info: ignore, error: ignore, warn: (fields) => warned.push(fields) },
    })
    const until = new Date(scene.clock.now().getTime() + blockedMs)
    assert.deepEqual(warned, [{ engine: 'callbacks', host: new URL(scene.receiver.url()).host, until }])
  })

  test('is not caused by timeouts spread over more than five minutes', async () => {
    await timeOut(blockAfterTimeouts - 1)
    scene.clock.move(5 * 60 + 1)
    await timeOut(1)
    scene.receiver.answerWith(answers.ok)
    const id = await scene.callback({ url: scene.receiver.url() })
    await scene.deliverOnce()
    assert.equal((await callbackState(scene.pool, id)).state, 'delivered')
  })

  test('is not caused by wrong answers', async () => {
    scene.receiver.answerWith(answers.broken)
    for (let time = 0; time < blockAfterTimeouts + 1; time += 1) {
      await scene.callback({ url: scene.receiver.url(), retrySeconds: [] })
    }
    await scene.deliverOnce()
    scene.receiver.answerWith(answers.ok)
    const id = await scene.callback({ url: scene.receiver.url() })
    await scene.deliverOnce()
    assert.equal((await callbackState(scene.pool, id)).state, 'delivered')
  })

  test('delivers deferred callbacks at once when it is unblocked', async () => {
    await timeOut(blockAfterTimeouts)
    scene.receiver.answerWith(answers.ok)
    const id = await scene.callback({ url: scene.receiver.url() })
    const worker = scene.start()
    await worker.awaitIdle()
    assert.equal((await callbackState(scene.pool, id)).state, 'due')

    assert.equal(await unblock(scene.pool, scene.receiver.url(), scene.clock.now()), true)
    await worker.awaitIdle()
    assert.equal((await callbackState(scene.pool, id)).state, 'delivered')
    assert.equal(await unblock(scene.pool, scene.receiver.url(), scene.clock.now()), false)
  })

  test('is not blocked again by timeouts of requests that began before the unblocking', async () => {
    await timeOut(blockAfterTimeouts)
    const begun = scene.clock.now()
    scene.clock.move(1)
    assert.equal(await unblock(scene.pool, scene.receiver.url(), scene.clock.now()), true)
    scene.clock.move(1)
    const rows = callbackRows(scene.pool)
    const timeOutLate = async (): Promise<void> => {
      for (let time = 0; time < blockAfterTimeouts; time += 1)
        assert.equal(await rows.countTimeout(scene.receiver.url(), scene.clock.now(), begun), null)
    }
    await timeOutLate()
    // A success in between does not make them count either.
    await timeOut(1)
    scene.receiver.answerWith(answers.ok)
    await scene.callback({ url: scene.receiver.url() })
    await scene.deliverOnce()
    await timeOutLate()
  })

  test('is not blocked again by what a worker was sending at the unblocking', async () => {
    await timeOut(blockAfterTimeouts - 1)
    const arrived = Promise.withResolvers<void>()
    scene.receiver.answerWith(() => arrived.resolve())
    for (let time = 0; time < blockAfterTimeouts; time += 1)
      await scene.callback({ url: scene.receiver.url(), retrySeconds: [] })
    const worker = scene.start({ timeoutMs: 1000 })
    await arrived.promise
    await callbackRows(scene.pool).countTimeout(scene.receiver.url(), scene.clock.now())
    scene.clock.move(1)
    assert.equal(await unblock(scene.pool, scene.receiver.url(), scene.clock.now()), true)
    scene.clock.move(1)
    await worker.awaitIdle()
    assert.deepEqual(await listBlockedUrls(scene.pool, scene.clock.now()), [])
  })

  test('is blocked again by requests that began after the unblocking', async () => {
    await timeOut(blockAfterTimeouts)
    scene.clock.move(1)
    assert.equal(await unblock(scene.pool, scene.receiver.url(), scene.clock.now()), true)
    scene.clock.move(1)
    await timeOut(blockAfterTimeouts)
    assert.equal((await listBlockedUrls(scene.pool, scene.clock.now())).length, 1)
  })

  test('is identified without its query and credentials', async () => {
    scene.receiver.answerWith(answers.hang)
    for (let time = 0; time < blockAfterTimeouts; time += 1) {
      const url = scene.receiver.url(`/notify?order=${time}`).replace('://', `://shop:pw${time}@`)
      await scene.callback({ url, retrySeconds: [] })
    }
    await scene.deliverOnce({ timeoutMs: 100 })
    const [blocked] = await listBlockedUrls(scene.pool, scene.clock.now())
    assert.equal(blocked?.url, scene.receiver.url('/notify'))
    const requests = scene.receiver.received.length
    await scene.callback({ url: scene.receiver.url('/notify?order=9') })
    await scene.deliverOnce()
    assert.equal(scene.receiver.received.length, requests)
  })
})
