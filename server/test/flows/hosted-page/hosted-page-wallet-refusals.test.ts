/** The negative cases that only Checkout has, through the page's own API. Chapter 40 §11.2 (A16), §12 (B13), §19.2 rows 59 and 80. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { refusedTokenStore } from '#server/store/wallets/refused-tokens.ts'
import { assertRows, assertSingleError, type Body, CheckoutClient } from '../../pages/checkout.ts'
import { Payer } from '../../pages/hosted-page.ts'
import { type Answer, openShop } from '../../shop.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())
const checkout = new CheckoutClient(shop)
const { merchant } = shop.service.configuration.byKey(shop.merchant().key) ?? assert.fail()

async function mint(wallet: string, over: Body): Promise<string> {
  const reply = await fetch(`${shop.url}/simulator/api/tokens`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ wallet, merchant_key: shop.merchant().key, amount: '10.00', currency: 'EUR', ...over }),
  })
  const minted = (await reply.json()) as { token?: string }
  return minted.token ?? assert.fail(JSON.stringify(minted))
}

const pay = (payer: Payer, method: string, wallet_token: string): Promise<Answer> =>
  payer.pay({ method, card: undefined, wallet_token, customer: {} })

/** The rows that a token could leave behind. */
async function traces(): Promise<readonly number[]> {
  const { rows } = await shop.base.pool.query<{ payments: number; uses: number }>(
    'select (select count(*)::int from payments) as payments, (select count(*)::int from wallet_token_uses) as uses',
  )
  return [rows[0]?.payments ?? -1, rows[0]?.uses ?? -1]
}

async function assertRefusedBy(check: string, payer: Payer, wallet: string, token: string): Promise<void> {
  const before = await traces()
  assertSingleError(await pay(payer, wallet, token), 250003, 'The payment token signature has expired')
  assert.deepEqual(await traces(), before, 'neither a payment nor a use of the token')
  const { state, declines, order } = await payer.session()
  assert.deepEqual([state, declines.count], ['ready', 0])
  const [row] = await refusedTokenStore(shop.base.pool, shop.base.ids).find({
    merchantId: merchant.id,
    orderId: order.number,
  })
  const failed = row?.record.checks.filter(({ result }) => result === 'failed').map(({ id }) => id)
  assert.deepEqual(failed, [check])
}

test('59, binding: a token with the data of another session is refused by A16', async () => {
  const payer = await Payer.at(shop, { methods: ['walletapay'] })
  await assertRefusedBy('A16', payer, 'walletapay', await mint('walletapay', { fault: 'binding' }))
})

test('59, binding: refused on another session, the token still pays its own', async () => {
  const [own, other] = [
    await Payer.at(shop, { methods: ['walletapay'] }),
    await Payer.at(shop, { methods: ['walletapay'] }),
  ]
  const [method] = (await own.session()).methods
  const application_data = Buffer.from(method.wallet.application_data, 'base64').toString()
  const token = await mint('walletapay', { application_data })
  await assertRefusedBy('A16', other, 'walletapay', token)
  const { body } = await pay(own, 'walletapay', token)
  assert.equal(body.result, 'success')
  assert.equal((await checkout.lastCallback(body.payment_id)).fields['status'], 'success')
})

test('a text that is no token is refused as a parameter, and its record names the sender’s mistake', async () => {
  const payer = await Payer.at(shop, { methods: ['walletapay'] })
  const token = JSON.stringify(await mint('walletapay', {}))
  assertRows(await pay(payer, 'walletapay', token), ['wallet_token: This value is not valid.'])
  const [row] = await refusedTokenStore(shop.base.pool, shop.base.ids).find({
    merchantId: merchant.id,
    orderId: (await payer.session()).order.number,
  })
  assert.match(row?.record.checks[0]?.detail ?? '', /encoded as JSON twice/)
})

const allow = (methods: readonly string[]): Promise<void> =>
  shop.configure(
    `update wallet_settings set fields = jsonb_set(fields, '{authMethods}', $1::jsonb)
     where wallet = 'walletbpay' and merchant_id = (select id from merchants where name = 'demo')`,
    [JSON.stringify(methods)],
  )

test('80, b-auth-method: a card of the account is refused by B13 if only devices are allowed, and pays once it is allowed', async () => {
  const payer = await Payer.at(shop, { methods: ['walletbpay'] })
  const token = await mint('walletbpay', { fault: 'b-auth-method' })
  await allow(['CRYPTOGRAM_3DS'])
  await assertRefusedBy('B13', payer, 'walletbpay', token)
  await allow(['PAN_ONLY', 'CRYPTOGRAM_3DS'])
  const { body } = await pay(payer, 'walletbpay', token)
  assert.equal(body.result, 'success')
})
