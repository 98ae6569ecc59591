import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { limits } from '#domain/limits.ts'
import { unblock } from '#server/store/callback-log.ts'
import { answers } from '../../test/callback-receiver.ts'
import { callbackState } from '../../test/callback-rows.ts'
import { callbackScene } from '../../test/callback-scene.ts'

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

  test('defers the deliveries of every merchant for 15 minutes and uses up no attempt', async () => {
    await timeOut(blockAfterTimeouts)
    const requests = scene.receiver.received.length
    scene.receiver.answerWith(answers.ok)
    const id = await scene.callback({ url: scene.receiver.url() })
    const engine = scene.start()
    await engine.idle()
    const { state, attempts } = await callbackState(scene.pool, id)
    assert.deepEqual(
      { requests: scene.receiver.received.length, state, attempts },
      { requests, state: 'due', attempts: 0 },
    )

    scene.clock.move(blockedMs / 1000 - 1)
    await engine.idle()
    assert.equal(scene.receiver.received.length, requests)
    scene.clock.move(2)
    await engine.idle()
    assert.equal((await callbackState(scene.pool, id)).state, 'delivered')
  })

  test('is another URL than its neighbour on the same host', async () => {
    await timeOut(blockAfterTimeouts)
    scene.receiver.answerWith(answers.ok)
    const id = await scene.callback({ url: scene.receiver.url('/other') })
    await scene.deliverOnce()
    assert.equal((await callbackState(scene.pool, id)).state, 'delivered')
  })

  test('takes five timeouts and not four', async () => {
    await timeOut(blockAfterTimeouts - 1)
    scene.receiver.answerWith(answers.ok)
    const id = await scene.callback({ url: scene.receiver.url() })
    await scene.deliverOnce()
    assert.equal((await callbackState(scene.pool, id)).state, 'delivered')
  })

  test('is not made by timeouts that a success divides', async () => {
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

  test('is not made by timeouts of more than five minutes', async () => {
    await timeOut(blockAfterTimeouts - 1)
    scene.clock.move(5 * 60 + 1)
    await timeOut(1)
    scene.receiver.answerWith(answers.ok)
    const id = await scene.callback({ url: scene.receiver.url() })
    await scene.deliverOnce()
    assert.equal((await callbackState(scene.pool, id)).state, 'delivered')
  })

  test('is not made by answers that are merely wrong', async () => {
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

  test('delivers at once what was deferred when it is unblocked', async () => {
    await timeOut(blockAfterTimeouts)
    scene.receiver.answerWith(answers.ok)
    const id = await scene.callback({ url: scene.receiver.url() })
    const engine = scene.start()
    await engine.idle()
    assert.equal((await callbackState(scene.pool, id)).state, 'due')

    assert.equal(await unblock(scene.pool, scene.receiver.url(), scene.clock.now()), true)
    await engine.idle()
    assert.equal((await callbackState(scene.pool, id)).state, 'delivered')
    assert.equal(await unblock(scene.pool, scene.receiver.url(), scene.clock.now()), false)
  })
})
