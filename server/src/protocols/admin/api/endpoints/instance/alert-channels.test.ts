/** Alerts are sent to mail, webhook and chat, once, by kind, severity and time; approvals are announced. Chapter 70 §9. */
import assert from 'node:assert/strict'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { AlertKind } from '#domain/alert/alert-kinds.ts'
import { webhookSignature } from '#domain/signature/signature.ts'
import { portOf } from '../../../../../../test/hosts/port-of.ts'
import { startMailHost } from '../../../../../../test/mail-host.ts'
import { makeUser, merchantId, PanelClient, panelOf } from '../../../../../../test/panel/admin.ts'
import { openShop, type Shop } from '../../../../../../test/shop.ts'
import { openProcessContext } from '../../../../../assembly/process-context.ts'
import { alertStore } from '../../../../../store/instance/alerts.ts'
import { wireService } from '../../../../../wiring.ts'

interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

const received: Received[] = []
const mood = { status: 200 }
const receiver = createServer((request, reply) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() })
    reply.writeHead(mood.status).end()
  })
})

let host: Awaited<ReturnType<typeof startMailHost>>
let shop: Shop
let owner: Awaited<ReturnType<typeof panelOf>>
let hook: string
before(async () => {
  host = await startMailHost()
  const mail = { SMTP_URL: host.url, MAIL_FROM: 'Gatehouse <payments@example.com>' }
  shop = await openShop({ ...mail, REFUND_APPROVAL: 'EUR:1' }, ['back office'])
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  hook = `http://127.0.0.1:${portOf(receiver)}/secret-path`
  owner = await panelOf(shop)
})
after(async () => {
  await shop[Symbol.asyncDispose]()
  receiver.close()
  await host.stop()
})
beforeEach(async () => {
  await shop.base.pool.query('delete from alert_channels')
  await shop.service.awaitIdle()
  host.received.length = 0
  received.length = 0
  mood.status = 200
})

const rules = {
  name: 'Duty',
  kinds: [],
  leastSeverity: 'warning',
  quiet: null,
  timeZone: 'UTC',
  digestMinutes: 0,
  isEnabled: true,
}
const mailChannel = { ...rules, kind: 'mail', target: 'duty@example.com' }

async function create(body: object) {
  const answer = await owner.post('/alert-channels', body)
  assert.equal(answer.http, 200, answer.text)
  return answer.body
}

async function raise(kind: AlertKind, text: string): Promise<void> {
  const { pool, clock, ids } = shop.base
  await alertStore(pool, { clock, ids }).raise({ kind, merchantId: null, paymentId: null, text })
  await shop.service.awaitIdle()
}

const mailTexts = (): readonly string[] => host.received.map(({ text }) => text.replaceAll(/=\r?\n/g, ''))

