// Written from chapter 20 §18, "crypto, voucher", §6.2 and §6.6; the page and `gatehouse trigger`.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { Acquirer } from '../acquirer.ts'
import {
  type BankReply,
  brandBody,
  decisionText,
  openBank,
  type TestBank,
  temporaryFolder,
} from '../testing/test-bank.ts'

const returnUrl = 'https://pay.example.com/verify/redirect/0/0'
const mismatch = 'declined hard Amount mismatch'
const expiredDecision = 'declined hard Expired'

const orderFields = { amount: '10000000', currency: 'USDT', payment_id: 'p-1' }

async function crypto(bank: TestBank, fields: object = {}, brand: object = {}): Promise<BankReply> {
  return bank.brand('crypto', null, { ...orderFields, ...fields }, { expires_at: await bank.inAnHour(), ...brand })
}

async function voucher(bank: TestBank, fields: object = {}): Promise<BankReply> {
  const expires_at = await bank.inAnHour()
  return bank.brand('voucher', 'payer-1', { currency: 'BRL', payment_id: 'p-1', ...fields }, { expires_at })
}

const report = (bank: TestBank, body: object, payment = 'p-1') => bank.ask('POST', `/trigger/${payment}`, body)

const press = (bank: TestBank, { body }: BankReply, fields: Record<string, string>): Promise<Response> =>
  fetch(bank.url + body.payment_path, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })

test('crypto money waits for its payer, with an address that no chain knows, a network and a page', async (t) => {
  const bank = await openBank(t)
  const { body } = await crypto(bank, {}, { crypto_network: 'TRC20' })
  assert.equal(body.state, 'waiting')
  assert.match(body.crypto_address, /^sbx1[0-9a-f]{40}$/)
  assert.equal(body.crypto_network, 'TRC20')
  assert.match(body.payment_path, /^\/sandbox\/pay\/p-1\/[0-9a-f]{32}$/)
  assert.notEqual((await crypto(bank, { payment_id: 'p-2' })).body.crypto_address, body.crypto_address)
})

test('a network that nobody asked for is chosen by the currency', async (t) => {
  const bank = await openBank(t)
  assert.equal((await crypto(bank)).body.crypto_network, 'ERC20')
  assert.equal((await crypto(bank, { currency: 'BTC' })).body.crypto_network, 'BTC')
})

test('a voucher waits for its payer, with a number, a time and a page', async (t) => {
  const bank = await openBank(t)
  const { body } = await voucher(bank)
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
    const bank = await openBank(t)
    const sale = await crypto(bank)
    const answer = await report(bank, body)
    assert.equal(answer.status, 200)
    assert.equal(answer.body.transaction_id, sale.id)
    const status = await bank.status(sale.id)
    assert.equal(decisionText(status), end)
    assert.equal(status.body.received, received)
    assert.equal(status.body.amount, '10000000', 'what was asked for stays what it was')
    assert.deepEqual(await bank.effects(sale.id), executed)
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
    const bank = await openBank(t)
    const sale = await crypto(bank)
    assert.equal((await report(bank, body)).status, 400)
    assert.equal(decisionText(await bank.status(sale.id)), 'waiting')
  })
}

test('an order without amount waits without one, and what comes is its amount, also for a refund', async (t) => {
  const bank = await openBank(t)
  const sale = await crypto(bank, { amount: undefined })
  assert.equal(sale.body.amount, undefined)
  for (const body of [{ report: 'paid' }, { report: 'more', amount: '1' }]) {
    assert.equal((await report(bank, body)).status, 400)
  }
  await report(bank, { report: 'paid', amount: '0.25' })
  assert.equal((await bank.status(sale.id)).body.received, '250000')
  assert.deepEqual(await bank.effects(sale.id), ['sale 250000'])
  const refund = (amount: string) => bank.later('refund', sale, amount, { payment_id: 'p-1' })
  assert.match(decisionText(await refund('250001')), /^declined/)
  assert.equal(decisionText(await refund('250000')), 'approved')
})

test('a voucher is paid in full, or expires', async (t) => {
  const bank = await openBank(t)
  const sale = await voucher(bank)
  for (const body of [{ report: 'more' }, { report: 'less' }, { report: 'paid', amount: '5.00' }]) {
    assert.equal((await report(bank, body)).status, 400)
  }
  await report(bank, { report: 'paid' })
  assert.deepEqual(await bank.effects(sale.id), ['sale 1000'])
  const other = await voucher(bank, { payment_id: 'p-2' })
  await report(bank, { report: 'expired' }, 'p-2')
  assert.equal(decisionText(await bank.status(other.id)), expiredDecision)
})

test('a report comes once: afterwards nothing waits any more', async (t) => {
  const bank = await openBank(t)
  const sale = await crypto(bank)
  await report(bank, { report: 'less' })
  const again = await report(bank, { report: 'paid' })
  assert.deepEqual([again.status, again.body.error.code], [404, 'nothing_awaited'])
  assert.equal(decisionText(await bank.status(sale.id)), mismatch)
})

