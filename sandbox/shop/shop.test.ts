import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { createSandboxServer } from '../kit/server.ts'
import { Orders, verifies } from './orders.ts'
import { shopRoutes } from './routes.ts'
import { Shop } from './shop.ts'
import { checkoutHash, scheduleHash } from './signature.ts'
import { ways } from './ways.ts'

const password = 'testpass123'
/** Chapter 10 §4.5. */
function returnHash(values: readonly string[], withPassword: string): string {
  const key = createHmac('sha256', withPassword).update('payer return').digest()
  const text = values.map((value) => `${value.length}:${value},`).join('')
  return createHmac('sha256', key).update(text).digest('hex')
}

const paymentId = 'dc66cdd8-d702-11ea-9a2f-0242c0a87002'

test('the shop’s signatures match the vectors of chapter 30 §2.3 and chapter 10 §4', () => {
  const order = ['order-1234', '0.19', 'USD', 'Important gift']
  assert.equal(checkoutHash(order, password), '4290b33e5bab22d6d20c39263f50e9094f2c3d09')
  assert.equal(checkoutHash([paymentId, ...order], password), '25e1e0bcc8b1c626b01fe069d2c256b61127bd60')
  assert.equal(
    checkoutHash([paymentId, 'order-1', '1.00', 'EUR', 'café'], password),
    '1f8d79c981e6eb0d056457a086e364d21b044aa8',
  )
  assert.equal(scheduleHash('13a4822c5907ed235f3a068c76184fc3'), 'a502bf68507916a7668595571964473e')
})

const callback = {
  id: paymentId,
  order_number: 'order-1234',
  order_amount: '0.19',
  order_currency: 'USD',
  order_description: 'Important gift',
  card_token: 'card-1',
  hash: '25e1e0bcc8b1c626b01fe069d2c256b61127bd60',
}

test('a callback is accepted only with a valid hash, and one of another protocol is not judged', () => {
  const orders = new Orders()
  const receive = (fields: Readonly<Record<string, string>>) =>
    orders.remember(fields, verifies(fields, password), '2026-11-15T10:00:00Z')
  receive(callback)
  receive({ ...callback, order_amount: '0.20', card_token: 'card-2' })
  receive({ action: 'SALE', order_id: 'x', hash: 'y' })
  assert.deepEqual(
    orders.receivedAfter(0).map(({ sequence, verified }) => [sequence, verified]),
    [
      [3, null],
      [2, false],
      [1, true],
    ],
  )
  assert.deepEqual(orders.receivedAfter(2).length, 1)
  assert.deepEqual(orders.cards, ['card-1'], 'only a verified callback saves a card')
})

test('the shop forgets the oldest orders, so that it can run indefinitely', () => {
  const orders = new Orders()
  for (let count = 0; count < 300; count += 1) {
    orders.add({ number: `o-${count}`, amount: '1.00', currency: 'EUR', description: 'x' })
    orders.remember({ action: 'SALE' }, null, '2026-11-15T10:00:00Z')
  }
  assert.equal(orders.receivedAfter(0).length, 200)
  assert.deepEqual([orders.find('o-99'), orders.find('o-299')?.number], [null, 'o-299'])
})

/** What the shop sends for a session or a schedule. */
interface SessionRequest {
  readonly merchant_key: string
  readonly hash: string
  readonly success_url: string
  readonly card_token?: readonly string[]
  readonly order: Readonly<Record<'number' | 'amount' | 'currency' | 'description', string>>
}

interface Scene {
  readonly url: string
  /** The shop after a restart, at another address. */
  restart(): Promise<string>
  /** The requests to the gateway, newest last. */
  readonly requests: { path: string; body: SessionRequest; token: string | undefined }[]
  answers: Record<string, object>
}

