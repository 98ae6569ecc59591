/** Wallet payments on S2S CARD: parameters, signatures, answers, callbacks, look-ups. Chapter 10 §4.3, §7.1, §13.3, chapter 40 §10. */
import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { writtenBrand } from '#domain/brand/brand-record.ts'
import { cardFormulas } from '#domain/signature/signature.ts'
import { newSchedule, onSchedule } from '../../chains.ts'
import { assertInvalid, assertRefused, callbackHash, readEffects } from '../../payments.ts'
import { assertViolations } from '../../refusals.ts'
import { goodCard, openShop, payer, type RequestFields } from '../../shop.ts'
import { enableWallet, newRsaKey } from '../../wallets/wallet-device.ts'

const shop = await openShop()
afterEach(() => shop.choose({}))
after(() => shop[Symbol.asyncDispose]())
const a = await enableWallet(shop, { wallet: 'walletapay' })
const b = await enableWallet(shop, { wallet: 'walletbpay' })
const rsa = await enableWallet(shop, { wallet: 'walletapay', merchant: 'demo-no-moto', key: newRsaKey() })

const dpan = { pan10: '4000000018' }

// biome-ignore format: a table is read in columns.
const kinds = [
  // wallet, version        device  token                                   pan_type
  ['walletapay EC_v1',      a,    {},                                     'DPAN'],
  ['walletapay EC_v1 MPAN', a,    { pan_type: 'MPAN' },                   'DPAN'],
  ['walletapay EC_v1 FPAN', a,    { pan_type: 'FPAN' },                   'FPAN'],
  ['walletapay EC_v1 EMV',  a,    { data_type: 'EMV' },                   'DPAN'],
  ['walletapay RSA_v1',     rsa,  { version: 'RSA_v1' },                  'DPAN'],
  ['walletbpay ECv2',       b,    {},                                     'DPAN'],
  ['walletbpay ECv2 FPAN',  b,    { pan_type: 'FPAN' },                   'FPAN'],
  ['walletbpay ECv1',       b,    { version: 'ECv1' },                    'DPAN'],
  ['walletbpay ECv1 FPAN',  b,    { version: 'ECv1', pan_type: 'FPAN' },  'FPAN'],
] as const

for (const [name, device, wishes, panType] of kinds) {
  test(`a SALE with ${name} settles and returns digital_wallet and pan_type ${panType}`, async () => {
    const { body } = await device.pay(wishes)
    assert.deepEqual(
      [body.result, body.status, body.digital_wallet, body.pan_type],
      ['SUCCESS', 'SETTLED', device.wallet, panType],
    )
    assert.deepEqual(await readEffects(shop, body.trans_id), ['sale 1000'])
  })
}

test('the answer has the fields of chapter 10 §13.3 in their order', async () => {
  const { body } = await a.pay()
  // biome-ignore format: a table is read in columns.
  const fields = ['action', 'result', 'status', 'order_id', 'trans_id', 'trans_date', 'descriptor', 'amount', 'currency', 'digital_wallet', 'pan_type']
  assert.deepEqual(Object.keys(body), fields)
})

test('the callback contains wallet, number type and masked card, and is signed with the decrypted number', async () => {
  await shop.choose({ addToCallback: ['brand', 'checkout_payment_method'] })
  const { body } = await a.pay()
  const [callback] = await shop.callbacks(body.trans_id)
  const { digital_wallet, pan_type, card, card_expiration_date, brand, checkout_payment_method, hash } =
    callback?.fields ?? {}
  assert.deepEqual(
    [digital_wallet, pan_type, card, card_expiration_date, brand, checkout_payment_method],
    ['walletapay', 'DPAN', '400000******0018', '12/2031', 'payment_document_card', 'walletapay'],
  )
  assert.equal(hash, callbackHash(shop, body.trans_id, dpan))
})

