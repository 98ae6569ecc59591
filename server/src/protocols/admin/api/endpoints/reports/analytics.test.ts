/** Analytics count each payment once, whether it is in the summaries, open or newer; and each figure is the list it leads to. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { summarisePayments } from '#server/store/payments/summaries/payment-summaries.ts'
import { openAccount } from '../../../../../../test/account.ts'
import { until } from '../../../../../../test/callbacks/callback-scene.ts'
import { setFaults, softDeclines } from '../../../../../../test/cascades.ts'
import { CheckoutClient } from '../../../../../../test/pages/checkout.ts'
import { Payer } from '../../../../../../test/pages/hosted-page.ts'
import { merchantId, type PanelClient, panelOf } from '../../../../../../test/panel/admin.ts'
import { expiryFields, waysInto } from '../../../../../../test/payments.ts'
import { openShop, type Shop } from '../../../../../../test/shop.ts'
import { enableWallet } from '../../../../../../test/wallets/wallet-device.ts'

let shop: Shop
let demo: string
let owner: PanelClient
before(async () => {
  shop = await openShop({}, ['back office'])
  demo = await merchantId(shop, 'demo')
  owner = await panelOf(shop)
  for (const status of ['SETTLED', 'PENDING', 'REFUND', 'VOID', 'DECLINED', 'REDIRECT']) await waysInto[status]?.(shop)
  await shop.sale({ order_currency: 'USD', card_number: '5555555555554444' })
  await shop.sale({}, { merchant: 'demo-dms' })
  const cascading = await openAccount(shop, { mids: [{}, {}] })
  await setFaults(shop, cascading, { 1: softDeclines })
  await shop.sale({ order_id: 'CASCADE-1' }, { merchant: cascading })
  await shop.sale(expiryFields('01/2040'))
  await (await enableWallet(shop, { wallet: 'walletapay' })).pay()
  await shop.service.awaitIdle()
  // The table of issuers is the operator's; without one no payment has a country.
  await shop.base.pool.query(
    `update payments set facts = facts || jsonb_build_object('issuer', jsonb_build_object('country', case currency when 'USD' then 'US' else 'DE' end))
     where status in ('SETTLED', 'DECLINED')`,
  )
})
after(() => shop[Symbol.asyncDispose]())

interface Counts {
  readonly payments: number
  readonly approved: number
  readonly declined: number
}

interface Row extends Counts {
  readonly value: string
}

const filters = {
  mid: 'midId',
  network: 'network',
  bin: 'bin',
  kind: 'kind',
  threeDs: 'transFlow',
  declineReason: 'declineReason',
  issuerCountry: 'issuerCountry',
  wallet: 'wallet',
} as const

const analytics = async (query: string, browser = owner) => {
  const { body, http, text } = await browser.get(`/analytics?${query}`)
  assert.equal(http, 200, text)
  return body
}

/** Lists each row's payments as the page's links do. */
async function assertListed(by: keyof typeof filters, query = ''): Promise<void> {
  const { rows, from, to } = await analytics(`by=${by}${query}`)
  assert.ok(
    rows.some(({ value }: Row) => value !== ''),
    by,
  )
  for (const row of rows.filter(({ value }: Row) => value !== '')) {
    const found = async (outcome: string): Promise<number> => {
      const set = {
        kind: 'income',
        [filters[by]]: row.value,
        ...(by === 'mid' ? {} : { attempts: 'last' }),
        ...(outcome === '' ? {} : { outcome }),
        from: `${from}T00:00:00Z`,
        to: new Date(Date.parse(to) + 86_400_000).toISOString(),
        test: 'false',
      }
      return (await owner.get(`/payments?limit=200&${new URLSearchParams(set)}${query}`)).body.payments.length
    }
    const listed = { payments: await found(''), approved: await found('approved'), declined: await found('declined') }
    assert.deepEqual(
      { payments: row.payments, approved: row.approved, declined: row.declined },
      listed,
      `${by} ${row.value}`,
    )
  }
}

