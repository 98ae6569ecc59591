/** The Checkout protocol: order of checks, error bodies, hashes, idempotency and limits. Chapter 30 §1, §2. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { secret } from '#domain/secret.ts'
import { openAccount } from '../../account.ts'
import { assertRows, assertSingleError, type Body, CheckoutClient } from '../../pages/checkout.ts'
import { openShop, type Shop } from '../../shop.ts'

let shop: Shop
let client: CheckoutClient

before(async () => {
  shop = await openShop()
  client = new CheckoutClient(shop)
})
after(() => shop[Symbol.asyncDispose]())

const paths = [
  '/api/v1/session',
  '/api/v1/session/token',
  '/api/v1/payment/status',
  '/api/v1/payment/capture',
  '/api/v1/payment/refund',
  '/api/v1/payment/void',
  '/api/v1/payment/recurring',
  '/api/v1/payment/retry',
  '/api/v1/payment/card/credit',
]

for (const path of paths) {
  test(`${path} accepts only POST, with or without a trailing slash`, async () => {
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const answer = await client.request(path, { method })
      assertSingleError(answer, 100000, 'Route or parameters is not supported', 405)
      assert.equal(answer.headers.get('allow'), 'POST')
      assert.equal(answer.headers.get('access-control-allow-origin'), null)
    }
    assert.equal((await client.request(path, { method: 'HEAD' })).http, 405)
    const [first] = (await client.send(`${path}/`, {})).body.errors
    assert.equal(first.error_message, 'merchant_key: This value should not be blank.')
  })
}

test('an unknown address under the prefix is answered in the format of Checkout', async () => {
  for (const path of ['/api/v1/nothing', '/api/v1/payment', '/api/v1/payment/capture/all'])
    assertSingleError(await client.send(path, {}), 100000, 'Route or parameters is not supported', 404)
})

describe('a body', () => {
  for (const [what, body] of [
    ['that is no JSON', '{"a":'],
    ['that is nothing', ''],
    ['that is a text', '"text"'],
    ['that is a form', 'merchant_key=x'],
  ] as const) {
    test(`${what} is refused as such`, async () => {
      assertRows(await client.send('/api/v1/session', body), ['body: This value is not valid JSON.'])
    })
  }

  test('of more than 256 KiB, 8 levels or 400 members is too large', async () => {
    const deep = (levels: number): unknown => (levels === 0 ? 1 : { a: deep(levels - 1) })
    const wide = Object.fromEntries(Array.from({ length: 401 }, (_, index) => [`m${index}`, 1]))
    for (const body of [{ a: 'x'.repeat(257 * 1024) }, { a: deep(8) }, wide])
      assertSingleError(await client.send('/api/v1/session', body), 100000, 'Request is too large.', 413)
  })

  test('is read as JSON whatever its content type, with a byte-order mark and escaped slashes', async () => {
    const text = JSON.stringify(client.sign('session', client.purchase())).replaceAll('/', '\\/')
    const bytes = Buffer.from(`\uFEFF${text}`)
    for (const headers of [
      { 'content-type': 'text/plain' },
      { 'content-type': 'application/x-www-form-urlencoded' },
      {},
    ]) {
      const answer = await client.request('/api/v1/session', { body: new Blob([bytes]), headers })
      assert.equal(answer.http, 200, answer.text)
    }
  })

  test('may contain a member twice: the last counts', async () => {
    const text = JSON.stringify(client.sign('session', client.purchase())).replace('{', '{"operation":"sale",')
    assert.equal((await client.send('/api/v1/session', text)).http, 200)
  })
})

describe('the merchant', () => {
  const requestSession = (over: Body) =>
    client.send('/api/v1/session', { ...client.sign('session', client.purchase()), ...over })

  test('that is unknown or blocked is not correct', async () => {
    const blocked = await openAccount(shop)
    await shop.configure(`update merchants set status = 'blocked' where name = $1`, [blocked])
    for (const merchant_key of [randomUUID(), 'x', 5, shop.merchant(blocked).key])
      assertRows(await requestSession({ merchant_key }), ['merchant_key: This value is not correct.'])
  })

  test('key is case-insensitive', async () => {
    assert.equal((await requestSession({ merchant_key: shop.merchant().key.toUpperCase() })).http, 200)
  })

  test('that is test-only has to use the test key', async () => {
    const merchant = await openAccount(shop, { merchant: { testOnly: true } })
    assertSingleError(await client.session({}, { merchant }), 220002, 'Use merchant test key.')
  })

  test('without a Checkout mapping is refused before any other check', async () => {
    const merchant = await openAccount(shop, { merchant: { allowedIps: ['203.0.113.0/24'] } })
    const answer = await client.send('/api/v1/session', { merchant_key: shop.merchant(merchant).key })
    assertSingleError(answer, 100000, 'Protocol mapping not found.')
  })

  test('that allows one network is accepted only from there', async () => {
    const { key } = shop.merchant('demo-ip-list')
    const answer = await client.send('/api/v1/session', { merchant_key: key })
    assertSingleError(answer, 100000, 'IP address is not allowed.', 403)
  })
})

describe('a hash', () => {
  test('that is malformed is a wrong hash', async () => {
    for (const hash of ['x', '0'.repeat(40), 5, { a: 'b' }])
      assertRows(await client.session({ hash }), ['hash: Hash is not valid.'])
  })

  test('is checked after the entity and after the parameters', async () => {
    const wrong = { hash: '0'.repeat(40) }
    assertSingleError(await client.status({ order_id: 'nothing', ...wrong }), 101000, 'Order does not exist.')
    assertRows(await client.session({ operation: 'x', ...wrong }), [
      'operation: The value you selected is not a valid choice.',
    ])
  })

  test('is accepted in upper case, and by SHA-256 if the mapping says so', async () => {
    const body = client.sign('session', client.purchase())
    const hash = String(body['hash']).toUpperCase()
    assert.equal((await client.send('/api/v1/session', { ...body, hash })).http, 200)
    const merchant = 'demo-sha256'
    assert.equal((await client.session({}, { merchant, digest: 'sha256' })).http, 200)
    assertRows(await client.session({}, { merchant }), ['hash: Hash is not valid.'])
  })

  test('covers texts as they were sent, upper-cased as ASCII or by the rules of Unicode', async () => {
    await givePassword('demo', 'testpass123')
    const order = { number: 'order-1', amount: '1.00', currency: 'EUR', description: 'café' }
    // Chapter 30 §2.3.
    for (const hash of ['9df0b2e4cecce9834a0ca4cb939e7f42ddf54411', '5fd2068d47028b026cc9902b1e9fd656b6608447'])
      assert.equal((await client.session({ order, hash })).http, 200, hash)
  })
})

/** The worked examples are signed with their own password. */
async function givePassword(name: string, password: string): Promise<void> {
  const { rows } = await shop.base.pool.query<{ id: string }>('select id from merchants where name = $1', [name])
  const id = rows[0]?.id ?? ''
  const sealed = await shop.base.vault.seal(id, 'password', secret(password))
  await shop.configure('update merchants set password_sealed = $1 where id = $2', [sealed, id])
  shop.merchants.set(name, { ...shop.merchant(name), password })
}

