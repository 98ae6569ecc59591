/**
 * Nothing that a payer sees authorises a call of the merchant. Chapter 10 §4.5, decisions/requests#the-payers-return,
 * decisions/requests#order-numbers, decisions/requests#payouts and decisions/requests#public-id.
 */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { publicIdOf } from '#domain/merchant.ts'
import { cardFormulas } from '#domain/signature/signature.ts'
import { verifyCallback } from '../../../../client/typescript/src/index.ts'
import { Apm } from '../../apm.ts'
import { assertSingleError, CheckoutClient } from '../../pages/checkout.ts'
import { Payer, visaCard } from '../../pages/hosted-page.ts'
import { merchantId, panelOf } from '../../panel/admin.ts'
import { assertRefused } from '../../refusals.ts'
import { type Answer, openShop } from '../../shop.ts'
import { enableWallet } from '../../wallets/wallet-device.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())
const client = new CheckoutClient(shop)
const apm = new Apm(shop)
const { key, test_key, password } = shop.merchant()

const rowsOf = ({ body }: Answer): readonly string[] =>
  body.errors.map(({ error_message }: { readonly error_message: string }) => error_message)

describe('the hash of a return', () => {
  const order = { number: '20269417', amount: '900.00', currency: 'USD', description: 'Laptop' }

  /** Declined, then left: what the payer has is the address of `cancel_url`. */
  async function leaveDeclined() {
    const payer = await Payer.at(shop, { order })
    await payer.pay({ card: visaCard('02/38') })
    const { redirect } = (await payer.close()).body
    const query = new URL(redirect.url).searchParams
    return { id: query.get('payment_id') ?? assert.fail(), hash: query.get('hash') ?? assert.fail() }
  }

  test('opens no session and pays nothing out, with the digits of the order number in front of the amount', async () => {
    const { id, hash } = await leaveDeclined()
    const joined = { number: id, amount: `${order.number}900.00`, currency: 'USD', description: 'Laptop' }
    const opened = await client.post('/api/v1/session', 'session', { ...client.purchase({ order: joined }), hash })
    assert.deepEqual(rowsOf(opened), ['hash: Hash is not valid.'])
    const paidOut = await client.post('/api/v1/payment/card/credit', 'cardCredit', {
      order_id: `${id}2026`,
      order_amount: '9417900.00',
      order_currency: 'USD',
      order_description: 'Laptop',
      card_number: '4111111111111111',
      hash,
    })
    assert.deepEqual(rowsOf(paidOut), [
      'order_id: This value must not begin with an identifier of a payment, transaction or session.',
    ])
  })

  test('signs no callback that says that the payment succeeded', async () => {
    const { id, hash } = await leaveDeclined()
    const fields = { id, order_number: order.number, order_amount: order.amount, order_currency: order.currency }
    const said = { order_description: order.description, type: 'sale', status: 'success', order_status: 'settled' }
    const body = new URLSearchParams({ ...fields, ...said, hash }).toString()
    await assert.rejects(verifyCallback({ body, headers: {} }, { passwords: [password] }), /The hash is not valid/)
  })

  test('is by mapping option that of the callback again', async () => {
    await client.choose({ returnSignature: 'callback' })
    const { hash } = await leaveDeclined()
    await client.choose({})
    assert.match(hash, /^[0-9a-f]{40}$/)
  })
})

describe('an order number that begins with an identifier of ours is refused', () => {
  const number = '01a1f58e-082d-7653-bba7-710f7d279c75INV-2026'
  const says = 'This value must not begin with an identifier of a payment, transaction or session.'
  const credit = {
    order_amount: '1.00',
    order_currency: 'EUR',
    order_description: 'Winnings',
    card_number: '4111111111111111',
  }

  // biome-ignore format: a table is read in columns.
  const requests: readonly (readonly [string, string, () => Promise<Answer>])[] = [
    ['S2S CARD',    'order_id',     () => shop.sale({ order_id: number })],
    ['S2S APM',     'order_id',     () => apm.sale({ order_id: number })],
    ['Checkout',    'order.number', () => client.session({ order: { number } })],
    ['card credit', 'order_id',     () => client.post('/api/v1/payment/card/credit', 'cardCredit', { ...credit, order_id: number })],
    ['a payout on the page', 'order.number', () => client.session({ operation: 'credit', order: { number: number.slice(0, 36) } })],
  ]
  for (const [title, param, send] of requests)
    test(`by ${title}`, async () => assert.deepEqual(rowsOf(await send()), [`${param}: ${says}`]))

  test('by the panel, for links and at the terminal', async () => {
    const owner = await panelOf(shop)
    const demo = await merchantId(shop, 'demo')
    const wish = { amountMinor: '1999', currency: 'EUR', description: 'Invoice', orderNumber: number }
    const { http, text } = await owner.post(`/merchants/${demo}/payment-links`, wish)
    assert.equal(http, 422, text)
    assert.match(text, /must not begin with an identifier/)
    const terminal = await owner.post(`/merchants/${demo}/terminal`, {
      ...wish,
      payer: { name: 'Jane Roe' },
    })
    assert.equal(terminal.http, 422, terminal.text)
    assert.match(terminal.text, /must not begin with an identifier/)
  })

  test('but not a UUID alone as the number of a payment', async () => {
    assert.equal((await shop.sale({ order_id: number.slice(0, 36) })).body.result, 'SUCCESS')
    assert.equal((await client.session({ order: { number: crypto.randomUUID() } })).http, 200)
  })
})

