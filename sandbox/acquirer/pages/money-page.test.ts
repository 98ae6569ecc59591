// Written from chapter 20 §18, "crypto, voucher", §6.2 and §6.6; the page and `gatehouse trigger`.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { temporaryFolder } from '../../kit/testing/temporary-folder.ts'
import { Acquirer } from '../acquirer.ts'
import {
  type AcquirerReply,
  brandBody,
  decisionText,
  openTestAcquirer,
  type TestAcquirer,
} from '../testing/test-acquirer.ts'

const returnUrl = 'https://pay.example.com/verify/redirect/0/0'
const mismatch = 'declined hard Amount mismatch'
const expiredDecision = 'declined hard Expired'

const orderFields = { amount: '10000000', currency: 'USDT', payment_id: 'p-1' }

async function crypto(acquirer: TestAcquirer, fields: object = {}, brand: object = {}): Promise<AcquirerReply> {
  return acquirer.brand(
    'crypto',
    null,
    { ...orderFields, ...fields },
    { expires_at: await acquirer.inAnHour(), ...brand },
  )
}

async function voucher(acquirer: TestAcquirer, fields: object = {}): Promise<AcquirerReply> {
  const expires_at = await acquirer.inAnHour()
  return acquirer.brand('voucher', 'payer-1', { currency: 'BRL', payment_id: 'p-1', ...fields }, { expires_at })
}

const report = (acquirer: TestAcquirer, body: object, payment = 'p-1') =>
  acquirer.ask('POST', `/trigger/${payment}`, body)

const press = (acquirer: TestAcquirer, { body }: AcquirerReply, fields: Record<string, string>): Promise<Response> =>
  fetch(acquirer.url + body.payment_path, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })

test('crypto money waits for its payer, with an address that no chain knows, a network and a page', async (t) => {
  const acquirer = await openTestAcquirer(t)
  const { body } = await crypto(acquirer, {}, { crypto_network: 'TRC20' })
  assert.equal(body.state, 'waiting')
  assert.match(body.crypto_address, /^sbx1[0-9a-f]{40}$/)
  assert.equal(body.crypto_network, 'TRC20')
  assert.match(body.payment_path, /^\/sandbox\/pay\/p-1\/[0-9a-f]{32}$/)
  assert.notEqual((await crypto(acquirer, { payment_id: 'p-2' })).body.crypto_address, body.crypto_address)
})

test('a network that nobody asked for is chosen by the currency', async (t) => {
  const acquirer = await openTestAcquirer(t)
  assert.equal((await crypto(acquirer)).body.crypto_network, 'ERC20')
  assert.equal((await crypto(acquirer, { currency: 'BTC' })).body.crypto_network, 'BTC')
})

test('a voucher waits for its payer, with a number, a time and a page', async (t) => {
  const acquirer = await openTestAcquirer(t)
  const { body } = await voucher(acquirer)
  assert.equal(body.state, 'waiting')
  assert.match(body.voucher_reference, /^\d{11}$/)
  assert.match(body.expires_at, /^\d{4}-\d{2}-\d{2}T/)
  assert.match(body.payment_path, /^\/sandbox\/pay\/p-1\/[0-9a-f]{32}$/)
  assert.equal(body.crypto_address, undefined)
})

// biome-ignore format: a table is read in columns.
const reports = [
  // asked 10 USDT, reported                  becomes      received     executed
  [ { report: 'paid' },                       'approved',  undefined,   ['sale 10000000'] ],
  [ { report: 'paid', amount: '10' },         'approved',  undefined,   ['sale 10000000'] ],
  [ { report: 'paid', amount: '10.000001' },  'approved',  '10000001',  ['sale 10000001'] ],
  [ { report: 'paid', amount: '9.999999' },   mismatch,    '9999999',   [] ],
  [ { report: 'more' },                       'approved',  '11000000',  ['sale 11000000'] ],
  [ { report: 'more', amount: '12.5' },       'approved',  '12500000',  ['sale 12500000'] ],
  [ { report: 'less' },                       mismatch,    '9000000',   [] ],
  [ { report: 'less', amount: '0.5' },        mismatch,    '500000',    [] ],
  [ { report: 'expired' },                    expiredDecision,     undefined,   [] ],
] as const

for (const [body, end, received, executed] of reports) {
  test(`crypto money reported as ${JSON.stringify(body)} ends "${end}"`, async (t) => {
    const acquirer = await openTestAcquirer(t)
    const sale = await crypto(acquirer)
    const answer = await report(acquirer, body)
    assert.equal(answer.status, 200)
    assert.equal(answer.body.transaction_id, sale.id)
    const status = await acquirer.status(sale.id)
    assert.equal(decisionText(status), end)
    assert.equal(status.body.received, received)
    assert.equal(status.body.amount, '10000000', 'what was asked for stays what it was')
    assert.deepEqual(await acquirer.effects(sale.id), executed)
  })
}

