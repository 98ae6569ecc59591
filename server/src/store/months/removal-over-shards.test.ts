/** Months of a distributed database are removed by statements that Citus executes. See decisions/shards#rows-first. */
import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { type TestDatabase, testDatabase } from '../../../test/database.ts'
import { openPool, type Pool } from '../database/pool.ts'
import { brokenRules } from '../database/testing/citus-rules.ts'
import { paymentStore } from '../payments/payments.ts'
import { merchantsText, sumsText } from './carried-balances.ts'
import { detach, detachTexts } from './detach.ts'
import { readParts } from './parts.ts'
import { prepareMonths } from './prepare.ts'
import { removeOldestMonth } from './removal.ts'
import { findObstacle, lastEntriesText, obstacleTexts } from './removal-obstacles.ts'
import { openingIn, partsOfPayment, successIn } from './testing/payments-in-months.ts'

const [november, december] = ['2026-11-17T10:00:00Z', '2026-12-10T10:00:00Z']
const before = new Date('2027-12-01T00:00:00Z')

let database: TestDatabase
let distributed: Pool
/** An erased payment of November, in the part `first`. */
let old: string
beforeEach(async () => {
  database = await testDatabase()
  await prepareMonths(database.pool, new Date(november))
  old = await pay(november)
  await database.pool.query(
    `with told as (update callbacks set state = 'delivered', next_at = null where payment_id = $1)
     update payments set erased_at = updated_at where id = $1`,
    [old],
  )
  await database.pool.query(`create table pg_dist_partition as select 'payments'::regclass as logicalrelid`)
  distributed = openPool(database.url, { max: 4, applicationName: 'distributed' })
})
afterEach(async () => {
  await distributed.end()
  await database.drop()
})

async function pay(moment: string): Promise<string> {
  const payments = paymentStore(database.pool)
  const opening = openingIn(moment)
  assert.equal(await payments.open(opening), 'opened')
  assert.equal(await payments.settle(successIn(moment, opening)), 'settled')
  return opening.payment.id
}

const removal = { now: before, before, note: async () => undefined }
const suffixes = async () => (await readParts(database.pool)).map(({ suffix }) => suffix)

test('a month goes with everything that belongs to it, and no part is detached concurrently', async (t) => {
  const young = await pay(december)
  await database.pool.query(`insert into payment_tags (merchant_id, payment_id, tag, author, tagged_at)
    select merchant_id, id, 'odd', 'ann', created_at from payments`)
  const client = await distributed.connect()
  const sending = t.mock.method(Object.getPrototypeOf(client), 'query')
  client.release()
  assert.equal((await removeOldestMonth(distributed, removal))?.payments, 1)
  assert.deepEqual(await suffixes(), ['2026_12', '2027_01'])
  assert.deepEqual(await partsOfPayment(database.pool, old), [])
  assert.equal((await partsOfPayment(database.pool, young)).length, 4)
  const { rows } = await database.pool.query('select payment_id as id from payment_tags')
  assert.deepEqual(rows, [{ id: young }])
  const sent = sending.mock.calls.map((call: { readonly arguments: readonly unknown[] }) => String(call.arguments[0]))
  assert.equal(sent.filter((text: string) => /detach partition months\.\w+$/.test(text)).length, 5)
  assert.deepEqual(
    sent.filter((text: string) => /concurrently|finalize/.test(text)),
    [],
  )
})

test('what is asked about a month runs over shards, and each statement is one command', () => {
  const texts = [
    ...obstacleTexts('first').map(([, text]) => text),
    lastEntriesText('first'),
    merchantsText('first'),
    sumsText('first'),
  ]
  const shown = texts.map((text) => text.replaceAll(/months\.(\w+)_first/g, '$1'))
  assert.deepEqual(shown.flatMap(brokenRules), [])
  assert.ok(shown.length > 9)
  for (const text of [...texts, ...detachTexts(['payments', 'callbacks'], 'first')]) assert.doesNotMatch(text, /;/)
})

test('what merchants are owed is carried forward from all shards, once', async () => {
  const { pool } = database
  await pool.query('update payments set test = false')
  const sums = (table: string) =>
    pool.query(
      `select merchant_id, currency, from_account, to_account, (at at time zone 'UTC')::date::text as day, sum(amount_minor)::text as sum
       from ${table} group by 1, 2, 3, 4, 5 order by 1, 3`,
    )
  const { rows: owed } = await sums('ledger_entries')
  assert.ok(owed.length > 0)
  await pool.query(
    `insert into statements (merchant_id, currency, first_day, last_day, id, opening_minor, sales_minor, refunds_minor, chargebacks_minor,
       payouts_minor, fees_minor, held_minor, released_minor, corrections_minor, paid_out_minor, closing_minor, reserve_minor, made_by, made_at)
     select merchant_id, 'EUR', '2026-11-01', '2026-12-31', gen_random_uuid(), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 'ann', now() from payments`,
  )
  const failing = { ...removal, note: () => Promise.reject(new Error('interrupted')) }
  await assert.rejects(removeOldestMonth(distributed, failing), /interrupted/)
  assert.deepEqual((await sums('account_entries')).rows, [])
  assert.equal((await removeOldestMonth(distributed, removal))?.suffix, 'first')
  assert.deepEqual((await sums('account_entries')).rows, owed)
})

