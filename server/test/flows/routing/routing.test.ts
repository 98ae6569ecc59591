/** Which MID gets a SALE, and the answer if none does. Chapter 50 §3, chapter 10 §6.2, §7.1.6, §10.3. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type AccountMid, openAccount } from '../../account.ts'
import { assertRefused, assertViolations } from '../../refusals.ts'
import { type Answer, noCard, openShop, type RequestFields } from '../../shop.ts'
import { walletPair } from '../../wallets/wallet-pair.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())

/** Chapter 10 §10.3: the exact messages. */
// biome-ignore format: a table is read in columns.
const messages: Readonly<Record<number, string>> = {
  204002: 'Enabled merchant mappings or MIDs not found.',
  204003: 'Payment type not supported.',
  204005: 'Payment action not supported.',
  204006: 'Payment system/brand not supported.',
  204007: 'Day MID limit is not set or exceeded.',
  204008: 'Day Merchant mapping limit is not set or exceeded.',
  204011: 'Payment system/brand not found.',
  204012: 'Payment currency not found.',
  204014: 'Month MID limit is exceeded.',
  204015: 'Week Merchant mapping limit is exceeded.',
  204018: 'Payment digital wallet not supported',
  204025: 'MOTO payments are not supported.',
}

const assertCode = (answer: Answer, code: number): void => assertRefused(answer, code, messages[code] ?? '')

const cents = (minor: bigint) => ({ amounts: { EUR: minor }, count: null })
const times = (count: number) => ({ amounts: {}, count })

/** One MID that lacks one capability, and a SALE that needs it. */
// biome-ignore format: a table is read in columns.
const lacks: readonly (readonly [title: string, mid: AccountMid, over: RequestFields, code: number])[] = [
  ['a MID that is switched off',               { enabled: false },                             {},                           204002],
  ['a mapping that is switched off',           { mapping: { enabled: false } },                {},                           204002],
  ['a MID of the test side, asked live',       { mode: 'test' },                               {},                           204002],
  ['a MID without MOTO',                       { motoEnabled: false },                         { moto_type: 'default_moto' }, 204025],
  ['a MID that does not accept the wallet',    { wallets: [] },                                { ...noCard, ...walletPair }, 204018],
  ['a MID that takes no cards',                { cards: false },                               {},                           204003],
  ['a MID of another network',                 { networks: ['mastercard', 'amex'] },           {},                           204006],
  ['a number of no known network',             {},                                             { card_number: '1111222233334444' }, 204006],
  ['a MID without the action',                 { actions: ['auth', 'debit'] },                 {},                           204005],
  ['a MID without authorization',              { actions: ['sale'] },                          { auth: 'Y' },                204005],
  ['auth=Y on a MID in SMS mode',              { paymentMode: 'SMS' },                         { auth: 'Y' },                204005],
  ['AUTH on a MID in SMS mode',                { paymentMode: 'SMS' },                         { action: 'AUTH' },           204005],
  ['a MID that takes no zero',                 { zeroAmount: false },                          { auth: 'Y', order_amount: '0' }, 204005],
  ['a MID of another currency',                { currencies: ['USD', 'GBP'] },                 {},                           204012],
  ['a MID whose day limit is lower',           { dayLimit: cents(999n) },                      {},                           204007],
  ['a MID that may take nothing today',        { dayLimit: times(0) },                         {},                           204007],
  ['a MID whose month limit is lower',         { monthLimit: cents(999n) },                    {},                           204014],
  ['a MID that may take nothing this month',   { monthLimit: times(0) },                       {},                           204014],
  ['a mapping whose day limit is lower',       { mapping: { dayLimit: cents(999n) } },         {},                           204008],
  ['a mapping that may take nothing today',    { mapping: { dayLimit: times(0) } },            {},                           204008],
  ['a mapping whose week limit is lower',      { mapping: { weekLimit: cents(999n) } },        {},                           204015],
  ['a mapping that may take nothing this week', { mapping: { weekLimit: times(0) } },          {},                           204015],
]

for (const [title, mid, over, code] of lacks) {
  test(`${title}: ${code}`, async () => {
    const merchant = await openAccount(shop, { mids: [mid] })
    assertCode(await shop.sale(over, { merchant }), code)
  })
}

test('a merchant without any mapping to a MID: 204002', async () => {
  assertCode(await shop.sale({}, { merchant: await openAccount(shop, { mids: [] }) }), 204002)
})

test('a network that is switched off in the service: 204011, before any MID is considered', async () => {
  const merchant = await openAccount(shop, { mids: [] })
  const brand = (enabled: boolean) =>
    shop.configure('update brands set enabled = $1 where code = $2', [enabled, 'visa'])
  await brand(false)
  assertCode(await shop.sale({}, { merchant }), 204011)
  assertCode(await shop.sale({ card_number: '5555555555554444' }, { merchant }), 204002)
  await brand(true)
  assertCode(await shop.sale({}, { merchant }), 204002)
})

