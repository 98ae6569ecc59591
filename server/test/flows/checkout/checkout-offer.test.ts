/** The methods and MIDs that a session can have: chapter 30 §3.7, §3.8, §3.9, and the errors if none is left. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { writtenBrand } from '#domain/brand/brand-record.ts'
import { builtInBrands } from '#domain/brand/built-in-brands.ts'
import { saveBrand } from '#server/setup/brands.ts'
import { type AccountMid, openAccount } from '../../account.ts'
import { assertRows, assertSingleError, type Body, CheckoutClient } from '../../pages/checkout.ts'
import { publishRules } from '../../rules.ts'
import { openShop, type Shop } from '../../shop.ts'

let shop: Shop
let client: CheckoutClient

before(async () => {
  shop = await openShop()
  client = new CheckoutClient(shop)
})
after(() => shop[Symbol.asyncDispose]())

/** A merchant with exactly these MIDs and a Checkout mapping. */
async function account(...mids: readonly AccountMid[]): Promise<string> {
  const merchant = await openAccount(shop, { mids })
  await shop.configure(
    `insert into protocol_mappings (merchant_id, protocol, enabled, options)
     select id, 'CHECKOUT', true, '{"payouts": true}' from merchants where name = $1`,
    [merchant],
  )
  return merchant
}

const upTo999 = { amounts: { EUR: 999n }, count: null }
const actions = ['sale', 'auth', 'debit', 'credit', 'transfer', 'recurring'] as const
const without = (...gone: readonly string[]) => ({ actions: actions.filter((action) => !gone.includes(action)) })

describe('no method is left:', () => {
  type Row = readonly [
    title: string,
    mid: AccountMid | null,
    asked: Body & { order?: Body },
    code: number,
    message: string,
  ]

  // biome-ignore format: a table is read in columns.
  const rows: readonly Row[] = [
    ['no MID at all',            null,                                   {},                                          204002, 'Enabled merchant mappings or MIDs not found.'],
    ['the MID is disabled',      { enabled: false },                     {},                                          204002, 'Enabled merchant mappings or MIDs not found.'],
    ['the mapping is disabled',  { mapping: { enabled: false } },        {},                                          204002, 'Enabled merchant mappings or MIDs not found.'],
    ['no MOTO',                  { motoEnabled: false },                 { moto_type: 'phone_moto' },                 204025, 'MOTO payments are not supported.'],
    ['no wallet',                { wallets: [] },                        { methods: ['walletapay'] },                 204018, 'Payment digital wallet not supported'],
    ['no cards',                 { cards: false },                       { methods: ['card'] },                       204004, 'Payment method not supported.'],
    ['no such method',           {},                                     { methods: ['nobody-knows-it'] },            204004, 'Payment method not supported.'],
    ['a hidden method',          {},                                     { methods: ['account-debit'] },              204004, 'Payment method not supported.'],
    ['a sale on a DMS MID',      { paymentMode: 'DMS' },                 {},                                          204005, 'Payment action not supported.'],
    ['a hold on an SMS MID',     { paymentMode: 'SMS' },                 { auth: true },                              204005, 'Payment action not supported.'],
    ['no debits',                without('debit'),                       { operation: 'debit' },                      204005, 'Payment action not supported.'],
    ['no payouts',               without('credit'),                      { operation: 'credit' },                     204005, 'Payment action not supported.'],
    ['no transfers',             without('transfer'),                    { operation: 'transfer' },                   204005, 'Payment action not supported.'],
    ['no recurring',             without('recurring'),                   { recurring_init: true },                    204005, 'Payment action not supported.'],
    ['no zero amounts',          { zeroAmount: false },                  { recurring_init: true, order: { amount: '0' } }, 204005, 'Payment action not supported.'],
    ['another currency',         { currencies: ['USD'] },                {},                                          204012, 'Payment currency not found.'],
    ['the day of the MID',       { dayLimit: upTo999 },                 {},                 204007, 'Day MID limit is not set or exceeded.'],
    ['the month of the MID',     { monthLimit: upTo999 },               {},                 204014, 'Month MID limit is exceeded.'],
    ['the day of the mapping',   { mapping: { dayLimit: upTo999 } },    {},                 204008, 'Day Merchant mapping limit is not set or exceeded.'],
    ['the week of the mapping',  { mapping: { weekLimit: upTo999 } },   {},                 204015, 'Week Merchant mapping limit is exceeded.'],
  ]
  for (const [title, mid, request, code, message] of rows) {
    test(`${title}, ${code}`, async () => {
      const merchant = await account(...(mid ? [mid] : []))
      assertSingleError(await client.session(request, { merchant }), code, message)
    })
  }

  test('the error is that of the first method in the list', async () => {
    const merchant = await account({ cards: false, wallets: [] })
    const methods = ['walletapay', 'card']
    assertSingleError(await client.session({ methods }, { merchant }), 204018, 'Payment digital wallet not supported')
    const message = 'Payment method not supported.'
    assertSingleError(await client.session({ methods: methods.toReversed() }, { merchant }), 204004, message)
  })
})