test('look-ups contain wallet and number type, details also the masked card', async () => {
  const { body } = await a.pay()
  const { body: status } = await shop.followUp('GET_TRANS_STATUS', body.trans_id, {}, { signedBy: dpan })
  assert.deepEqual([status.status, status.digital_wallet, status.pan_type], ['SETTLED', 'walletapay', 'DPAN'])
  const { body: details } = await shop.followUp('GET_TRANS_DETAILS', body.trans_id, {}, { signedBy: dpan })
  assert.deepEqual([details.digital_wallet, details.pan_type, details.card], ['walletapay', 'DPAN', '400000******0018'])
  const { body: byOrder } = await shop.byOrder(body.order_id, { signedBy: dpan })
  assert.equal(byOrder.trans_id, body.trans_id)
})

test('a declined wallet payment returns wallet and number type as well', async () => {
  const { body } = await a.pay({ card: 'decline' })
  assert.deepEqual(
    [body.result, body.decline_reason, body.digital_wallet, body.pan_type],
    ['DECLINED', 'Declined by processing', 'walletapay', 'DPAN'],
  )
})

// biome-ignore format: a table is read in columns.
const followUpCases = [
  // command       amount   before            after
  ['CREDITVOID',   '4.00',  {},               'SETTLED'],
  ['CREDITVOID',   '10.00', {},               'REFUND'],
  ['VOID',         null,    {},               'VOID'],
] as const

for (const [command, amount, wishes, status] of followUpCases) {
  test(`${command}${amount ? ` of ${amount}` : ''} of a wallet payment leads to ${status}`, async () => {
    const { body } = await a.pay(wishes)
    const { body: answer } = await shop.followUp(command, body.trans_id, amount ? { amount } : {}, { signedBy: dpan })
    assert.equal(answer.result, command === 'VOID' ? 'SUCCESS' : 'ACCEPTED')
    await shop.service.awaitIdle()
    const { body: now } = await shop.followUp('GET_TRANS_STATUS', body.trans_id, {}, { signedBy: dpan })
    assert.equal(now.status, status)
  })
}

test('on a DMS MID a wallet SALE is a hold, which CAPTURE captures', async () => {
  const dms = await enableWallet(shop, { wallet: 'walletapay', merchant: 'demo-dms' })
  const { body } = await dms.pay()
  assert.deepEqual([body.result, body.status], ['SUCCESS', 'PENDING'])
  const as = { merchant: 'demo-dms', signedBy: dpan }
  const { body: captured } = await shop.followUp('CAPTURE', body.trans_id, { amount: '6.00' }, as)
  assert.deepEqual([captured.result, captured.status], ['SUCCESS', 'SETTLED'])
  assert.deepEqual(await readEffects(shop, body.trans_id), ['authorize 1000', 'capture 600'])
})

test('the wallets work with the test key and the settings of test mode', async () => {
  for (const wallet of ['walletapay', 'walletbpay'] as const) {
    const other = await enableWallet(shop, { wallet, mode: 'test' })
    const { body } = await other.pay()
    assert.equal(body.result, 'SUCCESS', wallet)
  }
})

test('Allowed Auth Method applies to Checkout only: on S2S the merchant showed the sheet', async () => {
  await shop.configure(
    `update wallet_settings set fields = fields || '{"authMethods": ["CRYPTOGRAM_3DS"]}' where wallet = 'walletbpay'`,
  )
  assert.equal((await b.pay({ pan_type: 'FPAN' })).body.result, 'SUCCESS')
})

test('amounts are compared in minor units, whatever their decimals', async () => {
  // biome-ignore format: a table is read in columns.
  const amounts = [['1.99', 'USD', '1.99'], ['100', 'JPY', '100.00'], ['100', 'JPY', '100'], ['1.234', 'KWD', '1.234']] as const
  for (const [amount, currency, order_amount] of amounts) {
    const { body } = await a.sale(await a.mint({ amount, currency }), { order_amount, order_currency: currency })
    assert.equal(body.result, 'SUCCESS', `${order_amount} ${currency}`)
  }
})

test('auth=Y with a wallet token is refused before any other check', async () => {
  assertRefused(await a.sale(await a.mint(), { auth: 'Y' }), 204005, 'Payment action not supported.')
  assertRefused(await a.sale(await a.mint({ fault: 'stale' }), { auth: 'Y' }), 204005, 'Payment action not supported.')
})

