import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { apmFormulas, checkoutFormulas, sign, signCheckout, webhookSignature } from '#domain/signature/signature.ts'
import { systemClock } from '#server/process/clock.ts'
import { eventNames, makeEvent } from '../../../client/typescript/cli/sandbox-events.ts'
import { Gatehouse } from '../../../client/typescript/src/index.ts'
import { startReceiver } from '../../../server/test/receiver.ts'
import { openShop } from '../../../server/test/shop.ts'
import {
  type CommandRun,
  findUnusedUrl,
  openTestInstance,
  type RunOptions,
  runGatehouse,
  type TestInstance,
} from '../../test/gatehouse.ts'

let instance: TestInstance
let acme: { readonly password: string; readonly webhook_secret: string }
before(async () => {
  instance = await openTestInstance()
  acme = (await instance.do('merchant', 'create', 'acme', '--title', 'Acme', '--json')).json
  await instance.do('merchant', 'create', 'other', '--title', 'Other')
})
after(() => instance[Symbol.asyncDispose]())

interface Listening {
  readonly url: string
  readonly ended: Promise<CommandRun>
  end(): Promise<CommandRun>
}

/** A listener on a free port; it ends with the test. */
async function listen(t: TestContext, options: readonly string[], more: RunOptions = {}): Promise<Listening> {
  const ending = new AbortController()
  const { promise: url, resolve } = Promise.withResolvers<string>()
  const onLine = (line: string) => {
    const found = /Listening on (\S+);/.exec(line)?.[1]
    if (found) resolve(found)
  }
  const environment = more.environment ?? instance.environment
  const ended = runGatehouse(['listen', '--port', '0', ...options], {
    ...more,
    environment,
    signal: ending.signal,
    onLine,
  })
  const end = () => {
    ending.abort()
    return ended
  }
  t.after(end)
  const failed = ended.then((ran) => {
    throw new Error(`It does not listen: ${ran.err}`)
  })
  return {
    url: await Promise.race([url, failed]),
    ended,
    end,
  }
}

const transId = '01a1e54b-bace-77ed-81ec-04ecc686fb5e'

/** A payout callback: its formula needs only values that the callback itself contains. */
function callback({ password = acme.password, secret = acme.webhook_secret, status = 'SETTLED' } = {}) {
  const values = { trans_id: transId, order_id: 'ORDER-1', status }
  const hash = sign(apmFormulas.payoutCallback, values, { password, digest: 'md5' })
  const body = `action=CREDIT2VIRTUAL&result=SUCCESS&status=${status}&order_id=ORDER-1&trans_id=${transId}&hash=${hash}&amount=10.00&currency=EUR`
  return { body, headers: signedHeaders(secret, body, nowSeconds()) }
}

const nowSeconds = (): number => Math.floor(systemClock().now().getTime() / 1000)

const signedHeaders = (secret: string, body: string, seconds: number): Record<string, string> => ({
  'content-type': 'application/x-www-form-urlencoded',
  'webhook-id': 'msg_1',
  'webhook-timestamp': String(seconds),
  'webhook-sequence': '1',
  'webhook-signature': webhookSignature(secret, 'msg_1', seconds, body),
})

async function send(url: string, { body, headers }: { body: string; headers: Record<string, string> }) {
  const reply = await fetch(url, { method: 'POST', body, headers })
  return { status: reply.status, text: await reply.text() }
}

test('a valid callback is shown readably, verified and acknowledged', async (t) => {
  const listening = await listen(t, ['--once'])
  assert.deepEqual(await send(listening.url, callback()), { status: 200, text: 'OK' })
  const { code, out } = await listening.ended
  assert.equal(code, 0)
  assert.match(out, /CREDIT2VIRTUAL SUCCESS, now SETTLED: ORDER-1, 10\.00 EUR {2}\(acme\)/)
  assert.match(out, new RegExp(`trans_id +${transId}`))
  assert.match(out, /✔ hash is valid, by apm\.payout-callback with md5/)
  assert.match(out, /✔ webhook-signature is valid/)
})