// biome-ignore format: a table is read in columns.
const refusedReports: readonly (readonly [what: string, body: object])[] = [
  ['more that is not more',     { report: 'more', amount: '10' }],
  ['less that is not less',     { report: 'less', amount: '10' }],
  ['nothing',                   { report: 'paid', amount: '0' }],
  ['an amount below zero',      { report: 'paid', amount: '-1' }],
  ['too many decimals',         { report: 'paid', amount: '1.1234567' }],
  ['another word',              { report: 'approve' }],
  ['no word',                   {}],
]

for (const [what, body] of refusedReports) {
  test(`a report of ${what} is refused, and the payment waits on`, async (t) => {
    const acquirer = await openTestAcquirer(t)
    const sale = await crypto(acquirer)
    assert.equal((await report(acquirer, body)).status, 400)
    assert.equal(decisionText(await acquirer.status(sale.id)), 'waiting')
  })
}

test('an order without amount waits without one, and what comes is its amount, also for a refund', async (t) => {
  const acquirer = await openTestAcquirer(t)
  const sale = await crypto(acquirer, { amount: undefined })
  assert.equal(sale.body.amount, undefined)
  for (const body of [{ report: 'paid' }, { report: 'more', amount: '1' }]) {
    assert.equal((await report(acquirer, body)).status, 400)
  }
  await report(acquirer, { report: 'paid', amount: '0.25' })
  assert.equal((await acquirer.status(sale.id)).body.received, '250000')
  assert.deepEqual(await acquirer.effects(sale.id), ['sale 250000'])
  const refund = (amount: string) => acquirer.later('refund', sale, amount, { payment_id: 'p-1' })
  assert.match(decisionText(await refund('250001')), /^declined/)
  assert.equal(decisionText(await refund('250000')), 'approved')
})

test('a voucher is paid in full, or expires', async (t) => {
  const acquirer = await openTestAcquirer(t)
  const sale = await voucher(acquirer)
  for (const body of [{ report: 'more' }, { report: 'less' }, { report: 'paid', amount: '5.00' }]) {
    assert.equal((await report(acquirer, body)).status, 400)
  }
  await report(acquirer, { report: 'paid' })
  assert.deepEqual(await acquirer.effects(sale.id), ['sale 1000'])
  const other = await voucher(acquirer, { payment_id: 'p-2' })
  await report(acquirer, { report: 'expired' }, 'p-2')
  assert.equal(decisionText(await acquirer.status(other.id)), expiredDecision)
})

test('a report comes once: afterwards nothing waits any more', async (t) => {
  const acquirer = await openTestAcquirer(t)
  const sale = await crypto(acquirer)
  await report(acquirer, { report: 'less' })
  const again = await report(acquirer, { report: 'paid' })
  assert.deepEqual([again.status, again.body.error.code], [404, 'nothing_awaited'])
  assert.equal(decisionText(await acquirer.status(sale.id)), mismatch)
})

test('what the payer has not decided in his time is declined as expired: money and redirects', async (t) => {
  const acquirer = await openTestAcquirer(t)
  const sales = [
    await crypto(acquirer),
    await voucher(acquirer, { payment_id: 'p-2' }),
    await acquirer.brand('redirect', 'payer-1', { payment_id: 'p-3' }, { expires_at: await acquirer.inAnHour() }),
  ]
  await acquirer.advance(3_590_000)
  for (const { id, body } of sales) assert.equal(decisionText(await acquirer.status(id)), body.state)
  await acquirer.advance(20_000)
  for (const { id } of sales) {
    assert.equal(decisionText(await acquirer.status(id)), expiredDecision)
    assert.deepEqual(await acquirer.effects(id), [])
  }
  assert.equal((await report(acquirer, { report: 'paid' })).status, 404)
  assert.equal((await fetch(acquirer.url + sales[2]?.body.redirect_path, { redirect: 'manual' })).status, 303)
})

test('a redirect can be decided without a browser too', async (t) => {
  const acquirer = await openTestAcquirer(t)
  const ends = { approve: 'approved', decline: 'declined hard Cancelled by payer', expired: expiredDecision }
  for (const [word, end] of Object.entries(ends)) {
    const sale = await acquirer.brand('redirect', 'payer-1', { payment_id: word })
    assert.equal((await report(acquirer, { report: 'paid' }, word)).status, 400)
    assert.equal((await report(acquirer, { report: word }, word)).status, 200)
    assert.equal(decisionText(await acquirer.status(sale.id)), end)
  }
})