test('payments do not wait for a month whose locks are not free: it is left alone, and goes later', async () => {
  const reader = await database.pool.connect()
  await reader.query('begin; select 1 from payments limit 1')
  assert.equal(await detach(distributed, ['payments'], 'first', 2), false)
  assert.deepEqual(await suffixes(), ['first', '2026_12', '2027_01'])
  const removing = removeOldestMonth(distributed, removal)
  await pay(december)
  await reader.query('commit')
  reader.release()
  assert.equal((await removing)?.suffix, 'first')
})

test('a month that is needed after all returns, with all its payments', async () => {
  await database.pool.query(
    `insert into month_removals (suffix, ends_before, payments, begun_at) values ('first', $1, 1, now())`,
    [new Date('2026-12-01T00:00:00Z')],
  )
  await database.pool.query(`update payments set status = 'PENDING' where id = $1`, [old])
  assert.equal(await removeOldestMonth(distributed, removal), null)
  assert.deepEqual(await suffixes(), ['first', '2026_12', '2027_01'])
  assert.equal((await partsOfPayment(database.pool, old)).length, 4)
  await database.pool.query(`update payments set status = 'SETTLED' where id = $1`, [old])
  assert.equal((await removeOldestMonth(distributed, removal))?.suffix, 'first')
})

test('a running plan, a deferred command, a waiting callback, a watch and an open entry keep their month', async () => {
  const needs = [
    [
      'running',
      `insert into subscriptions (merchant_id, id, chain_id, schedule_id, state, d, time_of_day, amount_minor, amount_decimals, plan, started_by, created_at)
       select merchant_id, id, id, id, 'running', '2026-11-17', '12:00', 1000, 2, '{}', id, created_at from payments`,
      'truncate subscriptions',
    ],
    [
      'running',
      `insert into deferred_commands (merchant_id, payment_id, command, due_at) select merchant_id, id, 'CAPTURE', created_at from payments`,
      'truncate deferred_commands',
    ],
    [
      'running',
      `update callbacks set state = 'due', next_at = created_at`,
      `update callbacks set state = 'delivered', next_at = null`,
    ],
    [
      'watch',
      `insert into transaction_watches (merchant_id, payment_id, transaction_id, next_at)
       select merchant_id, id, first_transaction, created_at from payments`,
      'truncate transaction_watches',
    ],
    ['statement', 'update payments set test = false', 'update payments set test = true'],
  ] as const
  await database.pool.query('update payments set chain_id = id')
  // A plan alone, without its chain and schedule.
  for (const column of ['chain', 'schedule'])
    await database.pool.query(`alter table subscriptions drop constraint subscriptions_merchant_id_${column}_id_fkey`)
  const obstacle = () => findObstacle(distributed, { suffix: 'first' }, before)
  assert.equal(await obstacle(), null)
  for (const [reason, change, back] of needs) {
    await database.pool.query(change)
    assert.equal(await obstacle(), reason, change)
    await database.pool.query(back)
  }
})

test('entries are on closed statements up to the last day of the newest, in their own currency', async () => {
  await database.pool.query('update payments set test = false')
  const close = (currency: string, day: string) =>
    database.pool.query(
      `insert into statements (merchant_id, currency, first_day, last_day, id, opening_minor, sales_minor, refunds_minor, chargebacks_minor,
         payouts_minor, fees_minor, held_minor, released_minor, corrections_minor, paid_out_minor, closing_minor, reserve_minor, made_by, made_at)
       select merchant_id, $1, $2::date, $2::date, gen_random_uuid(), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 'ann', now() from payments`,
      [currency, day],
    )
  const { rows } = await database.pool.query<{ day: string }>(
    `select (max(at) at time zone 'UTC')::date::text as day from ledger_entries`,
  )
  const day = rows[0]?.day ?? assert.fail()
  const dayBefore = new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10)
  const obstacle = () => findObstacle(distributed, { suffix: 'first' }, before)
  await close('USD', day)
  await close('EUR', dayBefore)
  assert.equal(await obstacle(), 'statement')
  await close('EUR', day)
  assert.equal(await obstacle(), null)
})