test('a Checkout callback in JSON is read as well', async (t) => {
  const order = { order_number: 'order-1', order_amount: '0.19', order_currency: 'USD', order_description: 'Gift' }
  const hash = signCheckout(
    checkoutFormulas.callback,
    { id: transId, ...order },
    { password: acme.password, digest: 'md5' },
  )
  const body = JSON.stringify({ id: transId, ...order, type: 'sale', status: 'success', order_status: 'settled', hash })
  const headers = signedHeaders(acme.webhook_secret, body, nowSeconds())
  const listening = await listen(t, ['--once', '--merchant', 'acme'])
  await send(listening.url, { body, headers })
  const { code, out } = await listening.ended
  assert.equal(code, 0)
  assert.match(out, /sale success, now settled: order-1, 0\.19 USD/)
})

test('a callback that was tampered with is acknowledged, and its faults are reported', async (t) => {
  const listening = await listen(t, ['--once'])
  const { body, headers } = callback()
  assert.equal((await send(listening.url, { body: body.replace('SETTLED', 'REFUND'), headers })).text, 'OK')
  const { code, out } = await listening.ended
  assert.equal(code, 1)
  assert.match(out, /✖ hash is invalid: no known password matches apm\.payout-callback/)
  assert.match(out, /✖ webhook-signature is invalid: no known secret matches/)
})

test('--strict answers ERROR to a callback that does not verify', async (t) => {
  const listening = await listen(t, ['--strict'])
  assert.deepEqual(await send(listening.url, callback({ password: 'wrong' })), { status: 400, text: 'ERROR' })
  assert.deepEqual(await send(listening.url, callback()), { status: 200, text: 'OK' })
  assert.equal((await listening.end()).code, 0)
})

test('if one merchant is named, a callback of another merchant does not verify', async (t) => {
  const listening = await listen(t, ['--once', '--merchant', 'other'])
  await send(listening.url, callback())
  assert.equal((await listening.ended).code, 1)
})

test('a replayed callback is recognised by its old timestamp', async (t) => {
  const { body } = callback()
  const listening = await listen(t, ['--once'])
  await send(listening.url, {
    body,
    headers: signedHeaders(acme.webhook_secret, body, nowSeconds() - 3600),
  })
  assert.match(
    (await listening.ended).out,
    /✖ webhook-signature is invalid: it matches, but its timestamp is 36\d\d s off/,
  )
})

test('secrets that are rotated while it listens apply to the next callback', async (t) => {
  const merchant = (await instance.do('merchant', 'create', 'rotating', '--title', 'Rotating', '--json')).json
  const listening = await listen(t, ['--once'])
  const { password } = (await instance.do('merchant', 'rotate', 'rotating', '--json')).json
  await send(listening.url, callback({ password, secret: merchant.webhook_secret }))
  assert.equal((await listening.ended).code, 0)
})

