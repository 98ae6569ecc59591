/** Irregular requests of existing clients, and how they are read. Chapter 30 §1.3, with the wallets' names of chapter 40. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { writtenBrand } from '#domain/brand/brand-record.ts'
import { type Body, CheckoutClient } from '../../pages/checkout.ts'
import { Payer } from '../../pages/hosted-page.ts'
import { openShop } from '../../shop.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())
const client = new CheckoutClient(shop)

const readStoredRequest = async (over: Body) => (await client.openSession(over)).request

test('white space around keys is ignored at every level, but not inside the merchant’s own data', async () => {
  const request = await readStoredRequest({
    'billing_address ': { ' country': 'DE' },
    custom_data: { ' own ': '1' },
    parameters: { card: { ' note ': '2' } },
  })
  assert.deepEqual(request.billingAddress, { country: 'DE' })
  assert.deepEqual([request.customData, request.parameters], [{ ' own ': '1' }, { card: { ' note ': '2' } }])
})

test('of a key and the same key with white space, the exact one counts', async () => {
  assert.equal((await readStoredRequest({ 'url_target ': '_top', url_target: '_self' })).urlTarget, '_self')
  assert.equal((await readStoredRequest({ url_target: '_self', ' url_target': '_top' })).urlTarget, '_self')
})

test('null and an empty text count as not sent', async () => {
  for (const nothing of [null, '']) {
    const request = await readStoredRequest({
      methods: nothing,
      channel_id: nothing,
      cancel_url: nothing,
      card_token: nothing,
      schedule_id: nothing,
      customer: { name: nothing, email: nothing },
      custom_data: null,
    })
    assert.deepEqual([request.methods, request.channel, request.urls.cancel, request.cardTokens], [[], null, null, []])
    assert.deepEqual([request.schedule, request.customer, request.customData], [null, {}, null])
  }
})

test('an empty list counts as an empty object where an object is expected', async () => {
  const request = await readStoredRequest({
    customer: [],
    billing_address: [],
    custom_data: [],
    parameters: [],
    crypto: [],
  })
  assert.deepEqual([request.customer, request.billingAddress], [{}, {}])
  assert.deepEqual([request.customData, request.parameters], [null, null])
})

for (const yes of [true, 'true', 'TRUE', 'Y', 'y', '1', 1]) {
  test(`${JSON.stringify(yes)} is yes`, async () =>
    assert.equal((await readStoredRequest({ req_token: yes })).saveCard, true))
}
for (const no of [false, 'false', 'False', 'N', 'n', '0', 0]) {
  test(`${JSON.stringify(no)} is no`, async () =>
    assert.equal((await readStoredRequest({ req_token: no })).saveCard, false))
}

test('a single text counts as a list of one', async () => {
  const token = 'a'.repeat(64)
  const { methods, cardTokens } = await readStoredRequest({ methods: 'card', card_token: token })
  assert.deepEqual([methods, cardTokens], [['card'], [token]])
})

for (const nothing of ['NA', 'n/a', 'None', 'NONE']) {
  test(`${nothing} in an address counts as not sent, except for Namibia`, async () => {
    const members = ['city', 'district', 'address', 'house_number', 'zip', 'phone', 'phone_country_code']
    const address = Object.fromEntries(members.map((member) => [member, nothing]))
    assert.deepEqual((await readStoredRequest({ billing_address: address })).billingAddress, {})
  })
}

test('the operator’s name for a wallet is accepted and echoed, while browsers get the wallet’s own name', async () => {
  const brand = shop.service.configuration.brand('walletapay') ?? assert.fail()
  await shop.configure(
    "insert into brands (code, kind, title, enabled, record) values ('walletapay', 'wallet', 'Wallet A', true, $1)",
    [JSON.stringify(writtenBrand({ ...brand, aliases: ['tap'] }))],
  )
  const payer = await Payer.at(shop, { methods: ['tap', 'walletapay', 'card', 'card'] })
  const { methods } = await payer.session()
  assert.deepEqual(
    methods.map(({ code }: { code: string }) => code),
    ['walletapay', 'card'],
  )
  const [{ wallet }] = methods
  const application_data = Buffer.from(wallet.application_data, 'base64').toString()
  const order = { merchant_key: shop.merchant().key, amount: '10.00', currency: 'EUR' }
  const minted = await client.send('/simulator/api/tokens', { wallet: 'walletapay', application_data, ...order })
  const { payment_id, result } = await payer.payAndExpectSuccess({
    method: 'walletapay',
    card: undefined,
    wallet_token: minted.body.token,
  })
  assert.equal(result, 'success')
  assert.equal((await client.lastCallback(payment_id)).fields['digital_wallet'], 'tap')
  assert.equal((await client.status({ payment_id })).body.digital_wallet, 'tap')
})