test('auth=Y with a wallet token is refused before a paused schedule is', async () => {
  const schedule_id = await newSchedule(shop)
  await onSchedule(shop, 'PAUSE_SCHEDULE', schedule_id)
  const starts = { recurring_init: 'Y', schedule_id }
  assertRefused(await a.sale(await a.mint(), starts), 100000, 'Schedule is paused.')
  assertRefused(await a.sale(await a.mint(), { ...starts, auth: 'Y' }), 204005, 'Payment action not supported.')
})

test('Formula 1 is not valid on a wallet SALE', async () => {
  const token = await a.mint()
  const { password } = shop.merchant()
  const values = { email: payer['payer_email'], pan10: '4000000018' }
  const hash = shop.sign(cardFormulas.start, values, password)
  assertInvalid(await a.sale(token, { hash }), 'hash: Hash is not valid.')
  assert.equal((await a.sale(token)).body.result, 'SUCCESS', 'and the token is still good')
})

test('card data beside the wallet pair take precedence, and the token stays unused', async () => {
  const token = await a.mint()
  const values = { email: payer['payer_email'], pan10: '4111111111' }
  const hash = shop.sign(cardFormulas.start, values, shop.merchant().password)
  const { body } = await a.sale(token, { ...goodCard, hash })
  assert.deepEqual([body.result, body.digital_wallet, body.pan_type], ['SUCCESS', undefined, undefined])
  assert.equal((await a.sale(token)).body.digital_wallet, 'walletapay')
})

test('a saved card beside the wallet pair takes precedence as well', async () => {
  const { body: saved } = await shop.sale({ req_token: 'Y' })
  const { card_token } = saved
  const values = { email: payer['payer_email'], card_token }
  const hash = shop.sign(cardFormulas.startWithToken, values, shop.merchant().password)
  const { body } = await a.sale(await a.mint(), { card_token, hash })
  assert.deepEqual([body.result, body.digital_wallet], ['SUCCESS', undefined])
})

test('req_token is ignored with a wallet', async () => {
  const { body } = await a.pay({}, { req_token: 'Y' })
  assert.deepEqual([body.result, body.card_token], ['SUCCESS', undefined])
})

// biome-ignore format: a table is read in columns.
const wrong: readonly (readonly [string, RequestFields, string])[] = [
  // what                          sent over a good SALE                                  answer
  ['the token is missing',         { payment_token: undefined },                          'payment_token: This value should not be blank.'],
  ['the wallet is missing',        { digital_wallet: undefined },                         'digital_wallet: This value should not be blank.'],
  ['the wallet is unknown',        { digital_wallet: 'walletcpay' },                      'digital_wallet: The value you selected is not a valid choice.'],
  ['the wallet is a brand',        { digital_wallet: 'vcard' },                           'digital_wallet: The value you selected is not a valid choice.'],
  ['the token is no JSON',         { payment_token: '{"paymentData":' },                  'payment_token: This value is not valid.'],
  ['the token is another object',  { payment_token: '{}' },                               'payment_token: This value is not valid.'],
  ['the token comes in brackets',  { payment_token: undefined, 'payment_token[version]': 'EC_v1' }, 'payment_token: This value is not valid.'],
  ['the payment is MOTO',          { moto_type: 'phone_moto' },                           'moto_type: This value is not valid.'],
]

for (const [what, over, violation] of wrong) {
  test(`when ${what}, the answer is "${violation}"`, async () => {
    assertViolations(await a.sale(await a.mint(), over), [violation])
  })
}

test('the operator’s alias of a wallet is accepted and echoed', async () => {
  const brand = shop.service.configuration.brand('walletapay')
  assert.ok(brand)
  const record = JSON.stringify(writtenBrand({ ...brand, aliases: ['tap'] }))
  await shop.configure(
    "insert into brands (code, kind, title, enabled, record) values ('walletapay', 'wallet', 'Wallet A', true, $1)",
    [record],
  )
  const { body } = await a.sale(await a.mint(), { digital_wallet: 'tap' })
  assert.deepEqual([body.result, body.digital_wallet], ['SUCCESS', 'tap'])
  const { body: status } = await shop.followUp('GET_TRANS_STATUS', body.trans_id, {}, { signedBy: dpan })
  assert.equal(status.digital_wallet, 'tap')
})