describe('channels', () => {
  test('an alert is mailed once, and not again after a restart', async () => {
    await create(mailChannel)
    await raise('mid-failing', 'MID north fails.')
    assert.equal(host.received.length, 1)
    assert.deepEqual(host.received[0]?.to, ['duty@example.com'])
    assert.match(mailTexts()[0] ?? '', /Subject: warning: mid failing[\s\S]*MID north fails\.[\s\S]*\/admin\/alerts/)
    const base = await openProcessContext(shop.base.config, shop.base.databaseUrl, shop.base.log)
    const restarted = await wireService(base, shop.sandbox.url)
    await restarted.awaitIdle()
    await restarted.stop()
    assert.equal(host.received.length, 1)
  })

  test('a channel gets the kinds and severities that it wants', async () => {
    await create({ ...mailChannel, name: 'Critical', leastSeverity: 'critical', target: 'critical@example.com' })
    await create({ ...mailChannel, name: 'Clock', kinds: ['clock-off'], target: 'clock@example.com' })
    await raise('mid-failing', 'A warning.')
    assert.equal(host.received.length, 0)
    await raise('clock-off', 'A warning of a kind.')
    await raise('outcome-unknown', 'A critical one.')
    assert.deepEqual(
      host.received.map(({ to }) => to[0]),
      ['clock@example.com', 'critical@example.com'],
    )
  })

  test('a digest sends what was raised meanwhile together; what is critical does not wait', async () => {
    await create({ ...mailChannel, digestMinutes: 60 })
    await raise('mid-failing', 'The first.')
    await raise('clock-off', 'The second.')
    assert.equal(host.received.length, 0)
    await raise('outcome-unknown', 'The critical one.')
    assert.equal(host.received.length, 1)
    await shop.advance(3_600_000)
    await shop.service.awaitIdle()
    assert.equal(host.received.length, 2)
    assert.match(mailTexts()[1] ?? '', /Subject: 2 alerts[\s\S]*The first\.[\s\S]*The second\./)
  })

  test('a webhook is signed, and its secret is shown once', async () => {
    const { channel, secret } = await create({ ...rules, kind: 'webhook', target: hook })
    assert.doesNotMatch(JSON.stringify((await owner.get('/alert-channels')).body), /secret-path|whsec/)
    assert.match(channel.shownTarget, /^http:\/\/127\.0\.0\.1:\d+\/…$/)
    await raise('mid-failing', 'MID north fails.')
    const [{ headers, body } = { headers: {}, body: '' }] = received
    const { alerts } = JSON.parse(body)
    assert.deepEqual([alerts.length, alerts[0].kind, alerts[0].severity], [1, 'mid-failing', 'warning'])
    const [id, at] = [String(headers['webhook-id']), Number(headers['webhook-timestamp'])]
    assert.equal(headers['webhook-signature'], webhookSignature(secret, id, at, body))
  })

  test('a webhook that fails is tried again with the same id, and the channel says why', async () => {
    await create({ ...rules, kind: 'webhook', target: hook })
    mood.status = 500
    await raise('mid-failing', 'MID north fails.')
    const [failing] = (await owner.get('/alert-channels')).body.channels
    assert.deepEqual([failing.lastFault, failing.waiting], ['The answer was HTTP 500.', 1])
    mood.status = 204
    await shop.advance(61_000)
    await shop.service.awaitIdle()
    assert.equal(received.length, 2)
    assert.equal(received[0]?.headers['webhook-id'], received[1]?.headers['webhook-id'])
    const [well] = (await owner.get('/alert-channels')).body.channels
    assert.deepEqual([well.lastFault, well.waiting], [null, 0])
  })

  test('a chat gets a text', async () => {
    await create({ ...rules, kind: 'chat', target: hook })
    await raise('mid-failing', 'MID north fails.')
    assert.match(JSON.parse(received[0]?.body ?? '{}').text, /MID north fails\./)
  })

  test('a test is sent at once, or says what is wrong', async () => {
    const { channel } = await create({ ...rules, kind: 'chat', target: hook })
    const trial = `/alert-channels/${channel.id}/test`
    assert.deepEqual((await owner.post(trial)).body, { fault: null })
    assert.match(received[0]?.body ?? '', /This is a test of the channel Duty/)
    mood.status = 404
    assert.deepEqual((await owner.post(trial)).body, { fault: 'The answer was HTTP 404.' })
  })

  test('a disabled channel gets nothing, also not what waited', async () => {
    const { channel } = await create({ ...mailChannel, digestMinutes: 60 })
    await raise('mid-failing', 'Waits.')
    const disabled = await owner.send('PUT', `/alert-channels/${channel.id}`, { ...rules, isEnabled: false })
    assert.equal(disabled.http, 200, disabled.text)
    await raise('mid-failing', 'Unheard.')
    await owner.send('PUT', `/alert-channels/${channel.id}`, rules)
    await shop.advance(3_600_000)
    await shop.service.awaitIdle()
    assert.equal(host.received.length, 0)
  })

  test('bad input is refused with the field that is wrong', async () => {
    await create(mailChannel)
    for (const [body, field] of [
      [{ ...mailChannel, name: 'Other', target: 'a@example.com, b@example.com' }, 'target'],
      [{ ...rules, name: 'Other', kind: 'webhook', target: 'ftp://hooks.example.com' }, 'target'],
      [{ ...mailChannel, name: 'Other', timeZone: 'Mars/Olympus' }, 'timeZone'],
      [{ ...mailChannel, name: 'Other', kinds: ['no-such-kind'] }, 'kinds'],
      [{ ...mailChannel, name: 'Other', quiet: { from: 60, until: 60 } }, 'quiet'],
      [mailChannel, 'name'],
    ] as const) {
      const answer = await owner.post('/alert-channels', body)
      assert.deepEqual([answer.http, answer.body.error?.fields?.[0]?.field], [422, field], answer.text)
    }
  })
})

describe('what raises an alert', () => {
  test('a waiting approval is mailed once to those who can decide it, and to nobody else', async () => {
    const second = await makeUser(shop)
    const finance = await makeUser(shop, { role: 'finance' })
    const support = await makeUser(shop, { role: 'support' })
    const other = await makeUser(shop, {
      role: 'finance',
      allMerchants: false,
      merchantIds: [await merchantId(shop, 'demo-dms')],
    })
    const sale = await shop.sale()
    const path = `/merchants/${await merchantId(shop, 'demo')}/payments/${sale.body.trans_id}/refund`
    const request = await owner.post(path, { reason: 'Returned.' })
    assert.equal(request.http, 200, request.text)
    await shop.service.awaitIdle()
    const to = host.received.flatMap((mail) => mail.to)
    assert.deepEqual([to.includes(second.email), to.includes(finance.email)], [true, true])
    assert.deepEqual(
      [owner.person.email, support.email, other.email].filter((email) => to.includes(email)),
      [],
    )
    assert.equal(new Set(to).size, to.length)
    assert.match(mailTexts()[0] ?? '', /requests a refund[\s\S]*Returned\.[\s\S]*\/admin\/approvals/)
    const sent = host.received.length
    await shop.advance(60_000)
    await shop.service.awaitIdle()
    assert.equal(host.received.length, sent)
  })

  test('only who may choose channels sees them', async () => {
    const support = await panelOf(shop, { role: 'support' })
    assert.equal((await support.get('/alert-channels')).http, 403)
    assert.equal((await new PanelClient(shop.url).get('/alert-channels')).http, 401)
  })
})
