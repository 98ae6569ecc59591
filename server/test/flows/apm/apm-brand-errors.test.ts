/** Refusals because of the brand, in the order of chapter 20 §5.5, and the effects of an operator's own brand. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { readBrand, writtenBrand } from '#domain/brand/brand-record.ts'
import { builtInBrands } from '#domain/brand/built-in-brands.ts'
import { saveBrand } from '#server/setup/brands.ts'
import type { AccountMid } from '../../account.ts'
import { Apm, openApmAccount } from '../../apm.ts'
import { assertRefused, assertViolations, says } from '../../refusals.ts'
import { type Answer, openShop, type RequestFields } from '../../shop.ts'
import { walletPair } from '../../wallets/wallet-pair.ts'

const shop = await openShop()
const apm = new Apm(shop)
after(() => shop[Symbol.asyncDispose]())

const notFound = (answer: Answer) => assertRefused(answer, 204011, 'Payment system/brand not found.')
const noAction = (answer: Answer) => assertRefused(answer, 204005, 'Payment action not supported.')
const noCurrency = (answer: Answer) => assertRefused(answer, 204012, 'Payment currency not found.')
const notSupported = (answer: Answer) => assertRefused(answer, 204006, 'Payment system/brand not supported.')
const upi: RequestFields = { brand: 'upi-like', order_currency: 'INR', 'parameters[virtual_address]': 'doe.j@bank' }

/** A record as an operator would import it, derived from a built-in one. */
async function brand(code: string, changes: object, original = 'bank-redirect'): Promise<void> {
  const shipped = builtInBrands.find((one) => one.code === original)
  if (!shipped) throw new Error(`There is no brand ${original}.`)
  const record = { ...writtenBrand(shipped), code, aliases: [], checkout_name: code, ...changes }
  const reading = readBrand(record)
  assert.ok(reading.ok, JSON.stringify(reading))
  const saved = await saveBrand({ pool: shop.base.pool, clock: shop.base.clock, by: 'test' }, record)
  assert.ok(saved.kind === 'saved', JSON.stringify(saved))
  await shop.service.configuration.refresh()
}

test('a brand that is blank or longer than 36 is a violation', async () => {
  assertViolations(await apm.sale({ brand: '' }), [`brand: ${says.blank}`])
  assertViolations(await apm.sale({ brand: 'x'.repeat(37) }), [`brand: ${says.tooLong(36)}`])
})

test('a brand outside the catalogue is not found; codes are case-sensitive', async () => {
  for (const name of ['x'.repeat(36), 'VCARD', 'vcard ', 'visa']) notFound(await apm.sale({ brand: name }))
})

test('a brand that is switched off is not found, while earlier payments with it continue', async () => {
  await brand('soon-off', {})
  const { body } = await apm.sale({ brand: 'soon-off' })
  await brand('soon-off', { enabled: false })
  notFound(await apm.sale({ brand: 'soon-off' }))
  assert.equal((await apm.status(body.trans_id)).body.result, 'SUCCESS')
  assert.equal((await apm.byOrder(body.order_id)).body.trans_id, body.trans_id)
})

test('the parameters of a brand that is switched off are not required', async () => {
  await brand('off-too', { enabled: false }, 'upi-like')
  notFound(await apm.sale({ brand: 'off-too' }))
})

test('an action that the brand does not offer is not supported', async () => {
  noAction(await apm.debit({ brand: 'bank-redirect' }))
  noAction(await apm.payout({ brand: 'vcard', order_currency: 'EUR', action: 'CREDIT2CRYPTO' }))
  noAction(await apm.sale({ brand: 'bank-payout' }))
  noAction(await apm.cryptoPayout({ brand: 'bank-payout', order_currency: 'EUR', order_amount: '1' }))
  noAction(await apm.debit({ brand: 'walletapay' }))
})

test('auth=Y needs a two-stage brand; any other value is an ordinary sale', async () => {
  noAction(await apm.hold({ brand: 'bank-redirect' }))
  for (const auth of ['N', 'y', 'Yes', '1']) assertViolations(await apm.sale({ brand: 'bank-redirect', auth }), [])
})

test('a currency outside the brand is not found', async () => {
  noCurrency(await apm.sale({ brand: 'bank-redirect', order_currency: 'USD' }))
  assertViolations(await apm.sale({ brand: 'bank-redirect', order_currency: 'PLN' }), [])
})

test('a payer country outside the brand is not supported; an unknown country is accepted', async () => {
  notSupported(await apm.sale({ ...upi, payer_country: 'DE' }))
  assertViolations(await apm.sale({ ...upi, payer_country: 'IN' }), [])
  assertViolations(await apm.sale(upi), [])
})