async function scene(t: TestContext, ready = true): Promise<Scene> {
  const requests: Scene['requests'] = []
  const answers: Scene['answers'] = {
    '/api/v1/session': { redirect_url: 'http://pay.example/auth/T' },
    '/post': { schedule_id: 's-1' },
  }
  const gateway = createServer(async (request, response) => {
    const raw = await text(request)
    const path = request.url ?? ''
    const body = path === '/post' ? Object.fromEntries(new URLSearchParams(raw)) : JSON.parse(raw)
    requests.push({ path, body, token: request.headers['token']?.toString() })
    response.end(JSON.stringify(answers[path] ?? {}))
  })
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-demo-shop-'))
  const file = join(folder, 'demo.json')
  const baseUrl = await startListening(gateway, t)
  const account = {
    base_url: baseUrl,
    merchants: [{ name: 'demo', key: 'k', test_key: 'test-k', password }],
    acquirers: [{ connector: 'adyen', merchant: 'demo-adyen', key: 'a', test_key: 'test-a', password: 'adyenpass' }],
  }
  if (ready) await writeFile(file, JSON.stringify(account))
  const opened: Shop[] = []
  const start = async (): Promise<string> => {
    await opened.at(-1)?.close()
    const shop = await Shop.open(file, () => new Date('2026-11-15T10:00:00Z'), join(folder, 'shop.journal'))
    opened.push(shop)
    return startListening(
      createSandboxServer([shopRoutes(shop)], (fault) => assert.fail(String(fault))),
      t,
    )
  }
  t.after(async () => {
    await opened.at(-1)?.close()
    await rm(folder, { recursive: true, force: true })
  })
  return { url: await start(), restart: start, requests, answers }
}

async function startListening(server: ReturnType<typeof createServer>, t: TestContext): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  const address = server.address()
  return typeof address === 'object' && address ? `http://127.0.0.1:${address.port}` : assert.fail()
}

const press = (url: string, way: string) => fetch(`${url}/shop/pay/${way}`, { method: 'POST', redirect: 'manual' })

for (const { id, request, query = '' } of ways.filter((way) => way.request !== null)) {
  test(`the payment method "${id}" opens a signed session and leads to the gateway`, async (t) => {
    const { url, requests } = await scene(t)
    const reply = await press(url, id)
    assert.equal(reply.status, 303, await reply.text())
    assert.equal(reply.headers.get('location'), `http://pay.example/auth/T${query}`)
    const { body } = requests.at(-1) ?? assert.fail()
    const { number, amount, currency, description } = body.order
    assert.equal(body.merchant_key, 'test-k')
    assert.equal(body.hash, checkoutHash([number, amount, currency, description], password))
    assert.equal(new URL(body.success_url).origin, url)
    const wished = request?.({ cards: [], scheduleId: 's-1', trialEnds: '2026-12-15' })
    assert.partialDeepStrictEqual(body, wished)
  })
}

test('a saved card is offered after a verified callback with its token', async (t) => {
  const { url, requests } = await scene(t)
  const reply = await fetch(`${url}/shop/callbacks`, { method: 'POST', body: new URLSearchParams(callback) })
  assert.deepEqual([reply.status, await reply.text()], [200, 'OK'])
  await press(url, 'saved')
  assert.deepEqual(requests.at(-1)?.body.card_token, ['card-1'])
})

test('hosted fields: the page gets the token that only collects, and the shop charges the amount of its order', async (t) => {
  const { url, requests, answers } = await scene(t)
  answers['/api/v1/session/token'] = { token: 'T', client_token: 'C' }
  answers['/api/v1/processing/purchase/card'] = { result: 'success' }
  const ask = async (path: string, body: object): Promise<Record<string, unknown>> => {
    const headers = { 'content-type': 'application/json' }
    const reply = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    return (await reply.json()) as Record<string, unknown>
  }
  const { order, ...page } = await ask('/shop/fields/begin', {})
  assert.deepEqual(page, { clientToken: 'C' })
  const charged = await ask('/shop/fields/pay', { order, name: 'Jane Roe' })
  assert.deepEqual(charged, { http: 200, body: { result: 'success' } })
  assert.deepEqual(requests.at(-1), {
    path: '/api/v1/processing/purchase/card',
    body: { name: 'Jane Roe', with_hosted_fields: true, order_amount: '49.90', order_currency: 'EUR' },
    token: 'T',
  })
})

