import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { secret } from '#domain/secret.ts'
import { webhookId } from '#domain/signature/callback-headers.ts'
import { verifyWebhook } from '#domain/signature/signature.ts'
import { listLoggedCallbacks } from '#server/store/callbacks/callback-log.ts'
import { answers, type CallbackReceiver, reply, startReceiver } from '../../../test/callbacks/callback-receiver.ts'
import { callbackState, insertCallback, insertPayment } from '../../../test/callbacks/callback-rows.ts'
import { callbackScene, newSecret, until } from '../../../test/callbacks/callback-scene.ts'

const scene = callbackScene()

// biome-ignore format: a table is read in columns.
const acknowledgements = [
  // protocol    status  body                acknowledged
  [ 'S2S_CARD',  200,    'OK',               true  ],
  [ 'S2S_CARD',  200,    'ok',               true  ],
  [ 'S2S_CARD',  201,    ' \r\n Ok, thanks', true  ],
  [ 'S2S_CARD',  200,    '\uFEFFOK',         true  ],
  [ 'S2S_APM',   200,    'OK',               true  ],
  [ 'S2S_CARD',  200,    'ERROR',            false ],
  [ 'S2S_CARD',  200,    'NOT OK',           false ],
  [ 'S2S_CARD',  200,    '',                 false ],
  [ 'S2S_CARD',  204,    '',                 false ],
  [ 'S2S_CARD',  302,    'OK',               false ],
  [ 'S2S_CARD',  404,    'OK',               false ],
  [ 'S2S_CARD',  500,    'OK',               false ],
  [ 'CHECKOUT',  200,    'ERROR',            true  ],
  [ 'CHECKOUT',  204,    '',                 true  ],
  [ 'CHECKOUT',  302,    'OK',               false ],
  [ 'CHECKOUT',  500,    'OK',               false ],
] as const

describe('acknowledgement (Chapter 10 §11.1, chapter 20 §16, chapter 30 §5.1)', () => {
  for (const [protocol, status, body, acknowledged] of acknowledgements) {
    const verb = acknowledged ? 'acknowledges' : 'does not acknowledge'
    test(`${status} ${JSON.stringify(body)} ${verb} a callback of ${protocol}`, async () => {
      scene.receiver.answerWith(reply(status, body))
      const payment = await insertPayment(scene.pool, { protocol })
      const id = await insertCallback(scene.pool, payment, { url: scene.receiver.url() })
      await scene.deliverOnce()

      assert.equal(scene.receiver.received.length, 1)
      assert.equal((await callbackState(scene.pool, id)).state, acknowledged ? 'delivered' : 'due')
      const [logged] = await listLoggedCallbacks(scene.pool, payment)
      assert.deepEqual(
        logged?.attempts.map(({ attempt, httpStatus, fault, acknowledged }) => ({
          attempt,
          httpStatus,
          fault,
          acknowledged,
        })),
        [{ attempt: 1, httpStatus: status, fault: null, acknowledged }],
      )
    })
  }
})

