/** Device wallets as brands of S2S APM: answers, holds, follow-ups, aliases. Chapter 20 §6.2, §6.4, §6.5, §13, §18. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { writtenBrand } from '#domain/brand/brand-record.ts'
import { builtInBrands } from '#domain/brand/built-in-brands.ts'
import { saveBrand } from '#server/setup/brands.ts'
import { Apm } from '../../apm.ts'
import { assertRefused, assertViolations, says } from '../../refusals.ts'
import { type Answer, openShop, type RequestFields } from '../../shop.ts'
import { enableWallet, type MintOptions, type WalletDevice } from '../../wallets/wallet-device.ts'

const shop = await openShop()
const apm = new Apm(shop)
after(() => shop[Symbol.asyncDispose]())
const a = await enableWallet(shop, { wallet: 'walletapay' })
const b = await enableWallet(shop, { wallet: 'walletbpay' })
const closedDevice = await enableWallet(shop, { wallet: 'walletapay', merchant: 'demo-no-moto', key: null })

const token = 'parameters[paymentToken]'
const names = (fields: object): string => Object.keys(fields).join(' ')
const head = 'action result status order_id trans_id trans_date'

async function pay(device: WalletDevice, wishes: MintOptions = {}, over: RequestFields = {}): Promise<Answer> {
  // No trigger, so that the card inside the token decides.
  const brand = { brand: device.wallet, identifier: 'jane', [token]: await device.mint(wishes) }
  return apm.sale({ ...brand, ...over }, device.as)
}

for (const device of [a, b]) {
  test(`${device.wallet}: a sale settles, and answer, callback and look-up contain the wallet and the card number`, async () => {
    const { body } = await pay(device)
    assert.equal(names(body), `${head} descriptor amount currency digital_wallet pan_type`)
    assert.deepEqual([body.result, body.status], ['SUCCESS', 'SETTLED'])
    assert.deepEqual([body.digital_wallet, body.pan_type], [device.wallet, 'DPAN'])
    const [callback] = await apm.callbacks(body.trans_id)
    assert.deepEqual([callback?.fields['digital_wallet'], callback?.fields['pan_type']], [device.wallet, 'DPAN'])
    const { body: status } = await apm.status(body.trans_id)
    assert.equal(names(status), 'action result status order_id trans_id digital_wallet pan_type')
  })

  test(`${device.wallet}: auth=Y makes a hold, CAPTURE captures it, CREDITVOID refunds it`, async () => {
    const { body } = await pay(device, {}, { auth: 'Y' })
    assert.deepEqual([body.result, body.status], ['SUCCESS', 'PENDING'])
    assert.equal((await apm.followUp('CAPTURE', body.trans_id, { amount: '4.00' })).body.status, 'SETTLED')
    assert.equal((await apm.followUp('CREDITVOID', body.trans_id)).body.result, 'ACCEPTED')
    assert.equal((await apm.status(body.trans_id)).body.status, 'REFUND')
  })
}

test('a token that is not opened pays in virtual flow and has no pan_type; its hold can be captured', async () => {
  const { body } = await pay(closedDevice, {}, { auth: 'Y' })
  assert.equal(names(body), `${head} descriptor amount currency digital_wallet`)
  assert.equal((await apm.followUp('CAPTURE', body.trans_id, {}, closedDevice.as)).body.status, 'SETTLED')
})

test('the token’s card decides the outcome, and a trigger in identifier overrides it', async () => {
  const { body } = await pay(a, { card: 'decline' })
  assert.equal(names(body), `${head} amount currency decline_reason digital_wallet pan_type`)
  const winning = await pay(a, {}, { identifier: 'fail@example.com' })
  assert.equal(winning.body.result, 'DECLINED')
})

const redirect = 'redirect_url redirect_params redirect_method'

// biome-ignore format: a table is read in columns.
const columns: readonly (readonly [title: string, device: WalletDevice, wishes: MintOptions, over: RequestFields, answer: string, fields: string, callback: string])[] = [
  // Chapter 20 §6.2, §6.6      token                                      request          answer               fields of the answer                callback
  ['hold',        a,       {},                                        { auth: 'Y' },   'SUCCESS PENDING',   'descriptor amount currency',       'trans_date descriptor amount currency'],
  ['declined',    a,       { card: 'decline' },                       {},              'DECLINED DECLINED', 'amount currency decline_reason',   'trans_date descriptor decline_reason amount currency'],
  ['redirect',    a,       { card: 'challenge', pan_type: 'FPAN' },   {},              'REDIRECT 3DS',      `amount currency ${redirect}`,      ''],
  ['undefined',   a,       { card: 'undefined' },                     {},              'UNDEFINED PREPARE', 'descriptor amount currency',       'trans_date descriptor amount currency'],
  ['undefined',   b,       { card: 'undefined' },                     {},              'UNDEFINED PREPARE', 'descriptor amount currency',       'trans_date descriptor amount currency'],
  ['declined',    closedDevice,  { card: 'decline' },                       {},              'DECLINED DECLINED', 'amount currency decline_reason',   'trans_date descriptor decline_reason amount currency'],
  ['undefined',   closedDevice,  { card: 'undefined' },                     {},              'UNDEFINED PREPARE', 'descriptor amount currency',       'trans_date descriptor amount currency'],
]

for (const [title, device, wishes, over, expected, fields, callback] of columns) {
  const flow = device === closedDevice ? 'a closed token' : 'an opened token'
  test(`${device.wallet}, ${flow}, ${title}: ${expected}, field by field`, async () => {
    const { body } = await pay(device, wishes, over)
    assert.equal(`${body.result} ${body.status}`, expected)
    const walletFields = device === closedDevice ? 'digital_wallet' : 'digital_wallet pan_type'
    assert.equal(names(body), `${head} ${fields} ${walletFields}`)
    const [first] = await shop.callbacks(body.trans_id)
    // The parameters of a redirect have their own names; the wallet follows them.
    const expectedNames =
      callback === '' ? walletFields : `action result status order_id trans_id hash ${callback} ${walletFields}`
    assert.ok(names(first?.fields ?? {}).endsWith(expectedNames), names(first?.fields ?? {}))
  })
}

test('the alias of a wallet is accepted and echoed', async () => {
  const shipped = builtInBrands.find(({ code }) => code === 'walletbpay') ?? assert.fail()
  const record = { ...writtenBrand(shipped), aliases: ['device-pay'] }
  const saved = await saveBrand({ pool: shop.base.pool, clock: shop.base.clock, by: 'test' }, record)
  assert.equal(saved.kind, 'saved')
  await shop.service.configuration.refresh()
  const { body } = await pay(b, {}, { brand: 'device-pay' })
  assert.equal(body.digital_wallet, 'device-pay')
  const [callback] = await apm.callbacks(body.trans_id)
  assert.equal(callback?.fields['digital_wallet'], 'device-pay')
})

test('JSON that is no token is a violation, reported before the hash', async () => {
  for (const text of ['{}', '[]', '"token"', '{"version":"EC_v1","data":"x"}'])
    assertViolations(await apm.sale({ brand: 'walletapay', [token]: text, hash: 'x' }), [`${token}: ${says.notValid}`])
})

test('a token of another order does not match, and a used one has expired', async () => {
  const other = await pay(a, { amount: '11.00' })
  assertRefused(other, 250004, 'Payment token does not match the order.')
  const used = await a.mint()
  assertViolations(await pay(a, {}, { [token]: used }), [])
  assertRefused(await pay(a, {}, { [token]: used }), 250003, 'The payment token signature has expired')
})

test('a refusal of the brand comes before the checks of the token', async () => {
  const answer = await pay(a, { amount: '11.00' }, { payer_country: 'KP' })
  assertRefused(answer, 204006, 'Payment system/brand not supported.')
})

test('the token is stored nowhere in readable form', async () => {
  const text = await a.mint()
  const { body } = await pay(a, {}, { [token]: text, 'parameters[note]': 'kept' })
  const { rows } = await shop.base.pool.query('select parameters from payments where id = $1', [body.trans_id])
  assert.deepEqual(rows[0]?.parameters, { note: 'kept' })
})

test('a wallet payment of S2S CARD has no brand and is unknown here', async () => {
  const { body: card } = await a.pay()
  assertRefused(await apm.status(card.trans_id), 101000, 'Transaction does not exist.')
})
