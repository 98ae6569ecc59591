/** The delivery of callbacks: address, format, signature, order and retries. Chapter 10 §11.1. */
import assert from 'node:assert/strict'
import { after, afterEach, beforeEach, test } from 'node:test'
import { secret } from '#domain/secret.ts'
import { cardFormulas, verifyWebhook } from '#domain/signature/signature.ts'
import { machineMs } from '#server/process/clock.ts'
import { replaceWebhookSecrets, rotatePassword } from '#server/setup/merchants.ts'
import { assertInvalid, callbackHash } from '../../payments.ts'
import type { ReceivedRequest } from '../../receiver.ts'
import { openShop } from '../../shop.ts'

const shop = await openShop()
const at = (path: string): string => new URL(path, shop.receiver.url).href

beforeEach(() => notify({ live: shop.receiver.url }))
afterEach(async () => {
  shop.receiver.answer = () => ({ status: 200, body: 'OK' })
  await shop.choose({})
})
after(() => shop[Symbol.asyncDispose]())

function notify({ live = null, test = null }: { live?: string | null; test?: string | null }): Promise<void> {
  return shop.configure('update merchants set notification_url = $1, test_notification_url = $2', [live, test])
}

const summary = (callbacks: readonly ReceivedRequest[]): readonly string[] =>
  callbacks.map(({ path, fields }) => `${path} ${fields['action']} ${fields['result']}`)

test('without a callback_url the callback goes to the merchant’s notification URL', async () => {
  const { body } = await shop.sale()
  assert.deepEqual(summary(await shop.callbacks(body.trans_id)), ['/notify SALE SUCCESS'])
})

test('callback_url replaces the notification URL for the payment and all its later operations', async () => {
  const sale = await shop.sale({ callback_url: at('/own?shop=1') })
  await shop.followUp('CREDITVOID', sale.body.trans_id, { amount: '1.00' })
  assert.deepEqual(summary(await shop.callbacks(sale.body.trans_id)), [
    '/own?shop=1 SALE SUCCESS',
    '/own?shop=1 CREDITVOID SUCCESS',
  ])
  const held = await shop.sale({ callback_url: at('/own'), auth: 'Y' })
  await shop.followUp('CAPTURE', held.body.trans_id)
  await shop.followUp('VOID', held.body.trans_id)
  assert.deepEqual(summary(await shop.callbacks(held.body.trans_id)), [
    '/own SALE SUCCESS',
    '/own CAPTURE SUCCESS',
    '/own VOID SUCCESS',
  ])
})

test('a callback_url on a later operation is ignored', async () => {
  const { body } = await shop.sale()
  await shop.followUp('CREDITVOID', body.trans_id, { callback_url: at('/late') })
  assert.deepEqual(summary(await shop.callbacks(body.trans_id)), ['/notify SALE SUCCESS', '/notify CREDITVOID SUCCESS'])
})

// biome-ignore format: a table is read in columns.
const targets = [
  // notification URL  test one      mode    where the callback goes
  ['/live',           '/test',      'live', '/live'],
  ['/live',           '/test',      'test', '/test'],
  ['/live',           null,         'test', '/live'],
  [null,              '/test',      'test', '/test'],
  [null,              '/test',      'live', null],
  [null,              null,         'live', null],
  [null,              null,         'test', null],
] as const

for (const [live, tested, mode, expected] of targets) {
  test(`notification URL ${live}, test one ${tested}: the callback of a ${mode} payment goes to ${expected ?? 'no address'}`, async () => {
    await notify({ live: live && at(live), test: tested && at(tested) })
    const { body } = await shop.sale({}, { mode })
    assert.equal(body.result, 'SUCCESS')
    const paths = (await shop.callbacks(body.trans_id)).map(({ path }) => path)
    assert.deepEqual(paths, expected === null ? [] : [expected])
  })
}

test('a payment made without any URL never gets a callback, even if one is added later', async () => {
  await notify({})
  const { body } = await shop.sale()
  await notify({ live: shop.receiver.url })
  await shop.followUp('CREDITVOID', body.trans_id)
  await shop.advance(120_000)
  assert.deepEqual(await shop.callbacks(body.trans_id), [])
})

test('the target is fixed when the payment is created', async () => {
  await notify({ live: at('/before') })
  const { body } = await shop.sale()
  await notify({ live: at('/after') })
  await shop.followUp('CREDITVOID', body.trans_id)
  assert.deepEqual(summary(await shop.callbacks(body.trans_id)), ['/before SALE SUCCESS', '/before CREDITVOID SUCCESS'])
})

