import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Pool } from '#server/store/database/pool.ts'
import { readParts } from '#server/store/months/parts.ts'
import { openingIn, successIn } from '#server/store/months/testing/payments-in-months.ts'
import { findMoneyFaults } from '#server/store/payments/money-checks.ts'
import { paymentStore } from '#server/store/payments/payments.ts'
import { searchPayments } from '#server/store/payments/search/payment-search.ts'
import { summarisePayments } from '#server/store/payments/summaries/payment-summaries.ts'
import { testDatabase } from '../../server/test/database.ts'
import { addMerchants } from '../search/search-payments.ts'
import { sampleNames, sampleOrder } from './copies.ts'
import { fillMonths } from './fill.ts'
import type { History } from './history.ts'
import { type FillState, readState } from './kept-instance.ts'
import { splitMonths } from './prepare-instance.ts'
import { forgetSummaries } from './summaries.ts'

const database = await testDatabase()
after(() => database.drop())
const { pool } = database
const folder = await mkdtemp(join(tmpdir(), 'gatehouse-fill-test-'))
after(() => rm(folder, { recursive: true, force: true }))

const now = new Date('2026-02-20T12:00:00Z')
const payments = 500
const history: History = {
  firstMs: Date.parse('2026-01-01T00:00:00Z'),
  stepMs: Math.floor((now.getTime() - Date.parse('2026-01-01T00:00:00Z')) / payments),
  payments,
  oldest: 0,
}
const most = '00000000-0000-4000-8000-0000000000d1'

async function prepare(): Promise<FillState> {
  const parts = await splitMonths(pool, history, now)
  const store = paymentStore(pool)
  for (const name of sampleNames) {
    const opening = openingIn('2026-02-20T12:00:00Z', {
      merchantId: most,
      orderId: sampleOrder(name),
      facts: { network: 'visa' },
      createdAt: now,
    })
    assert.equal(await store.open(opening), 'opened')
    assert.equal(await store.settle(successIn('2026-02-20T12:00:00Z', opening)), 'settled')
  }
  await pool.query("update callbacks set state = 'delivered', next_at = null, ended_at = created_at")
  await pool.query('update transactions set ask_at = null')
  await addMerchants(pool)
  const mids: [string, string] = ['00000000-0000-4000-8000-0000000000a1', '00000000-0000-4000-8000-0000000000a2']
  return { history, most, mids, parts, isReady: false }
}

const everything = { from: new Date('2026-01-01'), to: new Date('2027-01-01'), merchantIds: null, mode: null }

test('filled payments are found, their money adds up, and the tables are as before, also if the fill was continued', async () => {
  const state = await prepare()
  const before = await definitionsOf(pool)
  const lines: string[] = []
  const print = (line: string): number => lines.push(line)
  await fillMonths({ folder, jobs: 1, print, state: { ...state, parts: state.parts.slice(1) }, pool })
  const filled = await fillMonths({ folder, jobs: 2, print, state, pool })
  assert.deepEqual([filled.isReady, filled.history.oldest], [true, 0])
  assert.deepEqual(await definitionsOf(pool), before)

  const { lookedAt, faults } = await findMoneyFaults(pool, everything)
  assert.deepEqual([lookedAt.payments, lookedAt.transactions, faults], [payments + 4, payments + 4, []])
  const found = await searchPayments(pool, { orderId: 'ORDER-250' }, null, 10)
  assert.deepEqual(
    found.map(({ orderId, createdAt }) => [orderId, createdAt.getTime()]),
    [['ORDER-250', history.firstMs + 250 * history.stepMs]],
  )
  assert.equal((await searchPayments(pool, { merchantId: most, currency: 'GBP' }, null, 10)).length, 10)

  const { rows } = await pool.query<Record<string, string>>(
    `select (select count(*) from payments) as payments, (select count(*) from callbacks) as callbacks,
       (select count(*) from payment_tags) as tags, (select sum(payments) from payment_summaries
         where dimension = 'total' and merchant_id = '00000000-0000-0000-0000-000000000000') as counted,
       (select count(distinct tableoid) from payments) as parts`,
  )
  assert.deepEqual(
    Object.entries(rows[0] ?? {}).map(([name, value]) => [name, Number(value)]),
    [
      ['payments', payments + 4],
      ['callbacks', payments + 4],
      ['tags', 0],
      ['counted', payments],
      ['parts', 2],
    ],
  )
  assert.deepEqual(await summariesOf(pool), await countedByTheWorker(pool))
  assert.ok(lines.some((line) => line.includes(`${payments} of ${payments} payments, 100 %`)))
  assert.equal((await readState(folder))?.isReady, true)
})

const summariesOf = async (on: Pool): Promise<readonly unknown[]> =>
  (await on.query('select * from payment_summaries order by merchant_id, test, dimension, day, value, currency')).rows

async function countedByTheWorker(on: Pool): Promise<readonly unknown[]> {
  await forgetSummaries(on)
  await on.query("update payments set created_at = '2027-01-01' where order_id like 'SAMPLE-%'")
  const end = new Date(now.getTime() + 600_000)
  for (let until = 0; until < end.getTime() - 120_000; ) until = (await summarisePayments(on, end))?.getTime() ?? until
  return await summariesOf(on)
}

/** Indexes, keys and bounds of every part, without names that the server chose. */
async function definitionsOf(on: Pool): Promise<readonly string[]> {
  const { rows } = await on.query<{ definition: string }>(
    `select regexp_replace(pg_get_indexdef(i.indexrelid), 'INDEX \\S+', 'INDEX') as definition
     from pg_index i join pg_class c on c.oid = i.indrelid where c.relnamespace = 'months'::regnamespace
     union all select c.relname || ' ' || pg_get_constraintdef(k.oid) from pg_constraint k join pg_class c on c.oid = k.conrelid
     where c.relnamespace = 'months'::regnamespace
     union all select c.relname || ' ' || t.tgname from pg_trigger t join pg_class c on c.oid = t.tgrelid
     where c.relnamespace = 'months'::regnamespace and not t.tgisinternal order by 1`,
  )
  const parts = await readParts(on)
  return [...rows.map(({ definition }) => definition), ...parts.map((part) => JSON.stringify(part))]
}
