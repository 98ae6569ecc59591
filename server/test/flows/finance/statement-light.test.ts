/** Chapter 70 §3: the light "statements add up to the ledger" while the comparison takes long, and if it cannot be finished. */
import assert from 'node:assert/strict'
import { after, before, mock, test } from 'node:test'
import { addDays } from '#domain/schedule/day.ts'
import { dayMs, hourMs, minuteMs, utcDay } from '#domain/time.ts'
import { checkNewestStatement } from '#server/panel/finance/statement-check.ts'
import { readMoneyChecksFor } from '#server/panel/payments/money-checks.ts'
import { openPool, type Pool } from '#server/store/database/pool.ts'
import { merchantId, panelOf } from '../../panel/admin.ts'
import { openShop, type Shop } from '../../shop.ts'

let shop: Shop
let demo: string
let firstClosed: string
let other: Pool
const warnings: string[] = []
const log = { debug() {}, info() {}, error() {}, warn: (_: object | string, text = '') => void warnings.push(text) }

before(async () => {
  shop = await openShop({}, ['back office'])
  demo = await merchantId(shop, 'demo')
  other = openPool(shop.base.databaseUrl, { max: 4, applicationName: 'test' })
  const finance = await panelOf(shop, { role: 'finance' })
  await shop.sale({ order_amount: '10.00' })
  firstClosed = utcDay(shop.base.clock.now())
  await shop.advance(dayMs + hourMs)
  assert.equal((await finance.post('/statements', { lastDay: firstClosed })).body.closed, 1)
})
after(async () => {
  mock.restoreAll()
  await other.end()
  await shop[Symbol.asyncDispose]()
})

const check = (pool: Pool) => checkNewestStatement({ pool, clock: shop.base.clock, log }, [demo])

/** Meanwhile nothing of the ledger can be read. */
async function whileLedgerWaits<T>(work: () => Promise<T>): Promise<T> {
  const client = await shop.base.pool.connect()
  try {
    await client.query('begin')
    await client.query('lock table account_entries in access exclusive mode')
    return await work()
  } finally {
    await client.query('rollback')
    client.release()
  }
}

/** As far as the age of a comparison is concerned. */
function passMinutes(minutes: number): void {
  const now = performance.now.bind(performance)
  mock.method(performance, 'now', () => now() + minutes * minuteMs)
}

test('while the next comparison takes long, the last one is shown with its time', async () => {
  const { pool } = shop.base
  const first = (await check(pool)) ?? (await check(pool))
  assert.ok(first?.kind === 'compared')
  assert.deepEqual([first.checked, first.faults], [1, []])
  await shop.advance(hourMs)
  passMinutes(11)
  assert.deepEqual(await whileLedgerWaits(() => check(pool)), first)
  let next = await check(pool)
  while (next === first) next = await check(pool)
  assert.ok(next?.kind === 'compared' && next.at > first.at)
})

test('a comparison that cannot be finished is a light that is not green, and is repeated later', async () => {
  const rename = (from: string, to: string) => shop.base.pool.query(`alter table ${from} rename to ${to}`)
  await rename('account_entries', 'unreadable')
  let failed = await check(other)
  while (failed === null) failed = await check(other)
  await rename('unreadable', 'account_entries')
  assert.deepEqual(failed, { kind: 'failed', at: null })
  assert.deepEqual(warnings, ['The statements could not be compared with the ledger.'])
  const { clock } = shop.base
  const everything = { permissions: new Set<never>(), merchants: 'all' } as const
  const wish = { from: new Date(clock.now().getTime() - dayMs), to: clock.now(), merchantId: demo, mode: null }
  const { ok, checks } = await readMoneyChecksFor({ pool: other, clock, log, sandboxUrl: null }, everything, wish)
  const light = checks.find(({ name }) => name === 'statements')
  assert.deepEqual([ok, light?.ok, light?.checked], [false, false, 0])
  assert.match(light?.failure ?? '', /repeated after ten minutes/)
  passMinutes(22)
  assert.equal((await check(other))?.kind, 'compared')
})

test('a currency that appears after a closing has a statement from the day after it', async () => {
  const finance = await panelOf(shop, { role: 'finance' })
  await shop.sale({ order_amount: '500', order_currency: 'JPY' })
  const lastDay = utcDay(shop.base.clock.now())
  await shop.advance(dayMs + hourMs)
  assert.equal((await finance.post('/statements', { lastDay })).body.closed, 2)
  const { statements } = (await finance.get('/statements')).body
  const yen = statements.find((one: { currency: string }) => one.currency === 'JPY')
  assert.deepEqual([yen.firstDay, yen.salesMinor], [addDays(firstClosed, 1), '500'])
})
