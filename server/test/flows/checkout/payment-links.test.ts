/** Chapter 70 §8: a link is paid on the hosted page, once or many times, and every payment of it is a Checkout session. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { readMail, startMailHost } from '../../mail-host.ts'
import { CheckoutClient } from '../../pages/checkout.ts'
import { Payer } from '../../pages/hosted-page.ts'
import { merchantId, type PanelClient, panelOf } from '../../panel/admin.ts'
import { openShop, type Shop } from '../../shop.ts'

let shop: Shop
let owner: PanelClient
let demo: string
before(async () => {
  shop = await openShop()
  owner = await panelOf(shop)
  demo = await merchantId(shop, 'demo')
})
after(() => shop[Symbol.asyncDispose]())

const wish = { amountMinor: '1999', currency: 'EUR', description: 'Invoice 118' }
async function createLink(changes: object = {}) {
  const { http, body, text } = await owner.post(`/merchants/${demo}/payment-links`, { ...wish, ...changes })
  assert.equal(http, 200, text)
  return { ...body, path: new URL(body.url).pathname } as { id: string; url: string; path: string }
}
const detailsOf = async (id: string) => (await owner.get(`/merchants/${demo}/payment-links/${id}`)).body

const visit = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${shop.url}${path}`, { redirect: 'manual', headers })
async function press(path: string, amount?: string): Promise<Response> {
  const body = new URLSearchParams(amount === undefined ? {} : { amount })
  return fetch(`${shop.url}${path}`, { method: 'POST', redirect: 'manual', body })
}
const tokenOf = (reply: Response): string => {
  const [, token] = /\/auth\/(.+)$/.exec(reply.headers.get('location') ?? '') ?? []
  assert.ok(token, `leads to the hosted page: ${reply.status}`)
  return token
}
const payerWith = (token: string): Payer => new Payer(new CheckoutClient(shop), token)
const sessionOf = (token: string) => payerWith(token).session()
const payFor = (token: string) => payerWith(token).payAndExpectSuccess()

describe('a link for one payment', () => {
  test('shows what is paid, creates nothing when it is only opened, and is paid once', async () => {
    const { id, path } = await createLink({ orderNumber: 'INV-118', metadata: { customer: '42' } })
    const page = await visit(path)
    assert.equal(page.status, 200)
    const text = await page.text()
    assert.match(text, /Invoice 118/)
    assert.match(text, /19\.99 EUR/)
    assert.equal((await sessionCount(id)).count, 0, 'a preview creates no session')

    const token = tokenOf(await press(path))
    assert.deepEqual((await sessionOf(token)).order, {
      number: 'INV-118',
      amount: '19.99',
      currency: 'EUR',
      description: 'Invoice 118',
    })
    assert.equal((await sessionCount(id)).count, 1)
    tokenOf(await press(path))
    assert.equal((await sessionCount(id)).count, 1, 'a second payer shares the session, so that only one can pay')
    await payFor(token)
    const details = await detailsOf(id)
    assert.deepEqual([details.state, details.paid, details.payments.length], ['paid', 1, 1])
    assert.equal(details.payments[0].amountMinor, '1999')
    assert.match(await (await visit(path)).text(), /already paid/)
    const again = await press(path)
    assert.equal(again.status, 200)
    assert.equal(again.headers.get('location'), null)
    assert.match(await (await visit(`${path}/paid`)).text(), /Payment successful/)
    const { rows } = await shop.base.pool.query('select custom_data, order_id from payments where id = $1', [
      details.payments[0].id,
    ])
    assert.deepEqual(rows, [{ custom_data: { customer: '42' }, order_id: 'INV-118' }])
  })

  test('has one session when many open it at the same moment', async () => {
    const { path } = await createLink()
    const tokens = await Promise.all(Array.from({ length: 6 }, async () => tokenOf(await press(path))))
    const numbers = await Promise.all(tokens.map(async (token) => sessionIdOf(token)))
    assert.equal(new Set(numbers).size, 1)
  })
})

describe('a link with an open amount', () => {
  test('takes what the payer types, in the currency’s decimals, and refuses what is no amount', async () => {
    const { path } = await createLink({ amountMinor: null })
    for (const wrong of ['', 'abc', '0', '-5', '1.999', '1,000.00']) {
      const reply = await press(path, wrong)
      assert.equal(reply.status, 422, wrong)
      assert.match(await reply.text(), /Enter a valid amount/)
    }
    assert.equal((await sessionOf(tokenOf(await press(path, '12,5')))).order.amount, '12.50')
    assert.equal((await sessionOf(tokenOf(await press(path, '7')))).order.amount, '7.00', 'a payer may correct it')
    const { path: yen } = await createLink({ amountMinor: null, currency: 'JPY' })
    assert.equal((await press(yen, '5.5')).status, 422)
  })

  test('cannot smuggle markup or another amount into a fixed link', async () => {
    const open = await createLink({ amountMinor: null, description: '<b>bold</b> & "so on"' })
    const text = await (await press(open.path, '"><script>alert(1)</script>')).text()
    assert.ok(!text.includes('<script>') && !text.includes('<b>bold'))
    const fixed = await createLink()
    assert.equal((await sessionOf(tokenOf(await press(fixed.path, '0.01')))).order.amount, '19.99')
  })
})

test('a link for many payments gives each payer a session with a number of its own', async () => {
  const { id, path } = await createLink({ uses: 'many' })
  const [one, other] = [tokenOf(await press(path)), tokenOf(await press(path))]
  assert.notEqual((await sessionOf(one)).order.number, (await sessionOf(other)).order.number)
  await payFor(one)
  await payFor(other)
  const details = await detailsOf(id)
  assert.deepEqual([details.state, details.paid], ['open', 2])
})

test('a cancelled, expired or unknown link takes no payment, and says so in the payer’s language', async () => {
  const cancelled = await createLink()
  assert.equal((await owner.post(`/merchants/${demo}/payment-links/${cancelled.id}/cancel`, {})).http, 200)
  assert.equal((await owner.post(`/merchants/${demo}/payment-links/${cancelled.id}/cancel`, {})).http, 409)
  assert.equal((await visit(cancelled.path)).status, 410)
  assert.equal((await press(cancelled.path)).status, 410)

  const until = new Date(shop.base.clock.now().getTime() + 3_600_000).toISOString()
  const expiring = await createLink({ expiresAt: until })
  assert.equal((await visit(expiring.path)).status, 200)
  await shop.advance(3_600_000)
  assert.equal((await press(expiring.path)).status, 410)
  assert.equal((await detailsOf(expiring.id)).state, 'expired')

  assert.equal((await visit('/pay/0123456789abcdef01234567')).status, 404)
  const german = await createLink({ language: 'de' })
  assert.equal((await visit(german.path)).headers.get('content-language'), 'de')
  const any = await createLink()
  assert.equal((await visit(any.path, { 'accept-language': 'fr' })).headers.get('content-language'), 'fr')
})

test('a link that cannot be paid is refused when it is created', async () => {
  const refusals = [
    { currency: 'XXX' },
    { amountMinor: '0' },
    { description: 'x' },
    { uses: 'many', orderNumber: 'A' },
    { expiresAt: '2001-01-01T00:00:00Z' },
    { language: 'xx' },
  ]
  for (const changes of refusals) {
    const { http, text } = await owner.post(`/merchants/${demo}/payment-links`, { ...wish, ...changes })
    assert.equal(http, 422, `${JSON.stringify(changes)} ${text}`)
  }
})

test('a link is mailed to the payer in its language with amount, description and expiry, and leads to the page in it', async () => {
  const host = await startMailHost()
  const mailing = await openShop({ SMTP_URL: host.url, MAIL_FROM: 'payments@example.com' })
  try {
    const [person, own] = [await panelOf(mailing), await merchantId(mailing, 'demo')]
    // biome-ignore format: a table is read in columns.
    const cases = [
      // minor    currency   language   subject                  amount                 expiry
      ['1999',    'EUR',     'de',      'Zahlung an Demo shop',  'Betrag: 19.99 EUR',   'Bitte zahlen Sie bis 1. März 2031 um 13:05 UTC.'],
      ['1999',    'JPY',     'fr',      'Paiement à Demo shop',  'Montant: 1999 JPY',   'À payer avant le 1 mars 2031 à 13:05 UTC.'],
      ['1999',    'KWD',     'ar',      'الدفع إلى Demo shop',   'المبلغ: 1.999 KWD',   'يُرجى الدفع قبل 1 مارس 2031 في 1:05 م UTC.'],
      [null,      'EUR',     'en',      'Payment to Demo shop',  null,                  'Pay by March 1, 2031 at 1:05 PM UTC.'],
      [null,      'EUR',     null,      'Payment to Demo shop',  null,                  'Pay by March 1, 2031 at 1:05 PM UTC.'],
    ] as const
    for (const [amountMinor, currency, language, subject, amount, expiry] of cases) {
      const expiresAt = '2031-03-01T13:05:00Z'
      const link = { ...wish, amountMinor, currency, language, expiresAt }
      const answer = await person.post(`/merchants/${own}/payment-links`, link)
      assert.equal(answer.http, 200, answer.text)
      const place = `/merchants/${own}/payment-links/${answer.body.id}/mail`
      assert.equal((await person.post(place, { to: 'no address' })).http, 422)
      const mailed = await person.post(place, { to: 'payer@example.com' })
      assert.equal(mailed.http, 200, mailed.text)
      await mailing.advance(5_000)
      await mailing.service.awaitIdle()
      const [mail, ...more] = host.received.splice(0)
      assert.deepEqual([mail?.from, mail?.to, more], ['payments@example.com', ['payer@example.com'], []])
      const { subject: read, body } = readMail(mail?.text ?? '')
      assert.equal(read, subject)
      const lines = [wish.description, ...(amount === null ? [] : [amount]), '', answer.body.url, '', expiry]
      assert.deepEqual(body.trim().split('\n'), lines)
      const page = await (await fetch(`${mailing.url}${new URL(answer.body.url).pathname}`)).text()
      assert.match(page, new RegExp(`<html[^>]* lang="${language ?? 'en'}"`))
    }
  } finally {
    await mailing[Symbol.asyncDispose]()
    await host.stop()
  }
})

test('mail needs a mail server, and the audit log names the link without its address', async () => {
  const { id, url } = await createLink()
  const mailed = await owner.post(`/merchants/${demo}/payment-links/${id}/mail`, { to: 'payer@example.com' })
  assert.equal(mailed.http, 409, mailed.text)
  const { rows } = await shop.base.pool.query(`select * from audit_log where subject = $1`, [`payment-link ${id}`])
  assert.equal(rows.length, 1)
  assert.ok(
    !JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? String(value) : value)).includes(
      new URL(url).pathname.slice(5),
    ),
  )
})

async function sessionCount(linkId: string): Promise<{ count: number }> {
  const { rows } = await shop.base.pool.query<{ count: number }>(
    'select count(*)::int as count from payment_link_sessions where link_id = $1',
    [linkId],
  )
  return rows[0] ?? { count: -1 }
}

/** The token is the base64url text of a JWT, whose `jti` is the session. */
function sessionIdOf(token: string): string {
  const [, payload = ''] = Buffer.from(token, 'base64url').toString('latin1').split('.')
  return JSON.parse(Buffer.from(payload, 'base64url').toString()).jti
}
