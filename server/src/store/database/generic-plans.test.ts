/**
 * How statements find their rows under a generic plan.
 *
 * A prepared statement keeps the plan of its first runs until its tables are analysed. On a new instance those runs see nearly empty
 * tables, where all indexes look equal; minutes later each run might read all rows of the merchant.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { insertCallback, insertPayment, madeAt } from '../../../test/callbacks/callback-rows.ts'
import { type TestDatabase, testDatabase } from '../../../test/database.ts'
import { newOpening } from '../../../test/opening-rows.ts'
import { success } from '../../../test/outcome-records.ts'
import { callbackRows } from '../callbacks/callbacks.ts'
import { cardStore } from '../payments/cards.ts'
import { paymentStore } from '../payments/payments.ts'
import { chainStore } from '../plans/chains.ts'
import { chargeReads } from '../plans/charge-reads.ts'
import { fireTogether } from '../plans/firing-groups.ts'
import { planStore } from '../plans/plans.ts'
import { scheduleStore } from '../plans/schedules.ts'
import { openPool, type Pool } from './pool.ts'

let database: TestDatabase
/** One connection, so that the queries below see its prepared statements. */
let pool: Pool
before(async () => {
  database = await testDatabase()
  pool = openPool(database.url, { max: 1, applicationName: 'plans' })
  const rows = callbackRows(pool)
  await insertCallback(pool, await insertPayment(pool), { url: 'https://shop.example/notify' })
  const [claimed] = await rows.claim(madeAt, 1, 60)
  assert.ok(claimed)
  const attempt = { at: madeAt, durationMs: 1, httpStatus: 200, answer: 'OK', fault: null, acknowledged: true }
  await rows.settle(claimed, attempt, { state: 'delivered' })
  await planStore(pool).claim(madeAt, 1, 60)
  const payments = paymentStore(pool)
  await payments.findNewestOfCascade(claimed.merchantId, claimed.paymentId)
  const openings = [newOpening(), newOpening(), newOpening()]
  await Promise.all(openings.map((opening) => payments.open(opening)))
  await Promise.all(openings.map((opening) => payments.settle(success(opening))))
  await fireTogether(pool, [])
  const stores = { payments, chains: chainStore(pool), schedules: scheduleStore(pool), cards: cardStore(pool) }
  for (const { find } of Object.values(chargeReads(pool, stores))) await find(claimed.merchantId, claimed.paymentId)
})
after(async () => {
  await pool.end()
  await database.drop()
})

/** Plan nodes that read a whole table, or all rows of a merchant. */
async function readsTooMuch(name: string): Promise<readonly string[]> {
  const prepared = await pool.query<{ statement: string }>(
    'select statement from pg_prepared_statements where name = $1',
    [name],
  )
  const text = prepared.rows[0]?.statement
  assert.ok(text, `${name} was never prepared`)
  const { rows } = await pool.query<Record<'QUERY PLAN', string>>(`explain (generic_plan) ${text}`)
  const lines = rows.map((row) => row['QUERY PLAN'].trim())
  return lines.filter(
    (line, index) =>
      /Seq Scan on (?:callbacks|callback_attempts|payments|transactions|subscriptions|schedules|chains|cards)/.test(
        line,
      ) ||
      (/ on (?:callbacks|payments|transactions|subscriptions|schedules|chains|cards)/.test(line) &&
        /^Index Cond: \(merchant_id = [^ ]+\)$/.test(lines[index + 1] ?? '')),
  )
}

for (const name of [
  'callback.claim',
  'callback.settle',
  'callback.bring-forward',
  'subscription.claim',
  'subscription.fire-group',
  'payment.find-group',
  'chain.find-group',
  'schedule.find-group',
  'card.find-group',
  'payment.newest-of-cascade',
  'transaction.settle-group',
]) {
  test(`${name} uses a whole key, even if it is planned while its tables are empty`, async () => {
    assert.deepEqual(await readsTooMuch(name), [])
  })
}