test('what the payer has not decided in his time is declined as expired: money and redirects', async (t) => {
  const bank = await openBank(t)
  const sales = [
    await crypto(bank),
    await voucher(bank, { payment_id: 'p-2' }),
    await bank.brand('redirect', 'payer-1', { payment_id: 'p-3' }, { expires_at: await bank.inAnHour() }),
  ]
  await bank.advance(3_590_000)
  for (const { id, body } of sales) assert.equal(decisionText(await bank.status(id)), body.state)
  await bank.advance(20_000)
  for (const { id } of sales) {
    assert.equal(decisionText(await bank.status(id)), expiredDecision)
    assert.deepEqual(await bank.effects(id), [])
  }
  assert.equal((await report(bank, { report: 'paid' })).status, 404)
  assert.equal((await fetch(bank.url + sales[2]?.body.redirect_path, { redirect: 'manual' })).status, 303)
})

test('a redirect can be decided without a browser too', async (t) => {
  const bank = await openBank(t)
  const ends = { approve: 'approved', decline: 'declined hard Cancelled by payer', expired: expiredDecision }
  for (const [word, end] of Object.entries(ends)) {
    const sale = await bank.brand('redirect', 'payer-1', { payment_id: word })
    assert.equal((await report(bank, { report: 'paid' }, word)).status, 400)
    assert.equal((await report(bank, { report: word }, word)).status, 200)
    assert.equal(decisionText(await bank.status(sale.id)), end)
  }
})

test('the crypto page shows where to send how much; its amount may be changed, and decides', async (t) => {
  const bank = await openBank(t)
  const sale = await crypto(bank)
  const page = await fetch(bank.url + sale.body.payment_path, { headers: { 'accept-language': 'fr' } })
  const html = await page.text()
  for (const text of ['EXAMPLE SHOP', '10.000000 USDT', sale.body.crypto_address, 'ERC20', 'lang="fr"', 'Adresse']) {
    assert.ok(html.includes(text), text)
  }
  assert.match(html, /<input name="amount"[^>]* value="10.000000">/)
  for (const choice of ['paid', 'expired', 'leave']) assert.ok(html.includes(`name="decision" value="${choice}"`))
  assert.match(page.headers.get('content-security-policy') ?? '', /^default-src 'none'/)

  const answer = await press(bank, sale, { decision: 'paid', amount: '20' })
  assert.deepEqual([answer.status, answer.headers.get('location')], [303, returnUrl])
  assert.deepEqual(await bank.effects(sale.id), ['sale 20000000'])
  const again = await fetch(bank.url + sale.body.payment_path, { redirect: 'manual' })
  assert.deepEqual([again.status, again.headers.get('location')], [303, returnUrl])
})

test('the voucher page shows its number and asks for no amount', async (t) => {
  const bank = await openBank(t)
  const sale = await voucher(bank)
  const html = await (await fetch(bank.url + sale.body.payment_path)).text()
  for (const text of ['Voucher number', sale.body.voucher_reference, '10.00 BRL']) assert.ok(html.includes(text), text)
  assert.doesNotMatch(html, /name="amount"/)
  await press(bank, sale, { decision: 'expired' })
  assert.equal(decisionText(await bank.status(sale.id)), expiredDecision)
})

test('leaving the page, an unknown choice and an amount that is none decide nothing', async (t) => {
  const bank = await openBank(t)
  const sale = await crypto(bank)
  assert.equal((await press(bank, sale, { decision: 'leave' })).status, 200)
  assert.equal((await press(bank, sale, { decision: 'steal' })).status, 400)
  assert.equal((await press(bank, sale, { decision: 'paid', amount: 'much' })).status, 400)
  assert.equal(decisionText(await bank.status(sale.id)), 'waiting')
})

test('a page is found by payment and key together, and each kind has its own', async (t) => {
  const bank = await openBank(t)
  const { body } = await crypto(bank)
  const wrong = [
    body.payment_path.replace('p-1', 'p-2'),
    body.payment_path.replace(/.$/, (last: string) => (last === '0' ? '1' : '0')),
    body.payment_path.replace('/pay/', '/redirect/'),
  ]
  for (const path of wrong) assert.equal((await fetch(bank.url + path)).status, 404, path)
})

test('without a browser to send back the page stays, and says no more than what was paid', async (t) => {
  const bank = await openBank(t)
  const sale = await crypto(bank, { return_url: undefined })
  const answer = await press(bank, sale, { decision: 'paid' })
  assert.equal(answer.status, 200)
  assert.doesNotMatch(await answer.text(), /<button/)
  assert.equal(decisionText(await bank.status(sale.id)), 'approved')
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