test('of several reasons the first in the order of the table is reported', async () => {
  await brand('picky', { countries: ['IN'] })
  const wrong = { brand: 'picky', order_currency: 'USD', payer_country: 'DE' }
  noAction(await apm.hold(wrong))
  noCurrency(await apm.sale(wrong))
  notSupported(await apm.sale({ ...wrong, order_currency: 'EUR' }))
})

test('a brand that is enabled on no MID of the merchant is not supported', async () => {
  const merchant = await openApmAccount(shop, { mids: [{ brands: ['bank-redirect'] }] })
  notSupported(await apm.sale({}, { merchant }))
  assertViolations(await apm.sale({ brand: 'bank-redirect' }, { merchant }), [])
})

test('a brand whose connectors the merchant has no MID at is not supported', async () => {
  await brand('elsewhere', { connectors: ['other-acquirer'] })
  notSupported(await apm.sale({ brand: 'elsewhere' }))
})

const token = walletPair['payment_token']

test('a wallet that no MID accepts is reported as such', async () => {
  const merchant = await openApmAccount(shop, { mids: [{ wallets: [] }] })
  const answer = await apm.sale({ brand: 'walletapay', 'parameters[paymentToken]': token }, { merchant })
  assertRefused(answer, 204018, 'Payment digital wallet not supported')
})

test('a brand is not supported if its MIDs allow neither the action nor the hold', async () => {
  const merchant = await openApmAccount(shop, { mids: [{ actions: ['debit'] }] })
  noAction(await apm.sale({}, { merchant }))
  const saleOnly = await openApmAccount(shop, { mids: [{ actions: ['sale'] }, { paymentMode: 'SMS' }] })
  noAction(await apm.hold({}, { merchant: saleOnly }))
})

test('a MID in DMS mode accepts two-stage brands only, and makes a plain sale a hold', async () => {
  const merchant = await openApmAccount(shop, { mids: [{ paymentMode: 'DMS' }] })
  noAction(await apm.sale({ brand: 'bank-redirect' }, { merchant }))
  assertViolations(await apm.sale({}, { merchant }), [])
})

test('a merchant without MIDs, and a channel without MIDs, have no candidate', async () => {
  const none = await openApmAccount(shop, { mids: [] })
  assertRefused(await apm.sale({}, { merchant: none }), 204002, 'Enabled merchant mappings or MIDs not found.')
  const merchant = await openApmAccount(shop, { mids: [{ mapping: { channel: 'web' } }] })
  assertRefused(await apm.sale({}, { merchant }), 204002, 'Enabled merchant mappings or MIDs not found.')
  assertViolations(await apm.sale({ channel_id: 'web' }, { merchant }), [])
})

test('a refusal leaves no payment behind', async () => {
  for (const over of [{ brand: 'no-such' }, { brand: 'bank-redirect', auth: 'Y' }, { brand: 'elsewhere' }]) {
    const { order_id } = apm.order()
    await apm.sale({ ...over, order_id })
    assertRefused(await apm.byOrder(order_id ?? ''), 101000, 'Order does not exist.')
  }
})

test("an operator's brand is served like any other, also by its alias", async () => {
  await brand('own-bank', { aliases: ['OwnBank'], connectors: ['sandbox'] })
  for (const name of ['own-bank', 'OwnBank']) assertViolations(await apm.sale({ brand: name }), [])
})

test('identifier is required if the brand says so, and in its format', async () => {
  const schema = { name: 'identifier', type: 'digits', need: 'required', min: 5, max: 9 }
  await brand('by-number', { identifier_schema: schema })
  assertViolations(await apm.sale({ brand: 'by-number', identifier: '12345' }), [])
  assertViolations(await apm.sale({ brand: 'by-number', identifier: 'a@b' }), [`identifier: ${says.notValid}`])
  await brand('anonymous', { identifier: 'optional' })
  assertViolations(await apm.sale({ brand: 'anonymous', identifier: undefined }), [])
})

test('missing payer fields that the brand requires are reported in their position, for the actions that require them', async () => {
  await brand('needs-payer', { payer_required: { SALE: ['payer_email', 'payer_first_name'] } })
  assertViolations(await apm.sale({ brand: 'needs-payer' }), [
    `payer_first_name: ${says.blank}`,
    `payer_email: ${says.blank}`,
  ])
})

test('amounts outside the limits of the brand are not valid', async () => {
  await brand('bounded', { amount_limits: { EUR: { min: '5.00', max: '20.00' } } })
  for (const [order_amount, good] of [
    ['4.99', false],
    ['5', true],
    ['20.00', true],
    ['20.01', false],
  ] as const)
    assertViolations(await apm.sale({ brand: 'bounded', order_amount }), good ? [] : [`order_amount: ${says.notValid}`])
  assertViolations(await apm.sale({ brand: 'bounded', order_currency: 'PLN', order_amount: '4.99' }), [])
})