describe('one attempt', () => {
  test('is a POST of the stored body with the documented headers', async () => {
    const body = 'action=SALE&custom_data%5Bcart%5D=778&note=caf%C3%A9'
    const payment = await insertPayment(scene.pool)
    const id = await insertCallback(scene.pool, payment, { url: scene.receiver.url('/notify?a=b'), body })
    await scene.deliverOnce()

    const [request] = scene.receiver.received
    assert.equal(request?.path, '/notify?a=b')
    assert.equal(request.body, body)
    assert.equal(request.headers['content-type'], 'application/x-www-form-urlencoded')
    assert.equal(request.headers['user-agent'], 'Gatehouse/0.1.0')
    assert.equal(request.headers['webhook-id'], webhookId(id))
    assert.equal(request.headers['webhook-timestamp'], String(scene.clock.now().getTime() / 1000))
    assert.equal(request.headers['webhook-sequence'], '1')
  })

  test('sends user name and password of the address as Basic authorization and removes them from the address', async () => {
    const address = scene.receiver.url('/notify').replace('://', '://shop%40eu:p%3Aw@')
    await scene.callback({ url: address })
    await scene.deliverOnce()
    const [request] = scene.receiver.received
    assert.equal(request?.path, '/notify')
    assert.equal(request.headers.authorization, `Basic ${Buffer.from('shop@eu:p:w').toString('base64')}`)
  })

  // biome-ignore format: a table is read in columns.
  const halves = [
    // in the address  sent
    ['token@',         'token:'],
    [':pw@',           ':pw'   ],
  ] as const
  for (const [written, pair] of halves) {
    test(`also sends ${written} as Basic authorization`, async () => {
      await scene.callback({ url: scene.receiver.url().replace('://', `://${written}`) })
      await scene.deliverOnce()
      const [request] = scene.receiver.received
      assert.equal(request?.headers.authorization, `Basic ${Buffer.from(pair).toString('base64')}`)
    })
  }

  test('has an alphanumeric identifier that stays the same', async () => {
    scene.receiver.answerWith(answers.broken)
    await scene.callback({ url: scene.receiver.url(), retrySeconds: [0] })
    await scene.deliverOnce()
    const ids = scene.receiver.received.map(({ headers }) => String(headers['webhook-id']))
    assert.ok(ids.length > 1)
    assert.deepEqual(new Set(ids).size, 1)
    assert.match(ids[0] ?? '', /^msg_[0-9a-f]{32}$/)
  })

  test('is signed with every active secret over the raw body', async () => {
    const secrets = [newSecret(), newSecret()]
    const payment = await insertPayment(scene.pool)
    await insertCallback(scene.pool, payment, { url: scene.receiver.url(), body: '{"note":"café ☕"}' })
    await scene.deliverOnce({ readSecrets: async () => ({ webhookSecrets: secrets.map(secret) }) })

    const [request] = scene.receiver.received
    assert.ok(request)
    const headers = {
      id: String(request.headers['webhook-id']),
      timestamp: String(request.headers['webhook-timestamp']),
      signature: String(request.headers['webhook-signature']),
    }
    const nowSeconds = scene.clock.now().getTime() / 1000
    for (const each of secrets) assert.ok(verifyWebhook(each, headers, request.body, { nowSeconds }))
    assert.equal(headers.signature.split(' ').length, 2)
    assert.ok(!verifyWebhook(newSecret(), headers, request.body, { nowSeconds }))
    assert.ok(!verifyWebhook(secrets[0] ?? '', headers, `${request.body} `, { nowSeconds }))
  })

  test('does not follow a redirect', async () => {
    const elsewhere = await startReceiver()
    scene.receiver.answerWith(reply(302, 'OK', { location: elsewhere.url() }))
    await scene.callback({ url: scene.receiver.url() })
    await scene.deliverOnce()
    await elsewhere.close()

    assert.equal(scene.receiver.received.length, 1)
    assert.equal(elsewhere.received.length, 0)
  })

  // biome-ignore format: a table is read in columns.
  const faults = [
    // receiver                          answer                                                        fault
    [ 'resets the connection',           answers.reset,                                                /^The exchange failed: / ],
    [ 'never answers',                   answers.hang,                                                 /^No answer in time\.$/  ],
    [ 'answers late',                    ((response) => setTimeout(() => response.end('OK'), 450)),    /^No answer in time\.$/  ],
    [ 'never ends its answer',           ((response) => response.write('OK')),                         /^No answer in time\.$/  ],
  ] as const satisfies readonly (readonly [string, Parameters<CallbackReceiver['answerWith']>[0], RegExp])[]

  for (const [what, answer, fault] of faults) {
    test(`fails and is tried again when the receiver ${what}`, async () => {
      scene.receiver.answerWith(answer)
      const payment = await insertPayment(scene.pool)
      const id = await insertCallback(scene.pool, payment, { url: scene.receiver.url() })
      await scene.deliverOnce()

      const { state, attempts } = await callbackState(scene.pool, id)
      assert.deepEqual({ state, attempts }, { state: 'due', attempts: 1 })
      const [logged] = await listLoggedCallbacks(scene.pool, payment)
      assert.equal(logged?.attempts[0]?.httpStatus, null)
      assert.match(String(logged?.attempts[0]?.fault), fault)
    })
  }

  test('fails and is retried if nothing listens at the address', async () => {
    const payment = await insertPayment(scene.pool)
    const id = await insertCallback(scene.pool, payment, { url: scene.receiver.url() })
    await scene.receiver.close()
    await scene.deliverOnce()

    assert.equal((await callbackState(scene.pool, id)).attempts, 1)
    const [logged] = await listLoggedCallbacks(scene.pool, payment)
    assert.equal(logged?.attempts[0]?.fault, 'The exchange failed: ECONNREFUSED.')
  })

  test('reads the first 4 KiB of an endless answer and stores what a database can hold', async () => {
    scene.receiver.answerWith((response) => {
      response.write('OK\0')
      const timer = setInterval(() => response.write('x'.repeat(10_000)), 1)
      response.on('close', () => clearInterval(timer))
    })
    const payment = await insertPayment(scene.pool)
    const id = await insertCallback(scene.pool, payment, { url: scene.receiver.url() })
    await scene.deliverOnce()

    assert.equal((await callbackState(scene.pool, id)).state, 'delivered')
    const [logged] = await listLoggedCallbacks(scene.pool, payment)
    assert.equal(logged?.attempts[0]?.answer, `OK\uFFFD${'x'.repeat(4093)}`)
  })

  test('reads 4 KiB to the last byte, even if the last byte comes separately', async () => {
    scene.receiver.answerWith((response) => {
      response.write(`OK${'x'.repeat(4093)}`)
      setTimeout(() => response.end('z'), 50)
    })
    const payment = await insertPayment(scene.pool)
    await insertCallback(scene.pool, payment, { url: scene.receiver.url() })
    await scene.deliverOnce({ timeoutMs: 5_000 })
    const [logged] = await listLoggedCallbacks(scene.pool, payment)
    assert.equal(logged?.attempts[0]?.answer, `OK${'x'.repeat(4093)}z`)
  })

  test('to a private address is refused without a connection, unless allowed (Chapter 10 §11.1, "Addresses")', async () => {
    const payment = await insertPayment(scene.pool)
    await insertCallback(scene.pool, payment, { url: scene.receiver.url() })
    const named = await insertPayment(scene.pool)
    await insertCallback(scene.pool, named, { url: `http://shop.example:${scene.receiver.port}/` })
    await scene.deliverOnce({
      addresses: { allowPrivate: false, resolve: async () => [{ address: '127.0.0.1', family: 4 }] },
    })

    assert.equal(scene.receiver.received.length, 0)
    for (const { merchantId } of [payment, named]) {
      const [logged] = await listLoggedCallbacks(scene.pool, { merchantId })
      assert.equal(logged?.state, 'due')
      assert.match(String(logged?.attempts[0]?.fault), /^The address of [a-z0-9.]+ is refused: loopback\.$/)
    }
  })

  test('uses up no attempt if the fault is ours', async () => {
    const id = await scene.callback({ url: scene.receiver.url() })
    let vaultIsAway = true
    const worker = scene.start({
      leaseSeconds: 0.2,
      readSecrets: async () => {
        if (vaultIsAway) throw new Error('The vault is away.')
        return { webhookSecrets: [secret(newSecret())] }
      },
    })
    await worker.awaitIdle()
    assert.equal(scene.receiver.received.length, 0)
    assert.equal((await callbackState(scene.pool, id)).attempts, 0)

    vaultIsAway = false
    await until(async () => (await callbackState(scene.pool, id)).state === 'delivered')
  })
})