test('the body is a form: fields in their order, space as +, all but letters, digits, - _ . percent-encoded', async () => {
  const { body } = await shop.sale({
    order_id: 'A b~c*d-e_f.g',
    'custom_data[cart][line 1]': 'Größe 42 & more',
    auth: 'Y',
  })
  const [callback] = await shop.callbacks(body.trans_id)
  assert.equal(callback?.headers['content-type'], 'application/x-www-form-urlencoded')
  assert.equal(
    callback?.raw,
    'action=SALE&result=SUCCESS&status=PENDING&order_id=A+b%7Ec%2Ad-e_f.g' +
      `&trans_id=${body.trans_id}&hash=${callbackHash(shop, body.trans_id)}` +
      `&trans_date=${body.trans_date.replace(' ', '+').replaceAll(':', '%3A')}&descriptor=TEST&amount=10.00&currency=EUR` +
      '&card=411111%2A%2A%2A%2A%2A%2A1111&card_expiration_date=01%2F2038' +
      '&custom_data%5Bcart%5D%5Bline+1%5D=Gr%C3%B6%C3%9Fe+42+%26+more',
  )
})

test('by mapping option the body is JSON with the same names and nested objects', async () => {
  await shop.choose({ callbackFormat: 'json' })
  const { body } = await shop.sale({ 'custom_data[cart][line]': '42' })
  const [callback] = await shop.callbacks(body.trans_id)
  assert.equal(callback?.headers['content-type'], 'application/json')
  assert.equal(
    callback?.raw,
    JSON.stringify({
      action: 'SALE',
      result: 'SUCCESS',
      status: 'SETTLED',
      order_id: body.order_id,
      trans_id: body.trans_id,
      hash: callbackHash(shop, body.trans_id),
      trans_date: body.trans_date,
      descriptor: 'TEST',
      amount: '10.00',
      currency: 'EUR',
      card: '411111******1111',
      card_expiration_date: '01/2038',
      custom_data: { cart: { line: '42' } },
    }),
  )
})

/** As a merchant's library would check it: the raw body, and the time of the attempt. */
function verifies(secretText: string, { headers, raw }: ReceivedRequest): boolean {
  const [id, timestamp, signature] = ['id', 'timestamp', 'signature'].map((name) => String(headers[`webhook-${name}`]))
  const webhookHeaders = { id: id ?? '', timestamp: timestamp ?? '', signature: signature ?? '' }
  return verifyWebhook(secretText, webhookHeaders, raw, { nowSeconds: Math.floor(machineMs() / 1000) })
}

async function merchantId(name = 'demo'): Promise<string> {
  const { rows } = await shop.base.pool.query('select id from merchants where name = $1', [name])
  return rows[0].id
}

async function webhookSecret(): Promise<string> {
  const { webhookSecrets } = await shop.service.configuration.readSecrets(await merchantId())
  return webhookSecrets[0]?.reveal() ?? ''
}

test("every callback is signed with the merchant's secret over its raw body, at the machine's time, by which the receiver verifies", async () => {
  const { body } = await shop.sale()
  await shop.followUp('CREDITVOID', body.trans_id)
  const callbacks = await shop.callbacks(body.trans_id)
  assert.equal(callbacks.length, 2)
  const signingSecret = await webhookSecret()
  for (const callback of callbacks) {
    assert.ok(verifies(signingSecret, callback))
    assert.ok(!verifies(signingSecret, { ...callback, raw: `${callback.raw}&amount=0.01` }))
    assert.match(String(callback.headers['webhook-signature']), /^v1,[A-Za-z0-9+/]{43}=$/)
  }
  assert.equal(new Set(callbacks.map(({ headers }) => headers['webhook-id'])).size, 2)
})