describe('the requests of the worked examples are accepted unchanged:', () => {
  const url = { success_url: 'https://shop.example/ok', cancel_url: 'https://shop.example/no' }
  const order = (number: string, amount: string, currency: string, description: string) => ({
    number,
    amount,
    currency,
    description,
  })
  // biome-ignore format: a table is read in columns.
  const rows: readonly (readonly [string, string, Body])[] = [
    ['12.1', '/api/v1/session', { operation: 'purchase', methods: ['card'], order: order('order-1234', '0.19', 'USD', 'Important gift'), ...url, customer: { name: 'Jane Roe', email: 'jane@example.com' }, billing_address: { country: 'US', state: 'CA', language: 'de' }, hash: '4290b33e5bab22d6d20c39263f50e9094f2c3d09' }],
    ['12.2', '/api/v1/session', { operation: 'purchase', order: order('order-2001', '49.90', 'EUR', 'Running shoes'), ...url, url_target: '_top', hash: 'c60003d74e192041bb8a2da8b06fb84a398cfa6b' }],
    ['12.3', '/api/v1/session', { operation: 'purchase', methods: ['card'], order: order('order-3001', '100.00', 'EUR', 'Hotel booking'), ...url, auth: true, hash: 'b17fbbe902c6299e49932443260690b2e42290bf' }],
    ['12.6', '/api/v1/session', { operation: 'debit', methods: ['card'], order: order('order-6001', '20.00', 'EUR', 'Top up'), ...url, req_token: true, custom_data: { wallet_no: '77' }, hash: '6ca841384eb174bbe1a4102510dd9224d28cd9f3' }],
    ['12.8', '/api/v1/session/token', { operation: 'purchase', order: order('order-8001', '12.00', 'EUR', 'Concert ticket'), return_url: 'https://shop.example/back', customer: { name: 'Jane Roe', email: 'jane@example.com', ip: '203.0.113.7' }, hash: '38892e6e7568ba4d2fe39a0e752f2a6ebcffd2c4' }],
    ['12.9', '/api/v1/session', { operation: 'purchase', methods: ['walletapay', 'card'], order: order('order-9001', '30.00', 'USD', 'Gift card'), ...url, hash: '452b9c5749dc0771aa03e12f49004893e723cb95' }],
  ]
  before(() => givePassword('demo', 'testpass123'))
  for (const [example, path, body] of rows) {
    test(example, async () => {
      const { test_key } = shop.merchant()
      const answer = await client.send(path, { merchant_key: test_key, ...body })
      assert.equal(answer.http, 200, answer.text)
    })
  }

  test('12.5, with a schedule that is echoed', async () => {
    const schedule = await client.schedule()
    const answer = await client.session({
      order: order('order-5001', '0.00', 'USD', 'Premium plan'),
      recurring_init: true,
      schedule_id: schedule.id,
      schedule_start_date: '2099-12-15',
      payment_schedule_amount: '9.99',
      recurring_consent_required: true,
    })
    assert.equal(answer.http, 200, answer.text)
    const { redirect_url, ...echo } = answer.body
    assert.match(redirect_url, /\/auth\/[\w-]+$/)
    assert.deepEqual(Object.entries(echo), [
      ['schedule_id', schedule.id],
      ['schedule_start_date', '2099-12-15'],
      ['payment_schedule_amount', '9.99'],
      ['first_recurring_date', '2099-12-15'],
    ])
    await shop.service.operations.schedules.pause(schedule)
    assertSingleError(
      await client.session({ recurring_init: true, schedule_id: schedule.id }),
      100000,
      'Schedule is paused.',
    )
  })
})