const summarise = (minutes: number) =>
  summarisePayments(shop.base.pool, new Date(shop.base.clock.now().getTime() + minutes * 60_000))

const totalsOf = async (query = ''): Promise<Counts> => {
  const { payments, approved, declined } = (await analytics(query)).totals
  return { payments, approved, declined }
}

test('each figure is the number of payments that its filters find, before and after they are summarised', async () => {
  await summarise(-60)
  for (const by of Object.keys(filters) as (keyof typeof filters)[]) await assertListed(by)
  const before = await analytics('by=network')
  await summarise(10)
  assert.equal((await shop.base.pool.query('select from payment_summaries')).rowCount === 0, false)
  for (const by of Object.keys(filters) as (keyof typeof filters)[]) {
    await assertListed(by)
    await assertListed(by, `&merchantId=${demo}`)
  }
  const { rows, totals, totalsBefore } = await analytics('by=network')
  assert.deepEqual([rows, totals, totalsBefore], [before.rows, before.totals, before.totalsBefore])
})

test('amounts are of one currency each', async () => {
  const { totals } = await analytics(`merchantId=${demo}`)
  const currencies = totals.amounts.map(({ currency }: { currency: string }) => currency)
  assert.deepEqual(currencies, ['EUR', 'USD'])
  const { rows } = await shop.base.pool.query(
    `select sum(amount_minor)::text as sum from payments where merchant_id = $1 and currency = 'USD' and status = 'SETTLED'`,
    [demo],
  )
  assert.equal(totals.amounts[1].approvedMinor, rows[0].sum)
})

test('a cascade is one payment, and an attempt at each of its MIDs', async () => {
  const own = await merchantId(shop, (await merchantOf('CASCADE-1')) ?? '')
  const byMid = (await analytics(`by=mid&merchantId=${own}`)).rows
  assert.deepEqual(byMid.map(({ approved, declined }: Row) => [approved, declined]).toSorted(), [
    [0, 1],
    [1, 0],
  ])
  assert.deepEqual(await totalsOf(`merchantId=${own}`), { payments: 1, approved: 1, declined: 0 })
})

const merchantOf = async (order: string): Promise<string | undefined> => {
  const { rows } = await shop.base.pool.query<{ name: string }>(
    'select m.name from payments p join merchants m on m.id = p.merchant_id where p.order_id = $1 limit 1',
    [order],
  )
  return rows[0]?.name
}

test('an open payment is added when it is decided, once, however often and by how many workers', async () => {
  const before = await totalsOf()
  await shop.base.pool.query(
    `update payments set status = 'DECLINED', decline_reason = 'Left' where status = 'REDIRECT'`,
  )
  const decided = { ...before, declined: before.declined + 1 }
  assert.deepEqual(await totalsOf(), decided)
  await Promise.all([summarise(20), summarise(20)])
  await summarise(30)
  assert.deepEqual(await totalsOf(), decided)
  assert.equal((await shop.base.pool.query('select from payment_summary_open')).rowCount, 0)
})

test('days without payments are passed, and a payment after them is counted', async () => {
  const before = await totalsOf()
  const later = new Date(shop.base.clock.now().getTime() + 5 * 86_400_000)
  const until = await summarisePayments(shop.base.pool, later)
  assert.equal(until?.getTime(), later.getTime() - 120_000)
  assert.deepEqual(await totalsOf(), before)
})