describe('payouts that are off', () => {
  const says = 'Payouts are switched off for this protocol. Ask the operator to switch them on.'

  test('are refused on S2S CARD and S2S APM', async () => {
    const toCard = () => {
      const hash = shop.sign(cardFormulas.credit, { pan10: '4111111111' }, password)
      const order = { order_id: 'payout-2', order_amount: '1.00', order_currency: 'EUR', order_description: 'Winnings' }
      return shop.raw({ action: 'CREDIT2CARD', client_key: key, ...order, card_number: '4111111111111111', hash })
    }
    const all = [toCard, () => apm.payout(), () => apm.cryptoPayout()]
    await shop.choose({ payouts: false })
    await apm.choose({ payouts: false })
    for (const payOut of all) assertRefused(await payOut(), 100000, says)
    await shop.choose({})
    await apm.choose({})
    for (const payOut of all) assert.equal((await payOut()).http, 200)
  })

  test('are refused on Checkout, as card credit and on the page, also in a session from before', async () => {
    const card_number = '4111111111111111'
    const payOut = () =>
      client.post('/api/v1/payment/card/credit', 'cardCredit', {
        order_id: 'payout-1',
        order_amount: '1.00',
        order_currency: 'EUR',
        order_description: 'Winnings',
        card_number,
      })
    const payout = { operation: 'credit', payee: { name: 'Jane Roe' } }
    const before = await Payer.at(shop, payout)
    await client.choose({ payouts: false })
    assertSingleError(await payOut(), 100000, says)
    assertSingleError(await client.session(payout), 100000, says)
    assertSingleError(await before.pay(), 100000, says)
    await client.choose({})
    assert.equal((await payOut()).http, 200)
    assert.equal((await before.pay()).http, 200)
  })
})

test('neither key of the merchant is in anything that a payer loads', async () => {
  const { merchant } = shop.service.configuration.byKey(key) ?? assert.fail()
  for (const wallet of ['walletapay', 'walletbpay'] as const) {
    await enableWallet(shop, { wallet })
    await enableWallet(shop, { wallet, mode: 'test' })
  }
  const owner = await panelOf(shop)
  const loaded: [what: string, text: string][] = []
  const load = async (what: string, reply: Response | Promise<Response>) => {
    const got = await reply
    loaded.push([what, `${[...got.headers].join('\n')}\n${await got.text()}`])
    return got
  }
  const note = async (what: string, answer: Promise<Answer>) => {
    const { headers, text, body } = await answer
    loaded.push([what, `${[...headers].join('\n')}\n${text}`])
    return body
  }
  for (const mode of ['live', 'test'] as const) {
    const payer = await Payer.at(shop, {}, { mode })
    loaded.push([`${mode}: the token`, decodedToken(payer.token)])
    await load('the page', fetch(`${shop.url}/auth/${payer.token}`))
    const view = await note('the session', payer.get('/page/v1/session'))
    assert.ok(JSON.stringify(view).includes(publicIdOf(merchant, mode)), 'a wallet is offered')
    for (const path of ['state', 'countries']) await note(path, payer.get(`/page/v1/${path}`))
    for (const path of ['wallet-session', 'wallet-missing'])
      await note(path, payer.post(`/page/v1/${path}`, { wallet: 'walletapay', reason: 'no card' }))
    const { redirect } = await note('the payer is sent away', payer.pay({ card: visaCard('05/38') }))
    await load('the step', fetch(redirect.url, { redirect: 'manual' }))
    await note('the step is cancelled', payer.cancelStep())
    await note('a payment', payer.pay())
    await note('the end', payer.close())
    const { token } = (await client.post('/api/v1/session/token', 'session', fieldsSession(mode), { mode })).body
    loaded.push([`${mode}: the token of fields`, decodedToken(token)])
    for (const frame of ['number', 'expiry', 'cvv'])
      await load(frame, fetch(`${shop.url}/hosted-fields/${frame}?token=${token}`))
    const wish = { amountMinor: null, currency: 'EUR', description: 'Invoice', mode }
    const link = await owner.post(`/merchants/${merchant.id}/payment-links`, wish)
    assert.equal(link.http, 200, link.text)
    const { pathname } = new URL(link.body.url)
    await load('a link', fetch(`${shop.url}${pathname}`))
    const body = new URLSearchParams({ amount: '5' })
    await load('the amount of a link', fetch(`${shop.url}${pathname}`, { method: 'POST', redirect: 'manual', body }))
    await load('a paid link', fetch(`${shop.url}${pathname}/paid`))
  }
  for (const [what, text] of loaded)
    for (const secret of [key, test_key, password]) assert.ok(!text.toLowerCase().includes(secret), what)
})

const fieldsSession = (mode: string) => ({
  ...client.purchase({ order: { number: `fields-${mode}` } }),
  return_url: 'https://shop.example/back',
})

const decodedToken = (token: string): string => {
  const jwt = Buffer.from(token, 'base64url').toString()
  return [token, jwt, ...jwt.split('.').map((part) => Buffer.from(part, 'base64url').toString())].join('\n')
}