describe('an idempotency key', () => {
  const headers = (key: string) => ({ headers: { 'idempotency-key': key } })

  test('returns the first answer again, byte for byte, and refuses another body or address', async () => {
    const { payment } = await client.makePayment()
    const as = headers(randomUUID())
    const first = await client.refund(payment.id, '1.00', as)
    const again = await client.refund(payment.id, '1.00', as)
    assert.deepEqual([again.http, again.text], [200, first.text])
    assert.equal((await shop.readExecuted(payment.id)).filter(({ type }) => type === 'refund').length, 1)
    const message = 'Idempotency key was used with other parameters.'
    assertSingleError(await client.refund(payment.id, '2.00', as), 100000, message, 409)
    assertSingleError(await client.capture(payment.id, '1.00', as), 100000, message, 409)
  })

  test('of a session returns the same link again', async () => {
    const body = client.sign('session', client.purchase())
    const as = headers(randomUUID())
    const [first, second] = [
      await client.send('/api/v1/session', body, as),
      await client.send('/api/v1/session', body, as),
    ]
    assert.equal(first.text, second.text)
  })

  test('stores a refusal in the format of Checkout', async () => {
    const { payment } = await client.makePayment({}, '02/38')
    const as = headers(randomUUID())
    for (const _ of ['first', 'again'])
      assertSingleError(await client.refund(payment.id, '1.00', as), 208005, 'Refund is not allowed')
  })

  test('of more than 255 characters is refused by its name', async () => {
    const { http, body } = await client.session({}, headers('x'.repeat(256)))
    const named = { error_code: 100000, error_message: 'Idempotency-Key: This value should have 1 to 255 characters.' }
    assert.deepEqual([http, body.error_code, body.errors], [400, 0, [named]])
  })
})

test('a merchant above the rate limit is told when to retry', async () => {
  const merchant = await openAccount(shop, { merchant: { ratePerSecond: 1 } })
  await shop.base.pool.query(
    `insert into protocol_mappings (merchant_id, protocol, enabled, options) select id, 'CHECKOUT', true, '{"payouts": true}' from merchants where name = $1`,
    [merchant],
  )
  await shop.service.configuration.refresh()
  const answers = await Promise.all(Array.from({ length: 6 }, () => client.session({}, { merchant })))
  const limited = answers.find(({ http }) => http === 429)
  assert.ok(limited)
  assertSingleError(limited, 100000, 'Too many requests.', 429)
  assert.match(limited.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
})