describe('a session is created', () => {
  const expectSession = async (mid: AccountMid, request: Body & { order?: Body }) =>
    assertRows(await client.session(request, { merchant: await account(mid) }), [])

  test('on an SMS MID for a sale, and on a DMS MID for a hold', async () => {
    await expectSession({ paymentMode: 'SMS' }, {})
    await expectSession({ paymentMode: 'DMS' }, { auth: true })
  })

  test('on a MID of any mode for debits and payouts', () =>
    expectSession({ paymentMode: 'DMS' }, { operation: 'debit' }))

  test('with `ecommerce` on a MID without MOTO', () =>
    expectSession({ motoEnabled: false }, { moto_type: 'ecommerce' }))

  test('although the card network is not known yet', () => expectSession({ networks: ['amex'] }, {}))
})

const offeredMethods = async (over: Body & { order?: Body }, merchant: string) => {
  const session = await client.openSession(over, { merchant })
  const known = shop.service.configuration.byKey(shop.merchant(merchant).key)
  assert.ok(known)
  const { methods } = await shop.service.operations.sessions.offer(known.merchant, session)
  return methods.map(({ code, sentAs, mids }) => ({ code, sentAs, mids: mids.map(({ mid }) => mid.name) }))
}
const codes = async (over: Body & { order?: Body }, merchant: string) =>
  (await offeredMethods(over, merchant)).map(({ code }) => code)