test('without an instance it verifies with the secrets on the command line', async (t) => {
  const options = ['--once', '--json', '--password', acme.password, '--secret', acme.webhook_secret]
  const listening = await listen(t, options, { environment: { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' } })
  await send(listening.url, callback())
  const { code, json } = await listening.ended
  assert.equal(code, 0)
  assert.deepEqual(
    [json.hash.good, json.signature.good, json.fields.order_id, json.answer],
    [true, true, 'ORDER-1', { status: 200, body: 'OK' }],
  )
})

test('--forward passes body and headers on unchanged and returns the answer of the program behind it', async (t) => {
  await using stack = new AsyncDisposableStack()
  const behind = await startReceiver()
  stack.defer(() => behind.stop())
  behind.answer = () => ({ status: 422, body: 'ERROR: no such order' })
  const listening = await listen(t, ['--once', '--forward', behind.url])
  const sent = callback()
  assert.deepEqual(await send(listening.url, sent), { status: 422, text: 'ERROR: no such order' })
  assert.match((await listening.ended).out, /answered 422 ERROR: no such order \(from /)
  const [received] = behind.received
  assert.equal(received?.raw, sent.body)
  for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature', 'content-type']) {
    assert.equal(received?.headers[name], sent.headers[name])
  }
})

test('if the program behind it does not answer, this is reported and the callback fails', async (t) => {
  const listening = await listen(t, ['--once', '--forward', await findUnusedUrl()])
  const { status, text } = await send(listening.url, callback())
  assert.equal(status, 502)
  assert.match(text, /^ERROR: .*did not answer: .*ECONNREFUSED/)
  await listening.ended
})

test('a port in use is reported with a remedy', async (t) => {
  const listening = await listen(t, [])
  const { code, err } = await instance.run(['listen', '--port', new URL(listening.url).port])
  assert.equal(code, 1)
  assert.match(err, /Port \d+ is in use on 127\.0\.0\.1\.\n.*--port/)
  assert.equal((await listening.end()).code, 0)
})

test('a callback of a real payment arrives at the address set by "merchant update" and verifies', async (t) => {
  await using shop = await openShop({}, ['chargebacks'])
  const environment = { DATABASE_URL: shop.base.databaseUrl, DATA_DIR: shop.base.config.dataDir }
  const listening = await listen(t, ['--once'], { environment })
  await runGatehouse(['merchant', 'update', 'demo', '--notification-url', listening.url], { environment })
  const { key } = shop.merchant()
  // The service notices the changed address without a restart.
  const deadline = AbortSignal.timeout(20_000)
  while (shop.service.configuration.byKey(key)?.merchant.notificationUrl !== listening.url) {
    await sleep(5, undefined, { signal: deadline })
  }

  assert.equal((await shop.sale()).body.result, 'SUCCESS')
  const { code, out } = await listening.ended
  assert.equal(code, 0, out)
  assert.match(out, /SALE SUCCESS, now SETTLED: ORDER-1, 10\.00 EUR {2}\(demo\)/)
  assert.match(out, /✔ hash is valid, by card\.follow-up with md5/)

  await t.test(
    '--last hands the last callbacks on in the order of writing, signed anew, before it listens',
    async () => {
      const program = await startReceiver()
      t.after(() => program.stop())
      const { body } = await shop.sale({ order_id: 'REPLAY' })
      await shop.followUp('CREDITVOID', body.trans_id, { amount: '4.00' })
      await shop.service.awaitIdle()
      const replayed = ['--merchant', 'demo', '--forward', program.url, '--last']
      const both = await (await listen(t, [...replayed, '2'], { environment })).end()
      assert.match(both.out, /✔ webhook-signature is valid/)
      await (await listen(t, [...replayed, '1'], { environment })).end()
      assert.deepEqual(
        program.received.map(({ fields, headers }) => [fields['action'], headers['webhook-sequence']]),
        [
          ['SALE', '1'],
          ['CREDITVOID', '2'],
          ['CREDITVOID', '2'],
        ],
      )
      assert.match((await runGatehouse(['listen', '--last', '1'], { environment })).err, /--last needs --merchant/)
    },
  )

  await t.test('"trigger" makes a payment in the wanted state and sends its callbacks to the address', async () => {
    const program = await startReceiver()
    t.after(() => program.stop())
    await writeFile(join(shop.base.config.dataDir, 'demo.json'), JSON.stringify({ base_url: shop.url }))
    const { key, password } = shop.merchant()
    const sender = { gatehouse: new Gatehouse({ baseUrl: shop.url, key, password }), baseUrl: shop.url, key }
    const statusOf = async (transId: unknown) => {
      await shop.service.awaitIdle()
      return program.received.filter(({ fields }) => fields['trans_id'] === transId).at(-1)?.fields['status']
    }
    const expected = {
      settled: 'SETTLED',
      declined: 'DECLINED',
      'declined-soft': 'DECLINED',
      undecided: 'PREPARE',
      expired: '3DS',
      '3ds': '3DS',
      redirect: 'REDIRECT',
      authorised: 'PENDING',
      captured: 'SETTLED',
      reversed: 'REVERSAL',
      refunded: 'REFUND',
      'partly-refunded': 'SETTLED',
      voided: 'VOID',
      'recurring-declined': 'DECLINED',
      'plan-declined': 'SETTLED',
      chargeback: 'SETTLED',
      wallet: 'SETTLED',
      'wallet-fault': '250003',
    }
    for (const event of eventNames) {
      const order = { order_id: `EVENT-${event}`, callback_url: program.url }
      const { trans_id, error_code } = await makeEvent(sender, event, order)
      assert.equal(error_code ?? (await statusOf(trans_id)), expected[event], event)
    }
    const { json } = await runGatehouse(['trigger', 'refunded', '--to', program.url, '--json'], { environment })
    assert.equal(await statusOf(json.trans_id), 'REFUND')
    await shop.advance(120_000)
    assert.ok(program.received.some(({ fields }) => fields['status'] === 'CHARGEBACK'))
    assert.equal((await runGatehouse(['trigger', 'settled', 'paid'], { environment })).code, 2)
  })
})