test('mpi_data beside a wallet token are validated, and the acquirer gets the wallet’s data instead', async () => {
  const mpi = { 'mpi_data[eci]': '05' }
  const refused = await a.sale(await a.mint(), mpi)
  assert.equal(refused.http, 400, refused.text)
})

test('a device number starts no authentication of ours, a funding number that requires one does', async () => {
  const { body: device } = await a.pay({ card: 'challenge' })
  assert.equal(device.status, 'SETTLED')
  const { body } = await a.pay({ card: 'challenge', pan_type: 'FPAN' })
  assert.deepEqual([body.result, body.status, body.pan_type], ['REDIRECT', '3DS', 'FPAN'])
})

test('after its authentication a funding number is charged and its wallet reported', async () => {
  const { body } = await a.pay({ card: 'challenge', pan_type: 'FPAN' })
  const { pathname } = new URL(body.redirect_params.TermUrl)
  const form = new URLSearchParams({ PaRes: 'approve' })
  await fetch(`${shop.url}${pathname}`, { method: 'POST', body: form, redirect: 'manual' })
  const { body: now } = await shop.followUp(
    'GET_TRANS_STATUS',
    body.trans_id,
    {},
    { signedBy: { pan10: '4000000060' } },
  )
  assert.deepEqual([now.status, now.digital_wallet, now.pan_type], ['SETTLED', 'walletapay', 'FPAN'])
  const [sale = assert.fail('Nothing was executed.')] = await shop.readExecuted(body.trans_id)
  assert.equal(sale.wallet.pan_type, 'FPAN')
})

// Chapter 40 §11.5, §12.4.
for (const [wallet, device] of [
  ['walletapay', a],
  ['walletbpay', b],
] as const) {
  test(`${wallet}: the acquirer gets the cryptogram, and the ECI as given or none`, async () => {
    for (const [eci, sent] of [
      ['05', '05'],
      ['', undefined],
    ] as const) {
      const { body } = await device.pay({ eci })
      const [sale = assert.fail('Nothing was executed.')] = await shop.readExecuted(body.trans_id)
      assert.deepEqual([sale.wallet.eci, sale.wallet.cryptogram_sent, sale.wallet.pan_type], [sent, true, 'DPAN'])
    }
  })
}

test('an outcome that is open at first is resolved without sending anything twice', async () => {
  const { body } = await a.pay({ card: 'undefined' })
  assert.deepEqual([body.result, body.status], ['UNDEFINED', 'PREPARE'])
  const countSecrets = async () => {
    const { rows } = await shop.base.pool.query('select from payment_secrets where payment_id = $1', [body.trans_id])
    return rows.length
  }
  assert.equal(await countSecrets(), 1, 'the cryptogram stays until the authorization is answered')
  await shop.advance(31_000)
  const { body: now } = await shop.followUp(
    'GET_TRANS_STATUS',
    body.trans_id,
    {},
    { signedBy: { pan10: '4000000059' } },
  )
  assert.equal(now.status, 'SETTLED')
  assert.equal(await countSecrets(), 0)
  assert.deepEqual(await readEffects(shop, body.trans_id), ['sale 1000'])
})

test('debits, payouts and transfers support no wallet: the pair does not replace a card', async () => {
  for (const [action, missing] of [
    ['DEBIT', 'card_number'],
    ['CREDIT2CARD', 'card_number'],
    ['CARD2CARD', 'payer_card_number'],
  ] as const) {
    const { body } = await a.sale(await a.mint(), { action })
    const rows = body.errors.map(({ error_message }: { error_message: string }) => error_message)
    assert.ok(rows.includes(`${missing}: This value should not be blank.`), `${action}: ${rows}`)
  }
})