test('crypto_network must be one of those that the brand lists', async () => {
  await brand('one-network', { crypto_networks: ['TRC20'] }, 'crypto-pay')
  const order = { brand: 'one-network', order_currency: 'USDT', order_amount: '5', identifier: undefined }
  assertViolations(await apm.sale({ ...order, crypto_network: 'TRC20' }), [])
  assertViolations(await apm.sale({ ...order, crypto_network: 'ERC20' }), [`crypto_network: ${says.notChoice}`])
})

test('parameters of an own brand are lists and objects where it says so', async () => {
  const rows = [
    { name: 'kind', type: 'enum', values: ['a', 'b'], need: 'required' },
    { name: 'count', type: 'integer', need: 'optional', min: 1, max: 9 },
  ]
  const parameters = { SALE: [{ name: 'list', type: 'list', need: 'required', rows }] }
  await brand('listed', { parameters })
  const entry = { 'parameters[list][0][kind]': 'a', 'parameters[list][1][kind]': 'b' }
  assertViolations(await apm.sale({ brand: 'listed', ...entry }), [])
  assertViolations(await apm.sale({ brand: 'listed' }), [`parameters[list]: ${says.blank}`])
  assertViolations(
    await apm.sale({ brand: 'listed', ...entry, 'parameters[list][1][kind]': 'c', 'parameters[list][1][count]': '10' }),
    [`parameters[list][1][kind]: ${says.notChoice}`, `parameters[list][1][count]: ${says.notValid}`],
  )
})

// biome-ignore format: a table is read in columns.
const earlier: readonly (readonly [status: string, over: RequestFields, expected: 'duplicate' | 'not completed' | 'taken'])[] = [
  ['SETTLED',  {},                                                    'duplicate'],
  ['PENDING',  { auth: 'Y' },                                         'duplicate'],
  ['REDIRECT', { brand: 'bank-redirect', identifier: 'jane' },        'not completed'],
  ['PREPARE',  { identifier: 'undefined@example.com' },               'not completed'],
  ['DECLINED', { identifier: 'fail@example.com' },                    'taken'],
]

for (const [status, over, expected] of earlier) {
  test(`"Reject duplicate orders": an order that is ${status} is ${expected}`, async () => {
    const merchant = await openApmAccount(shop, {}, { rejectDuplicateOrders: true })
    const order = { order_id: `ONCE-${status}` }
    assert.equal((await apm.sale({ ...order, ...over }, { merchant })).body.status, status)
    const next = await apm.sale(order, { merchant })
    if (expected === 'not completed') assertRefused(next, 100000, 'Previous payment not completed.')
    else assertViolations(next, expected === 'duplicate' ? ['order_id: Duplicate payment.'] : [])
  })
}

test('without the option an order may be paid again', async () => {
  const order = { order_id: 'AGAIN' }
  for (const _ of [1, 2]) assertViolations(await apm.sale(order), [])
})

const once = { amounts: {}, count: 1 }

// biome-ignore format: a table is read in columns.
const limitCases: readonly (readonly [mid: AccountMid, code: number, message: string])[] = [
  [{ dayLimit: once },               204007, 'Day MID limit is not set or exceeded.'],
  [{ monthLimit: once },             204014, 'Month MID limit is exceeded.'],
  [{ mapping: { dayLimit: once } },  204008, 'Day Merchant mapping limit is not set or exceeded.'],
  [{ mapping: { weekLimit: once } }, 204015, 'Week Merchant mapping limit is exceeded.'],
]

for (const [mid, code, message] of limitCases) {
  test(`an exhausted limit is ${code}: ${message}`, async () => {
    const merchant = await openApmAccount(shop, { mids: [mid] })
    assertViolations(await apm.sale({}, { merchant }), [])
    assertRefused(await apm.sale({}, { merchant }), code, message)
  })
}

test('a test-only brand is not found with a live key outside sandbox mode', async () => {
  const keys = { current: 'k1', keys: { k1: Buffer.alloc(32, 1).toString('base64') } }
  await using live = await openShop({ GATEHOUSE_MODE: 'live', GATEHOUSE_KEYS: JSON.stringify(keys) })
  const elsewhere = new Apm(live)
  notFound(await elsewhere.sale())
  assertViolations(await elsewhere.sale({}, { mode: 'test' }), [])
  assertViolations(await elsewhere.sale({ brand: 'bank-redirect' }), [])

  // Chapter 20 §2, "URLs".
  const plain = { brand: 'bank-redirect', callback_url: 'http://shop.example.com/notify' }
  assertViolations(await elsewhere.sale(plain), [`callback_url: ${says.notUrl}`])
  assertViolations(await elsewhere.sale(plain, { mode: 'test' }), [])
})