test('a MID accepts the networks and currencies that it lists, and all of them if it lists none', async () => {
  const narrow = await openAccount(shop, { mids: [{ networks: ['visa'], currencies: ['EUR'] }] })
  assertViolations(await shop.sale({}, { merchant: narrow }), [])
  const wide = await openAccount(shop)
  for (const card_number of ['4111111111111111', '5555555555554444', '378282246310005'])
    assertViolations(await shop.sale({ card_number, order_currency: 'KWD' }, { merchant: wide }), [])
})

/** One fault per filter, in the order of chapter 50 §3, on a SALE that needs everything. */
const motoHold: RequestFields = { moto_type: 'phone_moto', auth: 'Y' }
const inOrder: readonly (readonly [code: number, fault: AccountMid])[] = [
  [204002, { enabled: false }],
  [204025, { motoEnabled: false }],
  [204003, { cards: false }],
  [204006, { networks: ['mastercard'] }],
  [204005, { paymentMode: 'SMS' }],
  [204012, { currencies: ['USD'] }],
  [204007, { dayLimit: times(0) }],
  [204014, { monthLimit: times(0) }],
  [204008, { mapping: { dayLimit: times(0) } }],
  [204015, { mapping: { weekLimit: times(0) } }],
]

for (const [index, [code]] of inOrder.entries()) {
  test(`${code} takes precedence over every refusal that comes later in the order of the filters`, async () => {
    const rest = inOrder.slice(index).map(([, fault]) => fault)
    const mapping = Object.assign({}, ...rest.map((fault) => fault.mapping))
    const merchant = await openAccount(shop, { mids: [Object.assign({}, ...rest, { mapping })] })
    assertCode(await shop.sale(motoHold, { merchant }), code)
  })
}

test('the filter that leaves no MID determines the error, whatever dropped the others before', async () => {
  const merchant = await openAccount(shop, {
    mids: [{ motoEnabled: false }, { currencies: ['USD'] }, { enabled: false }],
  })
  assertCode(await shop.sale(motoHold, { merchant }), 204012)
})

test('if only limits leave no MID, the limit of the first MID in order is reported', async () => {
  const [month, day] = [{ monthLimit: times(0) }, { dayLimit: times(0) }]
  assertCode(await shop.sale({}, { merchant: await openAccount(shop, { mids: [month, day] }) }), 204014)
  assertCode(await shop.sale({}, { merchant: await openAccount(shop, { mids: [day, month] }) }), 204007)
})

interface RoutedPayment {
  readonly mid: string
  readonly routing: {
    readonly dropped: readonly { readonly midName: string; readonly filter: number; readonly reason: string }[]
    readonly ordered: readonly { readonly midName: string }[]
  }
}

/** The MID that executed a payment, by its number within the account. */
async function readRoutedMid(transId: string): Promise<RoutedPayment> {
  const { rows } = await shop.base.pool.query(
    'select mids.name, payments.routing from payments join mids on mids.id = payments.mid_id where payments.id = $1',
    [transId],
  )
  return { mid: rows[0].name.split('-').at(-1), routing: rows[0].routing }
}

async function makeSale(
  merchant: string,
  over: RequestFields = {},
): Promise<RoutedPayment & { readonly status: string }> {
  const { body } = await shop.sale(over, { merchant })
  assert.equal(body.result, 'SUCCESS')
  return { ...(await readRoutedMid(body.trans_id)), status: body.status }
}

test('the MID with the smallest priority number gets the payment', async () => {
  const merchant = await openAccount(shop, { mids: [{ mapping: { priority: 2 } }, { mapping: { priority: 1 } }] })
  assert.equal((await makeSale(merchant)).mid, '2')
})

test('an unsuitable MID is skipped, and the stored explanation has the MID and the reason', async () => {
  const merchant = await openAccount(shop, { mids: [{ currencies: ['USD'] }, { motoEnabled: false }, {}, {}] })
  const { mid, routing } = await makeSale(merchant, { moto_type: 'phone_moto' })
  assert.equal(mid, '3')
  assert.deepEqual(
    routing.dropped.map(({ midName, filter }) => [midName, filter]),
    [
      [`${merchant}-2`, 2],
      [`${merchant}-1`, 7],
    ],
  )
  for (const { reason } of routing.dropped) assert.match(reason, /^[A-Z].*\.$/)
  assert.deepEqual(
    routing.ordered.map(({ midName }) => midName),
    [`${merchant}-3`, `${merchant}-4`],
  )
})