describe('the list of methods', () => {
  test('is the one that was sent, in its order, without unknown methods', async () => {
    const merchant = await account({})
    assert.deepEqual(await codes({ methods: ['bank-redirect', 'nonsense', 'card'] }, merchant), [
      'bank-redirect',
      'card',
    ])
  })

  test('is otherwise every method of the MIDs, cards first, then by priority', async () => {
    const merchant = await account(
      { brands: ['bank-redirect'], wallets: [] },
      { cards: false, brands: ['vcard'], wallets: [] },
    )
    assert.deepEqual(await codes({}, merchant), ['card', 'bank-redirect', 'vcard'])
  })

  test('has the methods of one MID in the order of the catalogue', async () => {
    const merchant = await account({ brands: ['bank-redirect', 'vcard'], wallets: [] })
    const place = (page_order: number) => {
      const brand = builtInBrands.find(({ code }) => code === 'vcard') ?? assert.fail()
      return saveBrand({ ...shop.base, by: 'an operator' }, { ...writtenBrand(brand), page_order })
    }
    for (const [order, expected] of [
      [0, ['card', 'vcard', 'bank-redirect']],
      [999, ['card', 'bank-redirect', 'vcard']],
    ] as const) {
      assert.equal((await place(order)).kind, 'saved')
      await shop.service.configuration.refresh()
      assert.deepEqual(await codes({}, merchant), expected)
    }
  })

  test('is that of the matching pre-routing rule, unless one was sent', async () => {
    const merchant = await account({ brands: ['bank-redirect', 'vcard'], wallets: [] })
    const show = { kind: 'show-methods', methods: ['vcard', 'card', 'walletapay'] }
    const hide = { kind: 'hide-methods', methods: ['card', 'vcard'] }
    await publishRules(
      shop,
      merchant,
      { name: 'of a card', conditions: [{ kind: 'network', not: true, values: ['amex'] }], action: hide },
      { name: 'large', conditions: [{ kind: 'amount', currency: 'EUR', fromMinor: '5000' }], action: show },
      { name: 'the rest', action: hide },
    )
    assert.deepEqual(await codes({ order: { amount: '50.00' } }, merchant), ['vcard', 'card'])
    assert.deepEqual(await codes({ order: { amount: '49.99' } }, merchant), ['bank-redirect'])
    assert.deepEqual(await codes({ methods: ['card', 'vcard'] }, merchant), ['card', 'vcard'])
    assert.deepEqual(await codes({ operation: 'credit' }, merchant), ['card'], 'payouts have nothing to choose from')
  })

  test('leaves out what the currency, the operation or the phone does not allow', async () => {
    const merchant = await account({ brands: ['bank-redirect', 'vcard'], wallets: [] })
    assert.deepEqual(await codes({ order: { currency: 'USD' } }, merchant), ['card', 'vcard'])
    assert.deepEqual(await codes({ operation: 'debit' }, merchant), ['card', 'vcard'])
    assert.deepEqual(await codes({ operation: 'credit', methods: ['vcard'] }, merchant), ['card'])
    assert.deepEqual(await codes({ moto_type: 'email_moto' }, merchant), ['card'])
    assert.deepEqual(await codes({ recurring_init: true }, merchant), ['card'])
  })

  test('has a wallet if the merchant and a MID accept it', async () => {
    assert.ok((await codes({ methods: ['walletapay', 'card'] }, 'demo')).includes('walletapay'))
    assert.deepEqual(await codes({ methods: ['walletapay', 'card'] }, 'demo-no-wallet'), ['card'])
  })

  test('has a wallet for holds and chains only if its card number is decrypted', async () => {
    const methods = ['walletapay', 'card']
    const needing = [{ auth: true }, { recurring_init: true }]
    for (const over of needing) assert.deepEqual(await codes({ methods, ...over }, 'demo'), methods)
    await shop.configure('update mids set card_flow = false')
    assert.deepEqual(await codes({ methods }, 'demo'), methods)
    for (const over of needing) assert.deepEqual(await codes({ methods, ...over }, 'demo'), ['card'])
    await shop.configure('update mids set card_flow = true')
  })

  test('of an open-amount crypto order has crypto methods only', async () => {
    const order = { amount: undefined, currency: 'BTC' }
    assert.deepEqual(await codes({ methods: ['crypto-pay'], order }, 'demo'), ['crypto-pay'])
    assertRows(await client.session({ methods: ['crypto-pay', 'card'], order }), [
      'order.amount: This value should not be blank.',
    ])
  })
})

describe('a channel', () => {
  test('selects its mappings, and no others', async () => {
    const merchant = await account({ mapping: { channel: 'web' } }, {})
    const [card] = await offeredMethods({ channel_id: 'web', methods: ['card'] }, merchant)
    assert.deepEqual(card?.mids, [`${merchant}-1`])
    assert.deepEqual((await offeredMethods({ methods: ['card'] }, merchant))[0]?.mids, [`${merchant}-2`])
  })

  test('that serves none of the methods is not correct', async () => {
    const merchant = await account({ mapping: { channel: 'web' }, cards: false, wallets: [] }, {})
    const answer = await client.session({ channel_id: 'web', methods: ['card'] }, { merchant })
    assertRows(answer, ['channel_id: This value is not correct.'])
  })
})

describe('duplicate orders, where they are rejected:', () => {
  test('a paid order is a duplicate, an open one must be awaited, a declined one may be paid again', async () => {
    const reject = (on: boolean) => client.choose({ rejectDuplicateOrders: on })
    const order = (number: string) => ({ order: { number } })
    await client.makePayment(order('paid-already'))
    await client.makePayment(order('open-still'), '05/38')
    await client.makePayment(order('declined'), '02/38')
    await reject(true)
    assertRows(await client.session(order('paid-already')), ['order_id: Duplicate payment.'])
    assertSingleError(await client.session(order('open-still')), 100000, 'Previous payment not completed.')
    assertRows(await client.session(order('declined')), [])
    await reject(false)
    assertRows(await client.session(order('paid-already')), [])
  })
})
