/**
 * Chapter 70 §3 and decisions/statements#removed-months: what merchants are owed, are kept in reserve and were charged does not change when
 * retention removes a month of payments.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { dayMs, hourMs } from '#domain/time.ts'
import { findStatementFaults } from '#server/panel/finance/statements.ts'
import { marginStore } from '#server/store/finance/margin.ts'
import { bookPeriodicCharges } from '#server/store/finance/periodic-charges.ts'
import { prepareMonths } from '#server/store/months/prepare.ts'
import { removeOldestMonth } from '#server/store/months/removal.ts'
import { merchantId, type PanelClient, panelOf } from '../../panel/admin.ts'
import { openShop, type Shop } from '../../shop.ts'

const iban = 'DE89370400440532013000'
const reserveDays = 150

let shop: Shop
let finance: PanelClient
let colleague: PanelClient
let demo: string
before(async () => {
  shop = await openShop({}, ['back office'])
  finance = await panelOf(shop, { role: 'finance' })
  colleague = await panelOf(shop, { role: 'finance' })
  demo = await merchantId(shop, 'demo')
})
after(() => shop[Symbol.asyncDispose]())

const now = (): Date => shop.base.clock.now()
const today = (days = 0): string => new Date(now().getTime() + days * dayMs).toISOString().slice(0, 10)
const approve = async (approvalId: string) => {
  const answer = await colleague.post(`/approvals/${approvalId}/approve`, {})
  assert.equal(answer.body.state, 'done', answer.text)
}
const sell = async (amount: string): Promise<string> => {
  const sale = await shop.sale({ order_amount: amount })
  assert.equal(sale.body.result, 'SUCCESS', sale.text)
  return String(sale.body.trans_id)
}
const close = async () => assert.equal((await finance.post('/statements', { lastDay: today(-1) })).http, 200)
const account = async (period = '') => {
  const { accounts } = (await finance.get(`/merchants/${demo}/accounts${period}`)).body
  return accounts.find(({ currency }: { currency: string }) => currency === 'EUR')
}
const payOut = async () => {
  const from = { holder: 'Operator', number: iban, bic: null }
  const run = await finance.post('/payout-runs', { currency: 'EUR', from, executeOn: today(), reason: 'payout' })
  assert.equal(run.http, 200, run.text)
  await approve(run.body.approvalId)
  return (await finance.get(`/payout-runs/${run.body.id}`)).body.totalMinor
}

/** As the retention of payers leaves them. */
const eraseAll = () =>
  shop.base.pool.query(
    `with told as (update callbacks set state = 'delivered', next_at = null where state = 'due')
     update payments set erased_at = updated_at where erased_at is null`,
  )

/** The month of the first sales is over long enough; those of the last week stay. */
const removeMonth = (note: () => Promise<void> = () => Promise.resolve()) =>
  removeOldestMonth(shop.base.pool, {
    now: now(),
    before: new Date(now().getTime() - 3 * dayMs),
    note,
  })

/** The first days of sales, of which a refund is made a month later. */
let firstDays: { readonly from: string; readonly to: string }