test('a return is shown with the status from the gateway, and a forged one as not verified', async (t) => {
  const { url, requests, answers } = await scene(t)
  answers['/api/v1/payment/status'] = [{ status: 'settled' }]
  await press(url, 'card')
  const { number, amount, currency } = requests[0]?.body.order ?? assert.fail()
  const values = [paymentId, number, amount, currency]
  const hash = returnHash([...values, 'success'], password)
  const visit = async (more: Record<string, string>) => {
    const query = new URLSearchParams({ payment_id: paymentId, order_id: number, hash, ...more })
    return (await fetch(`${url}/shop/return?${query}`)).text()
  }
  assert.match(await visit({}), /Thank you[\s\S]*settled[\s\S]*<dd>verified<\/dd>/)
  assert.match(await visit({ hash: '0'.repeat(64) }), /<dd>not verified<\/dd>/)
  assert.match(await visit({ order_id: '<script>' }), /unknown/)
})

for (const [status, kind] of [
  ['pending', 'capture'],
  ['settled', 'refund'],
] as const) {
  test(`a ${status} payment has a button that signs and sends its ${kind}`, async (t) => {
    const { url, requests, answers } = await scene(t)
    answers['/api/v1/payment/status'] = [{ status }]
    answers[`/api/v1/payment/${kind}`] = { result: 'accepted' }
    await press(url, 'hold')
    const { number, amount } = requests[0]?.body.order ?? assert.fail()
    const form = new URLSearchParams({ payment_id: paymentId, order_id: number })
    const shown = await (await fetch(`${url}/shop/payment?${form}`)).text()
    assert.match(shown, new RegExp(`action="/shop/${kind}"`))
    assert.match(shown, new RegExp(`POST /api/v1/payment/${kind}`))
    const pressed = await (await fetch(`${url}/shop/${kind}`, { method: 'POST', body: form })).text()
    assert.match(pressed, new RegExp(`The gateway has accepted the ${kind}\\.`))
    const { body } = requests.find(({ path }) => path === `/api/v1/payment/${kind}`) ?? assert.fail()
    assert.deepEqual(body, {
      merchant_key: 'test-k',
      payment_id: paymentId,
      amount,
      hash: checkoutHash([paymentId, amount], password),
    })
  })
}