test('channel_id selects the mapping of that channel', async () => {
  const channel = (name: string): AccountMid => ({ mapping: { channel: name } })
  const merchant = await openAccount(shop, { mids: [{}, channel('north'), channel('sixteen-letters!')] })
  assert.equal((await makeSale(merchant)).mid, '1')
  assert.equal((await makeSale(merchant, { channel_id: 'north' })).mid, '2')
  assert.equal((await makeSale(merchant, { channel_id: 'sixteen-letters!' })).mid, '3')
})

test('a channel whose MIDs are all disabled is known and has none: 204002', async () => {
  const merchant = await openAccount(shop, { mids: [{}, { enabled: false, mapping: { channel: 'north' } }] })
  assertCode(await shop.sale({ channel_id: 'north' }, { merchant }), 204002)
})

test('each key reaches only the MIDs of its mode, and the payment is marked with it', async () => {
  const merchant = await openAccount(shop, { mids: [{ mode: 'live' }, { mode: 'test' }] })
  assert.equal((await makeSale(merchant)).mid, '1')
  const { body } = await shop.sale({}, { merchant, mode: 'test' })
  assert.equal((await readRoutedMid(body.trans_id)).mid, '2')
  const { rows } = await shop.base.pool.query('select test from payments where id = $1', [body.trans_id])
  assert.deepEqual(rows, [{ test: true }])
})

test('a MID in DMS mode turns a plain SALE into a hold that is captured later', async () => {
  const as = { merchant: 'demo-dms' }
  const { body } = await shop.sale({}, as)
  assert.deepEqual([body.result, body.status], ['SUCCESS', 'PENDING'])
  const details = await shop.followUp('GET_TRANS_DETAILS', body.trans_id, {}, as)
  assert.deepEqual(
    details.body.transactions.map(({ type }: { type: string }) => type),
    ['AUTH'],
  )
  const captured = await shop.followUp('CAPTURE', body.trans_id, {}, as)
  assert.deepEqual([captured.body.result, captured.body.status], ['SUCCESS', 'SETTLED'])
})

// biome-ignore format: a table is read in columns.
const modes: readonly (readonly [mode: 'SMS' | 'DMS' | 'SMS/DMS', auth: string | undefined, status: string])[] = [
  ['SMS',     undefined, 'SETTLED'],
  ['SMS',     'N',       'SETTLED'],
  ['SMS/DMS', undefined, 'SETTLED'],
  ['SMS/DMS', 'N',       'SETTLED'],
  ['SMS/DMS', 'Y',       'PENDING'],
  ['DMS',     undefined, 'PENDING'],
  ['DMS',     'N',       'PENDING'],
  ['DMS',     'Y',       'PENDING'],
]

for (const [paymentMode, auth, status] of modes) {
  test(`auth=${auth ?? '(absent)'} on a MID in ${paymentMode} mode ends ${status}`, async () => {
    const merchant = await openAccount(shop, { mids: [{ paymentMode }] })
    assert.equal((await makeSale(merchant, { auth })).status, status)
  })
}

test('auth=Y skips MIDs in SMS mode, a plain SALE uses the first whatever its mode', async () => {
  const merchant = await openAccount(shop, { mids: [{ paymentMode: 'SMS' }, { paymentMode: 'DMS' }] })
  assert.deepEqual(await brief(makeSale(merchant, { auth: 'Y' })), ['2', 'PENDING'])
  assert.deepEqual(await brief(makeSale(merchant)), ['1', 'SETTLED'])
  const other = await openAccount(shop, { mids: [{ paymentMode: 'DMS' }, { paymentMode: 'SMS' }] })
  assert.deepEqual(await brief(makeSale(other)), ['1', 'PENDING'])
})

const brief = async (taken: ReturnType<typeof makeSale>) => [(await taken).mid, (await taken).status]

test('one MID may serve MOTO and ordinary payments, and a MOTO payment skips a MID without MOTO', async () => {
  const merchant = await openAccount(shop, { mids: [{ motoEnabled: false }, { motoEnabled: true }] })
  assert.equal((await makeSale(merchant, { moto_type: 'email_moto' })).mid, '2')
  assert.equal((await makeSale(merchant, { moto_type: 'ecommerce' })).mid, '1')
  const both = await openAccount(shop, { mids: [{ motoEnabled: true }] })
  assert.equal((await makeSale(both)).mid, '1')
})

test('a refusal because no MID is available leaves no payment and no callback', async () => {
  const merchant = await openAccount(shop, { mids: [] })
  assertCode(await shop.sale({ order_id: 'NO-MID' }, { merchant }), 204002)
  const { rows } = await shop.base.pool.query("select id from payments where order_id = 'NO-MID'")
  assert.deepEqual(rows, [])
})