test('two months of sales with fees, a reserve, a refund in the month after, statements and a payout', async () => {
  await prepareMonths(shop.base.pool, now())
  const rules = [{ kinds: ['sale'], currency: 'EUR', fixedMinor: '100' }]
  const list = { validFrom: today(), country: 'DE', rules, monthly: [{ currency: 'EUR', amountMinor: '10' }] }
  const answer = await finance.post(`/merchants/${demo}/price-lists`, {
    ...list,
    reserve: { share: 100_000, days: reserveDays },
  })
  assert.equal(answer.http, 200, answer.text)
  const request = await finance.send('PUT', `/merchants/${demo}/payout-accounts/EUR`, {
    holder: 'Demo Ltd',
    number: iban,
    reason: 'by signed letter',
  })
  await approve(request.body.approvalId)
  await shop.service.configuration.refresh()
  const first = await sell('100.00')
  firstDays = { from: today(), to: today(1) }
  await shop.advance(dayMs)
  await sell('50.00')
  await shop.sale({ order_amount: '77.00' }, { mode: 'test' })
  await shop.advance(31 * dayMs)
  const refund = await finance.post(`/merchants/${demo}/payments/${first}/refund`, {
    amountMinor: '4000',
    reason: 'returned',
  })
  assert.equal(refund.http, 200, refund.text)
  await bookPeriodicCharges(shop.base.pool, now())
  await shop.advance(dayMs + hourMs)
  await close()
  await payOut()
  await shop.advance(10 * dayMs)
  await sell('30.00')
  await shop.advance(dayMs + hourMs)
  await close()
  await shop.service.awaitIdle()
})

test('balances, fees and the statement light do not change when a month is removed, and none is shown without it meanwhile', async () => {
  const { pool } = shop.base
  const read = async () => {
    const margin = await marginStore(pool).sumCharges(demo, new Date(0), new Date(now().getTime() + 1))
    return {
      account: await account(),
      firstDays: await account(`?from=${firstDays.from}&to=${firstDays.to}`),
      light: await findStatementFaults({ pool }, null),
      sales: margin.reduce((sum, { salesMinor }) => sum + salesMinor, 0n),
      fees: margin.reduce((sum, { feesMinor }) => sum + feesMinor, 0n),
    }
  }
  const before = await read()
  const { payableMinor, paidOutMinor, reserveMinor } = before.account
  assert.deepEqual([before.light, reserveMinor], [{ checked: 1, faults: [] }, '1800'])
  assert.deepEqual([before.firstDays.receivableMinor, before.sales], ['15000', 18_000n])
  await eraseAll()
  await assert.rejects(
    removeMonth(() => Promise.reject(new Error('interrupted'))),
    /interrupted/,
  )
  assert.equal(await findStatementFaults({ pool }, null), null)
  const refused = await finance.get(`/merchants/${demo}/accounts`)
  assert.deepEqual([refused.http, /Try again/.test(refused.text)], [409, true])
  assert.equal(await payOut(), payableMinor, 'the statement is paid nevertheless')

  assert.equal((await removeMonth())?.payments, 3)
  const paidOut = String(BigInt(paidOutMinor) + BigInt(payableMinor))
  assert.deepEqual(await read(), {
    ...before,
    account: { ...before.account, payableMinor: '0', paidOutMinor: paidOut },
  })
  const { rows } = await pool.query(
    `select from_account || ' to ' || to_account || ' ' || amount_minor as entry from account_entries where source = $1 order by position`,
    [`month first ${firstDays.from}`],
  )
  const entries = ['payable to fees 100', 'payable to reserve 1000', 'payer to settled 10000']
  assert.deepEqual(
    rows.map(({ entry }) => entry),
    entries,
  )
})

test('the reserve of a removed month is released when its days are over, and not while another month is being removed', async () => {
  const { pool } = shop.base
  await pool.query(
    `insert into month_removals (suffix, ends_before, payments, begun_at) values ('2026_01', '2026-02-01', 1, now())`,
  )
  await shop.advance(reserveDays * dayMs)
  await bookPeriodicCharges(pool, now())
  const released = await pool.query(`select source from account_entries where from_account = 'reserve'`)
  assert.deepEqual(released.rows, [])
  await pool.query(`delete from month_removals where suffix = '2026_01'`)
  await bookPeriodicCharges(pool, now())
  await bookPeriodicCharges(pool, now())
  assert.equal((await account()).reserveMinor, '0')
  await shop.advance(dayMs + hourMs)
  await close()
  assert.deepEqual((await findStatementFaults(shop.base, null))?.faults, [])
  assert.ok(BigInt(await payOut()) > 0n, 'what was released is paid out')
})
