/** Chapter 70 §3: fees and reserve are booked with the outcome, once, and statements add up to the ledger. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { bookPeriodicCharges } from '#server/store/finance/periodic-charges.ts'
import { merchantId, type PanelClient, panelOf } from '../../panel/admin.ts'
import { openShop, type Shop } from '../../shop.ts'

const day = 86_400_000

let shop: Shop
let demo: string
let finance: PanelClient
let viewer: PanelClient
before(async () => {
  shop = await openShop({}, ['back office', 'chargebacks'])
  demo = await merchantId(shop, 'demo')
  finance = await panelOf(shop, { role: 'finance' })
  viewer = await panelOf(shop, { role: 'merchant-viewer', allMerchants: false, merchantIds: [demo] })
})
after(() => shop[Symbol.asyncDispose]())

const today = (days = 0): string => new Date(shop.base.clock.now().getTime() + days * day).toISOString().slice(0, 10)
const priceList = (over: object = {}) => ({
  validFrom: today(),
  country: 'DE',
  rules: [
    { kinds: ['sale'], currency: 'EUR', fixedMinor: '25', share: 12_500, minimumMinor: '30' },
    { kinds: ['sale'], currency: 'JPY', fixedMinor: '30', share: 10_000 },
    { kinds: ['sale'], currency: 'KWD', fixedMinor: '150', share: 20_000 },
    { kinds: ['refund'], currency: 'EUR', fixedMinor: '10' },
    { kinds: ['chargeback'], currency: 'EUR', fixedMinor: '1500' },
  ],
  monthly: [{ currency: 'EUR', amountMinor: '990' }],
  reserve: { share: 50_000, days: 7 },
  ...over,
})
const add = (over: object = {}) => finance.post(`/merchants/${demo}/price-lists`, priceList(over))
const accounts = async () => {
  const { body } = await finance.get(`/merchants/${demo}/accounts`)
  return new Map(body.accounts.map((one: { currency: string }) => [one.currency, one]))
}

/** The configuration in memory follows the database by itself; tests do not wait for that. */
const until = async (holds: () => Promise<boolean>): Promise<void> => {
  for (let tries = 0; !(await holds()); tries += 1) {
    assert.ok(tries < 100, 'the condition holds in time')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

test('a price list with a fault, or with days of another list, is refused and nothing is stored', async () => {
  // biome-ignore format: a table is read in columns.
  const bad: readonly (readonly [object, RegExp])[] = [
    [{ validFrom: today(-1) },                                          /day after today/],
    [{ validTo: today(-1) },                                            /not before the first/],
    [{ rules: [{ kinds: ['sale'], fixedMinor: '25' }] },                /select the currency/],
    [{ rules: [{ currency: 'XXQ', fixedMinor: '25' }] },                /XXQ is not a currency/],
    [{ rules: [{ midIds: [crypto.randomUUID()], share: 5 }] },          /Select MIDs/],
    [{ rules: [{ share: 1_000_001 }] },                                 /share/],
    [{ reserve: { share: 1, days: 0 } },                                /days/],
    [{ country: 'Germany' },                                            /two letters/],
    [{ monthly: [{ currency: 'EUR', amountMinor: '1' }, { currency: 'EUR', amountMinor: '2' }] }, /two monthly fees/],
  ]
  for (const [over, text] of bad) {
    const refused = await add(over)
    assert.equal(refused.http, 422, JSON.stringify(over))
    assert.match(refused.text, text)
  }
  assert.deepEqual((await finance.get(`/merchants/${demo}/price-lists`)).body.lists, [])
})

test('fees and reserve are booked with the outcome, in currencies with 0, 2 and 3 decimals', async () => {
  assert.equal((await add({ validTo: today(200) })).http, 200)
  await until(async () => shop.service.configuration.priceLists(demo).length === 1)
  const paid = async (order_amount: string, order_currency: string) =>
    (await shop.sale({ order_amount, order_currency })).body.trans_id
  const euro = await paid('10.00', 'EUR')
  assert.deepEqual(await shop.postings(euro), ['payer -> settled 1000', 'payable -> fees 38', 'payable -> reserve 50'])
  assert.deepEqual(await shop.postings(await paid('1499', 'JPY')), [
    'payer -> settled 1499',
    'payable -> fees 45',
    'payable -> reserve 75',
  ])
  assert.deepEqual(await shop.postings(await paid('10.005', 'KWD')), [
    'payer -> settled 10005',
    'payable -> fees 350',
    'payable -> reserve 500',
  ])
  const { body: refund } = await shop.followUp('CREDITVOID', euro, { amount: '4.00' })
  assert.equal(refund.result, 'ACCEPTED')
  await shop.service.awaitIdle()
  assert.deepEqual((await shop.postings(euro)).slice(3), ['settled -> refunded 400', 'payable -> fees 10'])

  const declined = (await shop.sale({ card_exp_month: '02' })).body.trans_id
  assert.deepEqual(await shop.postings(declined), [], 'a decline costs nothing')
  const tested = (await shop.sale({}, { mode: 'test' })).body.trans_id
  assert.deepEqual(await shop.postings(tested), ['payer -> settled 1000'], 'a test payment costs nothing')

  const { http, body } = await finance.get(`/dashboard/money?from=${today(-1)}T00:00:00Z&to=${today(1)}T00:00:00Z`)
  assert.deepEqual([http, body.ok], [200, true], 'charges do not disturb the checks of payments')
})

test('two lists never overlap, even if both are added at once', async () => {
  assert.match((await add({ validFrom: today(200) })).text, /End that list first/)
  const both = await Promise.all([add({ validFrom: today(201) }), add({ validFrom: today(202) })])
  assert.deepEqual(both.map(({ http }) => String(http)).toSorted(), ['200', '409'])
  const { lists } = (await finance.get(`/merchants/${demo}/price-lists`)).body
  const [later, first] = lists
  const end = (id: string, validTo: string) => finance.send('PUT', `/merchants/${demo}/price-lists/${id}`, { validTo })
  assert.match((await end(first.id, later.validFrom)).text, /Another list begins/)
  assert.match((await end(first.id, today(-1))).text, /from today on/)
  assert.equal((await end(first.id, today(199))).http, 200)
})

test('the monthly fee is booked once, whichever worker looks', async () => {
  const count = async () => {
    const { rows } = await shop.base.pool.query(
      `select count(*)::int as count from account_entries where merchant_id = $1 and source like 'monthly%'`,
      [demo],
    )
    return rows[0].count
  }
  const now = shop.base.clock.now()
  await Promise.all(Array.from({ length: 4 }, () => bookPeriodicCharges(shop.base.pool, now)))
  assert.equal(await count(), 1)
})

test('a statement is closed once per period, adds up, and equals the accounts', async () => {
  const early = await finance.post('/statements', { lastDay: today() })
  assert.equal(early.http, 422, 'the day is not over')
  const lastDay = today()
  await shop.advance(day + 3_600_000)
  const closed = await Promise.all([finance.post('/statements', { lastDay }), finance.post('/statements', { lastDay })])
  assert.deepEqual(
    closed.map(({ body }) => String(body.closed)).toSorted(),
    ['0', '3'],
    closed.map(({ text }) => text).join(),
  )
  const { statements } = (await viewer.get('/statements')).body
  const euro = statements.find((one: { currency: string }) => one.currency === 'EUR')
  assert.deepEqual(
    [euro.openingMinor, euro.salesMinor, euro.refundsMinor, euro.feesMinor, euro.heldMinor, euro.closingMinor],
    ['0', '1000', '400', String(38 + 10 + 990), '50', String(1000 - 400 - 38 - 10 - 990 - 50)],
  )
  const csv = await viewer.get(`/merchants/${demo}/statements/${euro.id}/csv`)
  assert.match(csv.body.content, /,EUR,Fees,-10\.38\r\n/)
  assert.match(csv.body.content, /,EUR,Closing balance,-4\.88\r\n/)
  const kwd = statements.find((one: { currency: string }) => one.currency === 'KWD')
  assert.equal(kwd.closingMinor, String(10_005 - 350 - 500))
  const other = await panelOf(shop, {
    role: 'merchant-viewer',
    allMerchants: false,
    merchantIds: [await merchantId(shop, 'demo-dms')],
  })
  assert.deepEqual((await other.get('/statements')).body.statements, [])
  assert.equal((await other.get(`/merchants/${demo}/statements/${euro.id}`)).http, 404)
})

test('the reserve is released once, after its days', async () => {
  const before = (await accounts()).get('EUR') as { reserveMinor: string }
  assert.equal(before.reserveMinor, '50')
  // The hour by which the statement was closed late is taken back: near midnight it would be another day.
  await shop.advance(6 * day - 3_600_000)
  assert.equal(((await accounts()).get('EUR') as typeof before).reserveMinor, '50', 'seven whole days have not passed')
  await shop.advance(day)
  const now = shop.base.clock.now()
  await Promise.all(Array.from({ length: 4 }, () => bookPeriodicCharges(shop.base.pool, now)))
  assert.equal(((await accounts()).get('EUR') as typeof before).reserveMinor, '0')
  const { rows } = await shop.base.pool.query(
    `select format('%s -> %s %s %s', from_account, to_account, amount_minor, currency) as entry from account_entries
     where merchant_id = $1 and source like 'reserve%' order by currency`,
    [demo],
  )
  assert.deepEqual(
    rows.map(({ entry }) => entry),
    ['reserve -> payable 50 EUR', 'reserve -> payable 75 JPY', 'reserve -> payable 500 KWD'],
  )
})

type Sums = Record<'currency' | 'lastDay' | 'statementsMinor' | 'ledgerMinor', string>

test('the next statement begins where the last one ended, and the light compares all of them with the ledger', async () => {
  await shop.sale({ order_amount: '20.00' })
  const lastDay = today()
  await shop.advance(day + 3_600_000)
  assert.equal((await finance.post('/statements', { lastDay })).body.closed, 3)
  const { statements } = (await finance.get('/statements')).body
  const euros = statements.filter((one: { currency: string }) => one.currency === 'EUR')
  assert.equal(euros[0].openingMinor, euros[1].closingMinor)
  assert.equal(euros[0].releasedMinor, '50')
  const light = async (): Promise<{ ok: boolean; checked: number; offending: { statements: Sums }[] }> => {
    const { body } = await finance.get(`/dashboard/money?from=${today(-1)}T00:00:00Z&to=${today(1)}T00:00:00Z`)
    // The dashboard does not wait for a long comparison.
    return body.checks.find((one: { name: string }) => one.name === 'statements') ?? light()
  }
  assert.deepEqual([(await light()).ok, (await light()).checked], [true, 3])
  // An entry of a closed day that no statement has.
  await shop.base.pool.query(
    `insert into account_entries (merchant_id, source, position, from_account, to_account, currency, amount_minor, at)
     values ($1, 'planted', 0, 'payable', 'fees', 'EUR', 1, $2)`,
    [demo, new Date(`${lastDay}T12:00:00Z`)],
  )
  // Two days, so that the day has ended an hour ago also for a test that runs near midnight.
  await shop.advance(2 * day)
  assert.equal((await finance.post('/statements', { lastDay: today(-2) })).body.closed, 3)
  const { ok, offending } = await light()
  assert.equal(ok, false)
  const [fault] = offending
  assert.deepEqual([fault?.statements.currency, fault?.statements.lastDay], ['EUR', today(-2)])
  assert.equal(BigInt(fault?.statements.statementsMinor ?? 0) - BigInt(fault?.statements.ledgerMinor ?? 0), 1n)
})

test('each month is charged when it begins', async () => {
  const now = shop.base.clock.now()
  const monthsLater = (months: number) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1))
  for (const months of [1, 2]) await bookPeriodicCharges(shop.base.pool, monthsLater(months))
  const { rows } = await shop.base.pool.query(
    `select source from account_entries where merchant_id = $1 and source like 'monthly%' order by source desc limit 2`,
    [demo],
  )
  const sources = [2, 1].map((months) => `monthly fee ${monthsLater(months).toISOString().slice(0, 7)} EUR`)
  assert.deepEqual(
    rows.map(({ source }) => source),
    sources,
  )
})