test('a payment that is neither held nor settled, or of an unknown order, offers no further step', async (t) => {
  const { url, answers } = await scene(t)
  answers['/api/v1/payment/status'] = [{ status: 'settled' }]
  const form = new URLSearchParams({ payment_id: paymentId, order_id: 'SHOP-unknown' })
  assert.doesNotMatch(await (await fetch(`${url}/shop/payment?${form}`)).text(), /action="\/shop/)
  const pressed = await (await fetch(`${url}/shop/refund`, { method: 'POST', body: form })).text()
  assert.match(pressed, /The shop does not know this order\./)
})

test('each button shows its request with the text that the hash covers, and the password is masked', async (t) => {
  const { url } = await scene(t)
  const front = await (await fetch(`${url}/shop`)).text()
  assert.equal(front.match(/<details class="request">/g)?.length, ways.length)
  assert.match(front, /POST \/api\/v1\/session\n/)
  assert.match(front, /POST \/api\/v1\/session\/token\n/)
  assert.match(front, /SHOP-0000000049\.90EURRUNNING SHOES&#60;PASSWORD&#62;/)
  assert.doesNotMatch(front, new RegExp(password, 'i'))
})

test('orders and callbacks survive a restart of the shop', async (t) => {
  const { url, restart, requests, answers } = await scene(t)
  answers['/api/v1/payment/status'] = [{ status: 'settled' }]
  await press(url, 'card')
  await fetch(`${url}/shop/callbacks`, { method: 'POST', body: new URLSearchParams(callback) })
  const again = await restart()
  const received = await (await fetch(`${again}/shop/callbacks?after=0`)).text()
  assert.match(received, /"sequence":1,"at":"2026-11-15T10:00:00\.000Z","verified":true/)
  assert.match(received, /"order_number":"order-1234"/)
  const form = new URLSearchParams({ payment_id: paymentId, order_id: requests[0]?.body.order.number ?? '' })
  assert.match(await (await fetch(`${again}/shop/payment?${form}`)).text(), /action="\/shop\/refund"/)
})

test('the pages lead to the panel and to the reference, and to no other file', async (t) => {
  const { url } = await scene(t)
  const front = await (await fetch(`${url}/shop`)).text()
  assert.match(front, /href="http:\/\/127\.0\.0\.1:[0-9]+\/admin"/)
  for (const [, page = ''] of front.matchAll(/href="(\/shop\/docs\/[^"]+)"/g)) {
    const reply = await fetch(url + page)
    assert.deepEqual([reply.status, reply.headers.get('content-type')], [200, 'text/plain; charset=utf-8'])
    assert.match(await reply.text(), /^# /)
  }
  assert.equal((await fetch(`${url}/shop/docs/..%2f..%2fpackage.json`)).status, 404)
})

test('a visitor chooses an acquirer, and the order, its return and its callback belong to that merchant', async (t) => {
  const { url, requests, answers } = await scene(t)
  assert.match(await (await fetch(`${url}/shop`)).text(), /<option value="adyen">adyen<\/option>/)
  const chosen = await (await fetch(`${url}/shop?acquirer=adyen`)).text()
  assert.match(chosen, /action="\/shop\/pay\/card\?acquirer=adyen"/)
  assert.doesNotMatch(chosen, /pay\/wallet-a/)

  await fetch(`${url}/shop/pay/card?acquirer=adyen`, { method: 'POST', redirect: 'manual' })
  const { body } = requests.at(-1) ?? assert.fail()
  const { number, amount, currency, description } = body.order
  assert.equal(body.merchant_key, 'test-a')
  assert.equal(body.hash, checkoutHash([number, amount, currency, description], 'adyenpass'))
  answers['/api/v1/payment/status'] = [{ status: 'settled' }]
  const values = [paymentId, number, amount, currency]
  const returned = {
    payment_id: paymentId,
    order_id: number,
    hash: returnHash([...values, 'open'], 'adyenpass'),
  }
  const back = new URL(body.success_url)
  for (const [name, value] of Object.entries(returned)) back.searchParams.set(name, value)
  assert.match(await (await fetch(back)).text(), /<dd>verified<\/dd>/)

  const fields = {
    order_number: number,
    order_amount: amount,
    order_currency: currency,
    order_description: description,
  }
  const hash = checkoutHash([paymentId, number, amount, currency, description], 'adyenpass')
  await fetch(`${url}/shop/callbacks`, {
    method: 'POST',
    body: new URLSearchParams({ id: paymentId, ...fields, hash }),
  })
  assert.match(await (await fetch(`${url}/shop/callbacks?after=0`)).text(), /"verified":true/)

  const cheap = { ...fields, order_amount: '0.01' }
  const hashOfCheap = checkoutHash([paymentId, number, '0.01', currency, description], 'adyenpass')
  await fetch(`${url}/shop/callbacks`, {
    method: 'POST',
    body: new URLSearchParams({ id: paymentId, ...cheap, hash: hashOfCheap }),
  })
  assert.match(await (await fetch(`${url}/shop/callbacks?after=1`)).text(), /"verified":false/)
})

test('a refusal of the gateway is shown in its own words', async (t) => {
  const { url, answers } = await scene(t)
  answers['/api/v1/session'] = {
    error_message: 'Request data is invalid.',
    errors: [{ error_message: 'order: <wrong>' }],
  }
  assert.match(await (await press(url, 'card')).text(), /order: &#60;wrong&#62;/)
})

test('before the gateway is ready the shop says so', async (t) => {
  const { url } = await scene(t, false)
  assert.match(await (await fetch(`${url}/shop`)).text(), /not ready yet/)
  assert.match(await (await press(url, 'card')).text(), /not ready yet/)
})

test('the shop’s pages load only from the shop and the gateway', async (t) => {
  const { url } = await scene(t)
  const policy = (await fetch(`${url}/shop/fields`)).headers.get('content-security-policy') ?? ''
  assert.match(policy, /default-src 'none'/)
  assert.doesNotMatch(policy, /unsafe|\*/)
})
