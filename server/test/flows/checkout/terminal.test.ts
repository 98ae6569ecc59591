/** Chapter 70 §8: staff take a card payment by telephone; the card goes from the frames to the service, and the panel charges it. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { startMailHost } from '../../mail-host.ts'
import { merchantId, type PanelClient, panelOf } from '../../panel/admin.ts'
import { openShop, type Shop } from '../../shop.ts'

let host: Awaited<ReturnType<typeof startMailHost>>
let shop: Shop
let support: PanelClient
let demo: string
before(async () => {
  host = await startMailHost()
  shop = await openShop({ SMTP_URL: host.url, MAIL_FROM: 'payments@example.com' })
  support = await panelOf(shop, { role: 'support' })
  demo = await merchantId(shop, 'demo')
})
after(async () => {
  await shop[Symbol.asyncDispose]()
  await host.stop()
})

const order = { amountMinor: '4711', currency: 'EUR', description: 'Boots, size 42', payer: { name: 'Jane Roe' } }
const number = '4111111111111111'

async function open(changes: object = {}, merchant = demo) {
  const { http, body, text } = await support.post(`/merchants/${merchant}/terminal`, { ...order, ...changes })
  assert.equal(http, 200, text)
  return body as { id: string; token: string; fieldsUrl: string; orderNumber: string; decimals: number }
}

/** As the frames send it. */
async function typeCard(token: string, { expiry = '01/38', card = number, code = '' } = {}): Promise<void> {
  const collection = randomUUID()
  const send = async (path: string, body: object): Promise<void> => {
    const reply = await fetch(`${shop.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', token },
      body: JSON.stringify({ ...body, collection }),
    })
    assert.equal(reply.status, 200, await reply.text())
  }
  await send('/page/v1/collection', {})
  await send('/page/v1/fields', { field: 'card', value: card })
  await send('/page/v1/fields', { field: 'expiry', value: expiry })
  await send('/page/v1/fields', { field: 'cvv', value: code, last: true })
}

const charge = (id: string, body: object = {}) =>
  support.post(`/merchants/${demo}/terminal/${id}/payment`, { attemptId: randomUUID(), ...body })

test('a sale without a security code is a MOTO payment at a MID that takes them, once, with receipt and audit entry', async () => {
  const payer = { name: 'Jane Roe', email: 'jane@example.com', country: 'DE', zip: '10115' }
  const { id, token, orderNumber } = await open({ orderNumber: 'CALL-7', payer })
  assert.equal(orderNumber, 'CALL-7')
  await typeCard(token)
  const attemptId = randomUUID()
  const { http, body, text } = await charge(id, { attemptId, sendsReceipt: true })
  assert.equal(http, 200, text)
  assert.deepEqual(
    [body.result, body.status, body.amountMinor, body.mayTryAgain],
    ['approved', 'SETTLED', '4711', false],
  )
  assert.equal(body.isReceiptSent, true)
  const again = await charge(id, { attemptId, sendsReceipt: true })
  assert.deepEqual([again.body.paymentId, again.body.isReceiptSent], [body.paymentId, false])
  assert.equal((await charge(id)).http, 409, 'the order is paid')

  const { rows } = await shop.base.pool.query(
    `select p.order_id, p.payer_ip, p.facts ->> 'motoType' as moto, m.name as mid
     from payments p join mids m on m.id = p.mid_id where p.session_id = $1`,
    [id],
  )
  assert.deepEqual(rows, [{ order_id: 'CALL-7', payer_ip: null, moto: 'phone_moto', mid: 'sandbox-live' }])
  await shop.service.awaitIdle()
  const mails = host.received.filter(({ to }) => to.includes('jane@example.com'))
  assert.equal(mails.length, 1)
  assert.match(mails[0]?.text ?? '', /Amount: 47\.11 EUR[\s\S]*Card: ending in 1111/)

  const { rows: log } = await shop.base.pool.query<{ action: string; after: unknown }>(
    `select * from audit_log where action like 'terminal.%' order by action desc`,
  )
  assert.deepEqual([...new Set(log.map(({ action }) => action))], ['terminal.open', 'terminal.charge'])
  const written = JSON.stringify(log, (_, value) => (typeof value === 'bigint' ? String(value) : value))
  for (const secret of [number, token, 'jane@example.com']) assert.ok(!written.includes(secret), secret)
})

test('amounts have the decimals of their currency, and an authorisation holds', async () => {
  for (const [currency, decimals, amountMinor] of [
    ['JPY', 0, '5210'],
    ['KWD', 3, '1234'],
  ] as const) {
    const { id, token, decimals: shown } = await open({ currency, amountMinor, auth: true })
    assert.equal(shown, decimals)
    await typeCard(token, { code: '123' })
    const { body, text } = await charge(id)
    assert.deepEqual([body.status, body.amountMinor, body.amountDecimals], ['PENDING', amountMinor, decimals], text)
  }
})

test('after a decline another card is tried, and the first one is not charged again', async () => {
  const { id, token } = await open()
  await typeCard(token, { expiry: '02/38' })
  const { body } = await charge(id)
  assert.deepEqual([body.result, body.mayTryAgain], ['declined', true])
  assert.ok(body.declineReason)
  const empty = await charge(id)
  assert.deepEqual([empty.http, empty.body.error.message], [409, 'Card data is not collected.'])
  await typeCard(token)
  assert.equal((await charge(id)).body.result, 'approved')
})

test('the token of the frames charges nothing, changes nothing, and works in the panel alone', async () => {
  const { id, token } = await open()
  await typeCard(token)
  const headers = { 'content-type': 'application/json', token }
  for (const [method, path, body] of [
    ['POST', '/api/v1/processing/purchase/card', { name: 'Jane Roe', with_hosted_fields: true }],
    ['PUT', '/api/v1/session/update', { order_amount: '0.01' }],
  ] as const) {
    const reply = await fetch(`${shop.url}${path}`, { method, headers, body: JSON.stringify(body) })
    assert.ok([401, 403].includes(reply.status), `${path}: ${reply.status}`)
  }
  const foreign = await fetch(`${shop.url}/page/v1/collection`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ origin: 'https://shop.example' }),
  })
  assert.equal(foreign.status, 403)
  const frame = await fetch(`${shop.url}/hosted-fields/card?session=${id}`)
  assert.match(frame.headers.get('content-security-policy') ?? '', new RegExp(`frame-ancestors ${shop.url}(;|$)`))
})

test('what cannot be charged is refused before a card is typed', async () => {
  for (const changes of [
    { amountMinor: '0' },
    { currency: 'XXX' },
    { description: 'x' },
    { payer: { name: 'J' } },
    { payer: { name: 'Jane Roe', country: 'ZZ' } },
  ]) {
    const { http, text } = await support.post(`/merchants/${demo}/terminal`, { ...order, ...changes })
    assert.equal(http, 422, `${JSON.stringify(changes)} ${text}`)
  }
  const without = await merchantId(shop, 'demo-no-moto')
  const refused = await support.post(`/merchants/${without}/terminal`, order)
  assert.deepEqual([refused.http, refused.body.error.message], [409, 'MOTO payments are not supported.'])
  const finance = await panelOf(shop, { role: 'finance' })
  assert.equal((await finance.post(`/merchants/${demo}/terminal`, order)).http, 403)
  const { id } = await open()
  assert.equal(
    (await support.post(`/merchants/${without}/terminal/${id}/payment`, { attemptId: randomUUID() })).http,
    404,
  )
})
