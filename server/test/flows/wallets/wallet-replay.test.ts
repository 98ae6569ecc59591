/** A wallet token can be used once; a refused request does not use it up. Chapter 40 §13, §19.2 rows 46 to 48, 74 and 79. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Apm } from '../../apm.ts'
import { crashBeforeArrival } from '../../crash.ts'
import { assertRefused, readEffects } from '../../payments.ts'
import { type Answer, openShop } from '../../shop.ts'
import { enableWallet, newKey, type WalletDevice } from '../../wallets/wallet-device.ts'

const shop = await openShop({ DATABASE_POOL: '16' })
after(() => shop[Symbol.asyncDispose]())
const apm = new Apm(shop)
const a = await enableWallet(shop, { wallet: 'walletapay' })
const b = await enableWallet(shop, { wallet: 'walletbpay' })

const assertUsed = (answer: Answer) => assertRefused(answer, 250003, 'The payment token signature has expired')

const payAsBrand = (token: string, over: object = {}): Promise<Answer> =>
  apm.sale({ brand: 'walletapay', identifier: 'payer@example.com', 'parameters[paymentToken]': token, ...over })

async function payments(orderId: string): Promise<number> {
  const { rows } = await shop.base.pool.query('select from payments where order_id = $1', [orderId])
  return rows.length
}

for (const [name, device] of [
  ['walletapay', a],
  ['walletbpay', b],
] as const) {
  test(`${name}: the token of a finished payment is refused, and makes no second payment`, async () => {
    const token = await device.mint()
    const { body } = await device.sale(token)
    assert.equal(body.result, 'SUCCESS')
    assertUsed(await device.sale(token, { order_id: `AGAIN-${name}` }))
    assert.equal(await payments(`AGAIN-${name}`), 0)
  })

  test(`${name}: the token of a declined payment is used up as well`, async () => {
    const token = await device.mint({ card: 'decline' })
    assert.equal((await device.sale(token)).body.result, 'DECLINED')
    assertUsed(await device.sale(token))
  })

  test(`${name}: of twenty requests at once with one token exactly one makes a payment`, async () => {
    const token = await device.mint()
    const order_id = `PARALLEL-${name}`
    const answers = await Promise.all(Array.from({ length: 20 }, () => device.sale(token, { order_id })))
    const [paid, ...refused] = answers.toSorted((one, other) => one.http - other.http)
    assert.equal(paid?.body.result, 'SUCCESS')
    for (const answer of refused) assertUsed(answer)
    assert.equal(await payments(order_id), 1)
    assert.deepEqual(await readEffects(shop, paid?.body.trans_id), ['sale 1000'])
  })
}

test('a used token of another order is reported as used, not as mismatched', async () => {
  const token = await a.mint()
  await a.sale(token)
  assertUsed(await a.sale(token, { order_amount: '11.00' }))
})

test('a token that one merchant used is refused at every other, also if they share a key', async () => {
  const other = await enableWallet(shop, { wallet: 'walletapay', merchant: 'demo-no-moto', key: a.key })
  const token = await a.mint()
  await a.sale(token)
  assertUsed(await other.sale(token))
})

test('a token that was used on one protocol is refused on the other, both ways', async () => {
  const first = await a.mint()
  assert.equal((await a.sale(first)).body.result, 'SUCCESS')
  assertUsed(await payAsBrand(first))
  const second = await a.mint()
  assert.equal((await payAsBrand(second)).body.result, 'SUCCESS')
  assertUsed(await a.sale(second))
})

test('a token that was used in test mode is refused in live mode', async () => {
  const test = await enableWallet(shop, { wallet: 'walletapay', mode: 'test', key: a.key })
  const token = await a.mint()
  assert.equal((await test.sale(token)).body.result, 'SUCCESS')
  assertUsed(await a.sale(token))
})

test('a token that was used in virtual flow is refused in card flow', async () => {
  const virtual = await enableWallet(shop, { wallet: 'walletapay', merchant: 'demo-wallet-virtual', key: null })
  const token = await a.mint()
  const { body } = await apm.sale(
    { brand: 'walletapay', identifier: 'payer@example.com', 'parameters[paymentToken]': token },
    { merchant: virtual.as.merchant },
  )
  assert.equal(body.result, 'SUCCESS', JSON.stringify(body))
  assertUsed(await a.sale(token))
})

test('a new wallet B token with a used message id is refused', async () => {
  const { token, before = [] } = await b.minted({ fault: 'b-message-id' })
  for (const earlier of before) assert.equal((await b.sale(earlier)).body.result, 'SUCCESS')
  assertUsed(await b.sale(token))
})

// biome-ignore format: a table is read in columns.
const refusals = [
  // what was wrong at first                  request                             code
  ['the hash is wrong',                       { hash: 'wrong' },                  100000],
  ['auth=Y was sent',                         { auth: 'Y' },                      204005],
  ['the amount is another',                   { order_amount: '11.00' },          250004],
  ['the currency is another',                 { order_currency: 'USD' },          250004],
  ['a parameter is missing',                  { order_description: undefined },   100000],
] as const

for (const [what, over, code] of refusals) {
  test(`a request that is refused because ${what} does not use up the token`, async () => {
    const token = await a.mint()
    const answer = await a.sale(token, over)
    assert.equal(answer.body.error_code, code)
    assert.equal((await a.sale(token)).body.result, 'SUCCESS')
  })
}

test('a refused duplicate order does not use up the token', async () => {
  await shop.choose({ rejectDuplicateOrders: true })
  const { body } = await a.pay()
  const token = await a.mint()
  const refused = await a.sale(token, { order_id: body.order_id })
  assert.equal(refused.http, 400)
  await shop.choose({})
  assert.equal((await a.sale(token)).body.result, 'SUCCESS')
})

test('an Idempotency-Key repeat gets the first answer, and there is one payment', async () => {
  const token = await a.mint()
  const headers = { 'idempotency-key': 'wallet-once' }
  const fields = shop.saleFields(a.saleFields(token, { order_id: 'IDEMPOTENT' }))
  const [first, second] = [await shop.raw(fields, { headers }), await shop.raw(fields, { headers })]
  assert.equal(first.body.result, 'SUCCESS')
  assert.equal(second.text, first.text)
  assert.equal(await payments('IDEMPOTENT'), 1)
})

// biome-ignore format: a table is read in columns.
const flows: readonly (readonly [string, () => Promise<WalletDevice>, object])[] = [
  ['decrypted data',  async () => a,                                                                               { card: 'approve' }],
  ['EMV data',        async () => a,                                                                               { data_type: 'EMV' }],
  ['a funding number', async () => a,                                                                              { pan_type: 'FPAN' }],
  ['the token',       () => enableWallet(shop, { wallet: 'walletapay', merchant: 'demo-no-moto', key: newKey() }), {}],
]

for (const [what, handOf, wishes] of flows) {
  test(`a wallet payment with ${what} whose process died before the acquirer got it is sent again`, async () => {
    const device = await handOf()
    if (what === 'the token')
      await shop.configure("update mids set accepts_decrypted = false where name = 'sandbox-no-moto-live'")
    const order_id = `LOST-${what}`
    const token = await device.mint(wishes)
    await crashBeforeArrival(shop, () => device.sale(token, { order_id }))
    await shop.service.awaitIdle()
    const { rows } = await shop.base.pool.query<{ id: string; status: string; secrets: string }>(
      `select id, status, (select count(*) from payment_secrets where payment_id = payments.id) as secrets
       from payments where order_id = $1`,
      [order_id],
    )
    assert.deepEqual([rows[0]?.status, Number(rows[0]?.secrets)], ['SETTLED', 0])
    const [sale = assert.fail('Nothing was executed.')] = await shop.readExecuted(rows[0]?.id ?? '')
    const sent = sale.wallet.token_sha256 === undefined ? (sale.wallet.cryptogram_sent ? 'proof' : 'number') : 'token'
    assert.equal(sent, what === 'the token' ? 'token' : what === 'a funding number' ? 'number' : 'proof')
  })
}
