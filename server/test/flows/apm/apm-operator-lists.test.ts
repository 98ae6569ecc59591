/** Lists that the operator edits and payments use: crypto currencies (chapter 20 §2) and countries of wallets (§5.4). */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { writtenBrand } from '#domain/brand/brand-record.ts'
import { saveBrand } from '#server/setup/brands.ts'
import { changeCryptoCurrency } from '#server/setup/crypto-currencies.ts'
import { changeCountries } from '#server/wallets/setup/wallet-countries.ts'
import { saveWallet } from '#server/wallets/setup/wallets.ts'
import { Apm } from '../../apm.ts'
import { CheckoutClient } from '../../pages/checkout.ts'
import { Payer } from '../../pages/hosted-page.ts'
import { assertRefused, assertViolations, says } from '../../refusals.ts'
import { openShop } from '../../shop.ts'
import { enableWallet } from '../../wallets/wallet-device.ts'

const shop = await openShop()
const apm = new Apm(shop)
after(() => shop[Symbol.asyncDispose]())
const context = { pool: shop.base.pool, clock: shop.base.clock, by: 'test' }
const refreshConfiguration = () => shop.service.configuration.refresh()

const doge = { brand: 'crypto-pay', order_currency: 'DOGE', identifier: undefined }

test('a crypto currency added by the operator is paid with its own decimals', async () => {
  assertViolations(await apm.sale({ ...doge, order_amount: '1.5' }), [`order_currency: ${says.notValid}`])
  assert.ok((await changeCryptoCurrency(shop.base, 'DOGE', 4)).ok)
  const brand = shop.service.configuration.brand('crypto-pay') ?? assert.fail()
  // Without the parameter that is required if the order's currency is not a built-in crypto currency.
  const record = { ...writtenBrand(brand), currencies: [...brand.currencies, 'DOGE'], parameters: {} }
  assert.equal((await saveBrand(context, record)).kind, 'saved')
  await refreshConfiguration()

  assertViolations(await apm.sale({ ...doge, order_amount: '1.50001' }), [`order_amount: ${says.notValid}`])
  const { body } = await apm.sale({ ...doge, order_amount: '1.5' })
  assert.deepEqual([body.status, body.amount, body.currency], ['PENDING', '1.5000', 'DOGE'])
  assert.equal((await apm.cryptoPayout({ order_amount: '2.25', order_currency: 'DOGE' })).body.amount, '2.2500')

  // A payment keeps the decimals it was made with.
  assert.ok((await changeCryptoCurrency(shop.base, 'DOGE', 2)).ok)
  await refreshConfiguration()
  const [callback] = await shop.callbacks(body.trans_id)
  assert.equal(callback?.fields['amount'], '1.5000')
  assert.equal((await apm.sale({ ...doge, order_amount: '1.5' })).body.amount, '1.50')
})

test('Checkout uses the same table, and an order that can still be paid keeps its currency in it', async () => {
  assert.ok((await changeCryptoCurrency(shop.base, 'DOGE', 4)).ok)
  await refreshConfiguration()
  const checkout = new CheckoutClient(shop)
  const order = { amount: '1.50001', currency: 'DOGE' }
  const tooPrecise = await checkout.session({ methods: ['crypto-pay'], order })
  assert.match(tooPrecise.text, /order\.amount/)
  const { http, text } = await checkout.session({ methods: ['crypto-pay'], order: { ...order, amount: '1.5' } })
  assert.equal(http, 200, text)
  const change = await changeCryptoCurrency(shop.base, 'DOGE', 2)
  assert.deepEqual(change, {
    ok: false,
    faults: ['An order in DOGE can still be paid. Change the currency when its session has ended.'],
  })
})

test('payouts to cards and amounts entered by payers follow the table as well', async () => {
  assert.ok((await changeCryptoCurrency(shop.base, 'SHIB', 4)).ok)
  await refreshConfiguration()
  const checkout = new CheckoutClient(shop)
  const payout = (order_amount: string) =>
    checkout.credit({
      order_id: `shib-${order_amount}`,
      order_amount,
      order_currency: 'SHIB',
      order_description: 'Winnings',
      card_number: '4111111111111111',
    })
  assert.match((await payout('1.50001')).text, /order_amount: /)
  const paidOut = await payout('1.5')
  assert.equal(paidOut.http, 200, paidOut.text)

  const over = { operation: 'transfer', order: { amount: '-1', currency: 'SHIB' }, customer: { name: 'Jane Roe' } }
  const payer = await Payer.at(shop, over)
  const pay = (amount: string) => payer.pay({ payee_card: { number: '4601541833776519' }, amount })
  assert.match((await pay('1.50001')).text, /amount: This value is not valid/)
  const { payment_id } = await payer.payAndExpectSuccess({ payee_card: { number: '4601541833776519' }, amount: '1.5' })
  assert.equal((await checkout.lastCallback(payment_id)).fields['order_amount'], '1.5')
})

test('one list of countries applies to a wallet’s payers and its merchants', async () => {
  const device = await enableWallet(shop, { wallet: 'walletapay' })
  const pay = async () =>
    apm.sale({
      brand: 'walletapay',
      identifier: 'jane',
      'parameters[paymentToken]': await device.mint(),
      payer_country: 'KP',
    })
  assertRefused(await pay(), 204006, 'Payment system/brand not supported.')
  assert.ok((await changeCountries(shop.base.pool, 'walletapay', ['KP', 'US'])).ok)
  await refreshConfiguration()
  assert.equal((await pay()).body.status, 'SETTLED')
  const { merchant } = shop.service.configuration.byKey(shop.merchant('demo').key) ?? assert.fail()
  const place = { merchantId: merchant.id, mode: 'live', wallet: 'walletapay' } as const
  const editing = { ...shop.base, instanceMode: 'sandbox', trustSource: 'sandbox authority', byUser: 'test' } as const
  assert.ok((await saveWallet(editing, place, { country: 'KP' })).ok)
  assert.ok(!(await saveWallet(editing, place, { country: 'DE' })).ok)

  const brand = shop.service.configuration.brand('walletapay') ?? assert.fail()
  assert.deepEqual(brand.countries, ['KP', 'US'])
  const saved = await saveBrand(context, { ...writtenBrand(brand), countries: ['DE'] })
  assert.deepEqual(saved.kind === 'refused' && saved.faults.map(({ field }) => field), ['countries'])
})