test('the crypto page shows where to send how much; its amount may be changed, and decides', async (t) => {
  const acquirer = await openTestAcquirer(t)
  const sale = await crypto(acquirer)
  const page = await fetch(acquirer.url + sale.body.payment_path, { headers: { 'accept-language': 'fr' } })
  const html = await page.text()
  for (const text of ['EXAMPLE SHOP', '10.000000 USDT', sale.body.crypto_address, 'ERC20', 'lang="fr"', 'Adresse']) {
    assert.ok(html.includes(text), text)
  }
  assert.match(html, /<input name="amount"[^>]* value="10.000000">/)
  for (const choice of ['paid', 'expired', 'leave']) assert.ok(html.includes(`name="decision" value="${choice}"`))
  assert.match(page.headers.get('content-security-policy') ?? '', /^default-src 'none'/)

  const answer = await press(acquirer, sale, { decision: 'paid', amount: '20' })
  assert.deepEqual([answer.status, answer.headers.get('location')], [303, returnUrl])
  assert.deepEqual(await acquirer.effects(sale.id), ['sale 20000000'])
  const again = await fetch(acquirer.url + sale.body.payment_path, { redirect: 'manual' })
  assert.deepEqual([again.status, again.headers.get('location')], [303, returnUrl])
})

test('the voucher page shows its number and asks for no amount', async (t) => {
  const acquirer = await openTestAcquirer(t)
  const sale = await voucher(acquirer)
  const html = await (await fetch(acquirer.url + sale.body.payment_path)).text()
  for (const text of ['Voucher number', sale.body.voucher_reference, '10.00 BRL']) assert.ok(html.includes(text), text)
  assert.doesNotMatch(html, /name="amount"/)
  await press(acquirer, sale, { decision: 'expired' })
  assert.equal(decisionText(await acquirer.status(sale.id)), expiredDecision)
})

test('leaving the page, an unknown choice and an amount that is none decide nothing', async (t) => {
  const acquirer = await openTestAcquirer(t)
  const sale = await crypto(acquirer)
  assert.equal((await press(acquirer, sale, { decision: 'leave' })).status, 200)
  assert.equal((await press(acquirer, sale, { decision: 'steal' })).status, 400)
  assert.equal((await press(acquirer, sale, { decision: 'paid', amount: 'much' })).status, 400)
  assert.equal(decisionText(await acquirer.status(sale.id)), 'waiting')
})

test('a page is found by payment and key together, and each kind has its own', async (t) => {
  const acquirer = await openTestAcquirer(t)
  const { body } = await crypto(acquirer)
  const wrong = [
    body.payment_path.replace('p-1', 'p-2'),
    body.payment_path.replace(/.$/, (last: string) => (last === '0' ? '1' : '0')),
    body.payment_path.replace('/pay/', '/redirect/'),
  ]
  for (const path of wrong) assert.equal((await fetch(acquirer.url + path)).status, 404, path)
})

test('without a browser to send back the page stays, and says no more than what was paid', async (t) => {
  const acquirer = await openTestAcquirer(t)
  const sale = await crypto(acquirer, { return_url: undefined })
  const answer = await press(acquirer, sale, { decision: 'paid' })
  assert.equal(answer.status, 200)
  assert.doesNotMatch(await answer.text(), /<button/)
  assert.equal(decisionText(await acquirer.status(sale.id)), 'approved')
})

test('waiting money, what came and what expired survive a restart', async (t) => {
  const folder = await temporaryFolder(t)
  const ids = [randomUUID(), randomUUID()] as const
  const before = await Acquirer.open(folder)
  const expires_at = new Date(before.clock.now() + 3_600_000).toISOString()
  const body = brandBody('crypto', null, orderFields, { expires_at })
  for (const id of ids) await before.submit(id, { ...body, payment_id: id })
  const waiting = before.book.awaiting(ids[0]) ?? assert.fail('nothing waits')
  await before.decide(waiting, { state: 'approved', reason: null, declineClass: null, received: '12000000' })
  await before.close()

  const after = await Acquirer.open(folder)
  t.after(() => after.close())
  assert.equal(after.book.awaiting(ids[0]), undefined)
  after.setClock(7_200_000)
  const replies = await Promise.all(ids.map((id) => after.status(id, null)))
  assert.partialDeepStrictEqual(
    replies.map(({ body }) => body),
    [
      { state: 'approved', received: '12000000' },
      { state: 'declined', reason: 'Expired' },
    ],
  )
})