test('with two active secrets either of them verifies', async () => {
  const secrets = [await webhookSecret(), 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3']
  await replaceWebhookSecrets(shop.base, await merchantId(), secrets.map(secret))
  await shop.service.configuration.refresh()
  const { body } = await shop.sale()
  const [callback] = await shop.callbacks(body.trans_id)
  assert.ok(callback)
  for (const one of secrets) assert.ok(verifies(one, callback))
})

test('callbacks are numbered within their payment from 1', async () => {
  const { body } = await shop.sale({ auth: 'Y' })
  const answers = [
    await shop.followUp('CAPTURE', body.trans_id),
    await shop.followUp('CREDITVOID', body.trans_id, { amount: '4.00' }),
    await shop.followUp('CREDITVOID', body.trans_id, { amount: '6.00' }),
  ]
  assert.deepEqual(
    answers.map((answer) => answer.body.result),
    ['SUCCESS', 'ACCEPTED', 'ACCEPTED'],
  )
  const numbers = (await shop.callbacks(body.trans_id)).map(({ headers }) => headers['webhook-sequence'])
  assert.deepEqual(numbers, ['1', '2', '3', '4'])
})

// biome-ignore format: a table is read in columns.
const replies = [
  // HTTP  body              acknowledged
  [200,   'OK',             true],
  [200,   '  ok, thanks\n', true],
  [202,   'Ok',             true],
  [200,   'ERROR',          false],
  [200,   '',               false],
  [200,   'NOT OK',         false],
  [302,   'OK',             false],
  [500,   'OK',             false],
] as const

for (const [status, body, acknowledged] of replies) {
  test(`a reply of ${status} ${JSON.stringify(body)} ${acknowledged ? 'acknowledges' : 'counts as failed'}`, async () => {
    shop.receiver.answer = () => ({ status, body })
    const sale = await shop.sale()
    await shop.callbacks(sale.body.trans_id)
    await shop.advance(66_000)
    assert.equal((await shop.callbacks(sale.body.trans_id)).length, acknowledged ? 1 : 2)
  })
}

test('the next callback of a payment waits until the one before it is acknowledged', async () => {
  shop.receiver.answer = () => ({ status: 500, body: 'later' })
  const { body } = await shop.sale({ auth: 'Y' })
  await shop.followUp('CAPTURE', body.trans_id)
  await shop.followUp('CREDITVOID', body.trans_id)
  assert.deepEqual(summary(await shop.callbacks(body.trans_id)), ['/notify SALE SUCCESS'])

  const other = await shop.sale()
  assert.equal((await shop.callbacks(other.body.trans_id)).length, 1, 'another payment does not wait for this one')
  shop.receiver.answer = () => ({ status: 200, body: 'OK' })
  await shop.advance(66_000)
  assert.deepEqual(summary(await shop.callbacks(body.trans_id)), [
    '/notify SALE SUCCESS',
    '/notify SALE SUCCESS',
    '/notify CAPTURE SUCCESS',
    '/notify CREDITVOID SUCCESS',
  ])
})

test('a retry has the same body and webhook-id, and a signature that verifies', async () => {
  shop.receiver.answer = () => ({ status: 200, body: 'ERROR' })
  const { body } = await shop.sale()
  const [first] = await shop.callbacks(body.trans_id)
  assert.ok(first && verifies(await webhookSecret(), first))
  await shop.advance(66_000)
  const [, second] = await shop.callbacks(body.trans_id)
  assert.ok(second && verifies(await webhookSecret(), second))
  assert.equal(second.raw, first.raw)
  assert.equal(second.headers['webhook-id'], first.headers['webhook-id'])
  assert.equal(second.headers['webhook-sequence'], '1')
})

test('after ten attempts by the plan a callback has failed, and the next one is sent', async () => {
  shop.receiver.answer = ({ fields }) => ({ status: 200, body: fields['action'] === 'SALE' ? 'ERROR' : 'OK' })
  const { body } = await shop.sale()
  await shop.followUp('CREDITVOID', body.trans_id)
  const minutes = [1, 5, 15, 30, 60, 180, 360, 720, 1440]
  for (const [index, wait] of minutes.entries()) {
    await shop.advance(wait * 60_000 - 5_000)
    assert.equal((await shop.callbacks(body.trans_id)).length, index + 1, `before ${wait} minutes`)
    // Up to a tenth more than the plan says.
    await shop.advance(wait * 6_000 + 5_000)
    const attempts = (await shop.callbacks(body.trans_id)).filter(({ fields }) => fields['action'] === 'SALE')
    assert.equal(attempts.length, index + 2, `after ${wait} minutes`)
  }
  assert.equal((await shop.callbacks(body.trans_id)).at(-1)?.fields['action'], 'CREDITVOID')
  await shop.advance(30 * 86_400_000)
  assert.equal((await shop.callbacks(body.trans_id)).length, 11)
})

test("a merchant's own retry plan replaces the default one", async () => {
  await shop.choose({ callbackRetrySeconds: [10, 20] })
  shop.receiver.answer = () => ({ status: 200, body: 'ERROR' })
  const { body } = await shop.sale()
  for (const seconds of [11, 22, 100_000]) {
    await shop.callbacks(body.trans_id)
    await shop.advance(seconds * 1000)
  }
  assert.equal((await shop.callbacks(body.trans_id)).length, 3)
})

test('with SHA-256 chosen, requests and callbacks are signed with it', async () => {
  const as = { merchant: 'demo-sha256', digest: 'sha256' } as const
  const { body } = await shop.sale({ auth: 'Y' }, as)
  assertInvalid(
    await shop.followUp('CAPTURE', body.trans_id, {}, { merchant: 'demo-sha256' }),
    'hash: Hash is not valid.',
  )
  await shop.followUp('CAPTURE', body.trans_id, {}, as)
  const hashes = (await shop.callbacks(body.trans_id)).map(({ fields }) => fields['hash'])
  const expected = callbackHash(shop, body.trans_id, as)
  assert.match(expected, /^[0-9a-f]{64}$/)
  assert.deepEqual(hashes, [expected, expected])
})

test('after a password change callbacks are signed with the new one, while requests may still use the old', async () => {
  const as = { merchant: 'demo-no-moto' }
  const { body } = await shop.sale({}, as)
  const until = new Date(shop.base.clock.now().getTime() + 3_600_000)
  const password = await rotatePassword(shop.base, await merchantId('demo-no-moto'), until)
  await shop.service.configuration.refresh()
  const { http } = await shop.followUp('CREDITVOID', body.trans_id, {}, as)
  assert.equal(http, 200)
  const hashes = (await shop.callbacks(body.trans_id)).map(({ fields }) => fields['hash'])
  const values = { email: 'doe@example.com', trans_id: body.trans_id, pan10: '4111111111' }
  const renewed = shop.sign(cardFormulas.followUp, values, password.reveal())
  assert.deepEqual(hashes, [callbackHash(shop, body.trans_id, as), renewed])
})