test('a period is compared with as many days before it', async () => {
  await shop.base.pool.query(
    `update payment_summaries set day = day - 3 where dimension in ('total', 'network') and merchant_id = $1`,
    [demo],
  )
  const today = shop.base.clock.now().toISOString().slice(0, 10)
  const back = (days: number): string => new Date(Date.parse(today) - days * 86_400_000).toISOString().slice(0, 10)
  const { totals, totalsBefore, before, overTime, rows } = await analytics(
    `merchantId=${demo}&by=network&from=${back(1)}&to=${today}`,
  )
  assert.deepEqual(before, { from: back(3), to: back(2) })
  assert.equal(totals.payments, 0)
  assert.ok(totalsBefore.payments > 5)
  assert.deepEqual(
    overTime.map(({ day, rateBefore }: { day: string; rateBefore: number | null }) => [day, rateBefore !== null]),
    [
      [back(1), true],
      [today, false],
    ],
  )
  assert.ok(rows.every((row: Row & { before: Counts }) => row.payments === 0 && row.before.payments > 0))
})

test('a user of one merchant sees its payments alone, and none of another by naming it', async () => {
  const other = await merchantId(shop, 'demo-dms')
  const viewer = await panelOf(shop, { role: 'merchant-viewer', allMerchants: false, merchantIds: [other] })
  const { totals } = await analytics('', viewer)
  assert.equal(totals.payments, 1)
  assert.equal((await analytics(`merchantId=${demo}`, viewer)).totals.payments, 0)
})

test('a list of values that is cut says how many there are', async () => {
  const { rows, rowsTotal } = await analytics(`merchantId=${demo}&by=network`)
  assert.equal(rowsTotal, rows.length)
  await shop.base.pool.query(
    `insert into payment_summaries select (jsonb_populate_record(s, jsonb_build_object('value', s.value || n))).*
     from payment_summaries s, generate_series(1, 60) n
     where s.ctid = (select ctid from payment_summaries where dimension = 'network' and merchant_id = $1 limit 1)`,
    [demo],
  )
  const cut = await analytics(`merchantId=${demo}&by=network`)
  assert.deepEqual([cut.rows.length, cut.rowsTotal], [50, rows.length + 60])
})

test('days that are none, end before they begin or are too many are refused by their field', async () => {
  for (const [query, field] of [
    ['from=2026-02-30', 'from'],
    ['from=2026-02-02&to=2026-02-01', 'to'],
    ['from=2020-01-01&to=2026-02-01', 'from'],
    ['by=total', 'by'],
  ] as const) {
    const { http, body } = await owner.get(`/analytics?${query}`)
    assert.deepEqual([http, body.error.fields[0].field], [422, field], query)
  }
})

test('the funnel follows the sessions of the hosted page: opened, attempted, challenged, paid, or left when they have ended', async () => {
  const client = new CheckoutClient(shop)
  const funnel = async (query = '') => (await owner.get(`/analytics/funnel${query}`)).body
  assert.deepEqual(await funnel(), {
    sessions: 0,
    opened: 0,
    attempted: 0,
    challenged: 0,
    paid: 0,
    left: 0,
    complete: true,
  })
  const onPage = await Payer.at(shop)
  await fetch(`${shop.url}/auth/${(await Payer.at(shop)).token}`)
  const abandoned = await client.openSession()
  await client.pay(await client.openSession(), '02/38')
  const paid = await client.openSession()
  await client.pay(paid)
  const challenged = await client.openSession()
  const { payment } = await client.pay(challenged, '05/38')
  await shop.base.pool.query(
    `update payments set facts = jsonb_set(facts, '{threeDs}', coalesce(facts->'threeDs', '{}') || '{"authenticationFlow":"Challenge"}')
     where id = $1`,
    [payment.id],
  )
  await shop.base.pool.query(`update sessions set expires_at = now() - interval '1 hour' where id = any($1)`, [
    [abandoned.id, paid.id],
  ])
  await onPage.session()
  await until(async () => (await funnel()).opened === 4)
  // The page was asked for without being run, as a preview of the link does, and one session was never looked at.
  const counted = { sessions: 6, opened: 4, attempted: 3, challenged: 1, paid: 1, left: 1, complete: true }
  assert.deepEqual(await funnel(`?merchantId=${demo}`), counted)
  assert.equal((await funnel('?test=true')).sessions, 0)
  assert.equal((await funnel('?from=2020-01-01&to=2020-01-31')).sessions, 0)
})
