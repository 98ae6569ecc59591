/**
 * Parts by month: made ahead while payments continue, and removed whole. Chapter 80 §2, decisions/months#the-last-part-has-no-end,
 * decisions/months#keys-within-a-month and decisions/months#removal.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type TestDatabase, testDatabase } from '../../../test/database.ts'
import { applyOutside } from '../database/migrate-outside.ts'
import { paymentStore } from '../payments/payments.ts'
import { boundsFrom, lowestId, monthStart } from './month-bounds.ts'
import { monthsAhead, readParts } from './parts.ts'
import { missingMonths, prepareMonths } from './prepare.ts'
import { removeOldestMonth } from './removal.ts'
import { findObstacle } from './removal-obstacles.ts'
import { idIn, openingIn, partsOfPayment, successIn } from './testing/payments-in-months.ts'

const november = new Date('2026-11-17T10:00:00Z')
const december = new Date('2026-12-01T00:00:00Z')

let database: TestDatabase
let payments: ReturnType<typeof paymentStore>
beforeEach(async () => {
  database = await testDatabase()
  payments = paymentStore(database.pool)
})
afterEach(() => database.drop())

/** A settled payment with its callback. */
async function pay(moment: string): Promise<string> {
  const opening = openingIn(moment)
  assert.equal(await payments.open(opening), 'opened')
  assert.equal(await payments.settle(successIn(moment, opening)), 'settled')
  return opening.payment.id
}

const suffixes = async (): Promise<readonly string[]> => (await readParts(database.pool)).map(({ suffix }) => suffix)

test('bounds of months are identifiers of their first moment', () => {
  assert.match(lowestId(december), /^[0-9a-f]{8}-[0-9a-f]{4}-0000-0000-000000000000$/)
  assert.ok(lowestId(december) <= idIn('2026-12-01T00:00:00.000Z'))
  assert.ok(lowestId(december) > idIn('2026-11-30T23:59:59.999Z'))
  assert.deepEqual(boundsFrom(`FOR VALUES FROM (MINVALUE) TO ('${lowestId(december)}')`), { from: null, to: december })
  assert.throws(() => boundsFrom('DEFAULT'), /not months/)
  assert.equal(monthStart(new Date('2026-12-31T23:59:59Z'), 1).toISOString(), '2027-01-01T00:00:00.000Z')
})

test('the next two months are prepared, and a month that begins within days is not', () => {
  const parts = [{ suffix: 'first', from: null, to: null }]
  const missing = (now: string) => missingMonths(parts, new Date(now)).map((month) => month.toISOString().slice(0, 7))
  assert.deepEqual(missing('2026-11-17T10:00:00Z'), ['2026-12', '2027-01'])
  assert.deepEqual(missing('2026-11-30T10:00:00Z'), ['2027-01'])
})

test('a new instance has one part for all time, and payments of any month are in it', async () => {
  assert.deepEqual(await readParts(database.pool), [{ suffix: 'first', from: null, to: null }])
  for (const moment of ['2020-01-01T00:00:00Z', '2026-11-17T10:00:00Z', '2040-01-01T00:00:00Z']) await pay(moment)
})

test('rows of a payment are in the part of its month, also those written later', async () => {
  const before = await pay('2026-11-17T10:00:00Z')
  const prepared = await prepareMonths(database.pool, november)
  assert.deepEqual(prepared, { made: [december, new Date('2027-01-01T00:00:00Z')], obstacle: null })
  assert.deepEqual(await suffixes(), ['first', '2026_12', '2027_01'])
  assert.equal(monthsAhead(await readParts(database.pool), november), 2)
  const expected = {
    '2026-11-30T23:59:59Z': 'first',
    '2026-12-01T00:00:00Z': '2026_12',
    '2027-05-01T00:00:00Z': '2027_01',
  }
  for (const [moment, suffix] of Object.entries(expected)) {
    const tables = ['payments', 'transactions', 'ledger_entries', 'callbacks']
    assert.deepEqual(
      await partsOfPayment(database.pool, await pay(moment)),
      tables.map((table) => `months.${table}_${suffix}`),
    )
  }
  assert.equal((await partsOfPayment(database.pool, before)).length, 4, 'payments from before are found')
  assert.deepEqual(await prepareMonths(database.pool, november), { made: [], obstacle: null }, 'nothing is left to do')
})

test('a part has all rules of the table: keys, open transactions, postings of no transaction, append-only', async () => {
  await prepareMonths(database.pool, november)
  const id = await pay('2026-12-10T10:00:00Z')
  const { rows } = await database.pool.query<{ merchant_id: string; id: string }>(
    'select merchant_id, id from transactions where payment_id = $1',
    [id],
  )
  const [transaction] = rows
  const add = (other: string) =>
    database.pool.query(
      `insert into transactions (merchant_id, payment_id, id, type, state, amount_minor, mid_id, created_at)
       select merchant_id, payment_id, $3, 'CAPTURE', 'sent', 1, mid_id, created_at from transactions where payment_id = $1 and id = $2`,
      [id, transaction?.id, other],
    )
  await assert.rejects(add(transaction?.id ?? ''), { code: '23505' })
  await add(randomUUID())
  await assert.rejects(add(randomUUID()), { code: '23505' }, 'one open transaction')
  const post = (payment: string) =>
    database.pool.query(
      `insert into ledger_entries (merchant_id, payment_id, transaction_id, position, from_account, to_account, currency, amount_minor, at)
       values ($1, $2, $3, 9, 'payer', 'settled', 'EUR', 1, now())`,
      [transaction?.merchant_id, payment, randomUUID()],
    )
  await assert.rejects(post(id), { constraint: 'ledger_entries_merchant_id_payment_id_transaction_id_fkey' })
  await assert.rejects(database.pool.query('delete from ledger_entries where payment_id = $1', [id]), /append-only/)
})

test('a month that has payments already is not split off, and nothing changes', async () => {
  await pay('2026-12-24T10:00:00Z')
  assert.deepEqual(await prepareMonths(database.pool, november), { made: [], obstacle: 'rows beyond' })
  assert.deepEqual(await suffixes(), ['first'])
  await pay('2026-12-25T10:00:00Z')
})

test('while another session holds a lock nothing is split, and payments wait no longer than for a moment', async () => {
  const reader = await database.pool.connect()
  await reader.query('begin; lock table payments in access share mode')
  const preparing = prepareMonths(database.pool, november)
  const startedAt = performance.now()
  for (let count = 0; count < 10; count += 1) await pay('2026-11-17T10:00:00Z')
  assert.ok(performance.now() - startedAt < 3000)
  assert.deepEqual(await preparing, { made: [], obstacle: 'busy' })
  await reader.query('commit')
  reader.release()
  assert.deepEqual((await prepareMonths(database.pool, november))?.made.length, 2)
})

test('payments continue while months are split off', async () => {
  let isOver = false
  const paid: Promise<number>[] = Array.from({ length: 4 }, async () => {
    let count = 0
    for (; !isOver; count += 1) await pay(count % 2 === 0 ? '2026-11-17T10:00:00Z' : '2026-11-18T10:00:00Z')
    return count
  })
  await sleep(50)
  let prepared = await prepareMonths(database.pool, november)
  for (let tries = 0; prepared?.obstacle === 'busy' && tries < 20; tries += 1)
    prepared = await prepareMonths(database.pool, november)
  isOver = true
  const count = (await Promise.all(paid)).reduce((sum, one) => sum + one, 0)
  assert.equal(prepared?.obstacle, null)
  assert.ok(count > 4)
  const { rows } = await database.pool.query<{ count: number }>(
    `select count(*)::int from payments where status = 'SETTLED'`,
  )
  assert.equal(rows[0]?.count, count)
})

test('one of two processes prepares the months', async () => {
  const results = await Promise.all([1, 2].map(() => prepareMonths(database.pool, november)))
  assert.equal(results.filter((result) => result === null || result.made.length === 0).length, 1)
  assert.deepEqual(await suffixes(), ['first', '2026_12', '2027_01'])
})

test('a constraint that a dead process left is removed before the next attempt', async () => {
  await pay('2026-11-17T10:00:00Z')
  await database.pool.query(
    `alter table months.payments_first add constraint before_next_part check (id < '${lowestId(december)}') not valid`,
  )
  assert.equal((await prepareMonths(database.pool, november))?.obstacle, null)
  const { rows } = await database.pool.query(`select conname from pg_constraint where conname = 'before_next_part'`)
  assert.deepEqual(rows, [])
})

test('a migration builds and drops an index of all parts while they are used', async () => {
  await prepareMonths(database.pool, november)
  const client = await database.pool.connect()
  try {
    const text = 'create index concurrently if not exists payments_added on payments (merchant_id, channel)'
    for (let times = 0; times < 2; times += 1) await applyOutside(client, text, 5)
    const valid = await client.query(
      `select 1 from pg_index where indexrelid in (select inhrelid from pg_inherits where inhparent = 'payments_added'::regclass
       union all select 'payments_added'::regclass) and indisvalid`,
    )
    assert.equal(valid.rowCount, 4)
    await applyOutside(client, 'drop index concurrently if exists payments_added', 5)
    assert.equal((await client.query(`select to_regclass('payments_added') as found`)).rows[0]?.found, null)
  } finally {
    client.release()
  }
})

const removal = (before: string) => ({
  now: new Date('2030-01-01T00:00:00Z'),
  before: new Date(before),
  note: () => Promise.resolve(),
})

/** As the retention of payers leaves it. */
const erase = (id: string) =>
  database.pool.query(
    `with told as (update callbacks set state = 'delivered', next_at = null where payment_id = $1)
     update payments set erased_at = updated_at where id = $1`,
    [id],
  )

test('a month is removed when its payments are old, erased and over; other months stay', async () => {
  const old = await pay('2026-11-17T10:00:00Z')
  await prepareMonths(database.pool, november)
  const young = await pay('2026-12-10T10:00:00Z')
  await erase(old)
  assert.equal(await removeOldestMonth(database.pool, removal('2026-11-30T00:00:00Z')), null, 'the month is not over')
  assert.equal((await removeOldestMonth(database.pool, removal('2027-12-01T00:00:00Z')))?.payments, 1)
  assert.deepEqual(await suffixes(), ['2026_12', '2027_01'])
  assert.deepEqual(await partsOfPayment(database.pool, old), [])
  assert.equal((await partsOfPayment(database.pool, young)).length, 4)
  const { rows } = await database.pool.query(
    `select to_regclass('months.payments_first') as payments, to_regclass('months.ledger_entries_first') as entries`,
  )
  assert.deepEqual(rows, [{ payments: null, entries: null }])
  assert.equal(
    await removeOldestMonth(database.pool, removal('2027-12-01T00:00:00Z')),
    null,
    'the next month is not erased',
  )
})

test('a month stays while one of its payments is needed, and the reason is known', async () => {
  const id = await pay('2026-11-17T10:00:00Z')
  await prepareMonths(database.pool, november)
  const obstacle = async (): Promise<string | null> => {
    const [oldest] = await readParts(database.pool)
    return oldest ? findObstacle(database.pool, oldest, new Date('2027-12-01T00:00:00Z')) : assert.fail()
  }
  assert.equal(await obstacle(), 'payer data')
  await erase(id)
  assert.equal(await obstacle(), null)
  for (const [change, back, reason] of [
    [`updated_at = '2028-01-01'`, `updated_at = '2026-11-17'`, 'recent change'],
    [`status = 'PENDING'`, `status = 'SETTLED'`, 'running'],
    ['test = false', 'test = true', 'statement'],
  ]) {
    await database.pool.query(`update payments set ${change} where id = $1`, [id])
    assert.equal(await obstacle(), reason)
    await database.pool.query(`update payments set ${back} where id = $1`, [id])
  }
  await database.pool.query(
    `insert into disputes (merchant_id, id, payment_id, mid_id, reference, reason_code, amount_minor, currency, amount_decimals, stage, opened_at, changed_at)
     select merchant_id, gen_random_uuid(), id, mid_id, 'D-1', '10.4', 100, 'EUR', 2, 'chargeback', now(), now() from payments where id = $1`,
    [id],
  )
  assert.equal(await obstacle(), 'dispute')
})

test('a month that is needed after all returns: its payments changed while it was being removed', async () => {
  const id = await pay('2026-11-17T10:00:00Z')
  await erase(id)
  await prepareMonths(database.pool, november)
  await database.pool.query(
    `insert into month_removals (suffix, ends_before, payments, begun_at) values ('first', $1, 1, now())`,
    [december],
  )
  await database.pool.query(`update payments set status = 'PENDING' where id = $1`, [id])
  const before = await constraintsOf('months.payments_first')
  assert.equal(await removeOldestMonth(database.pool, removal('2027-12-01T00:00:00Z')), null)
  assert.deepEqual(await suffixes(), ['first', '2026_12', '2027_01'])
  assert.equal((await partsOfPayment(database.pool, id)).length, 4)
  assert.deepEqual(await constraintsOf('months.payments_first'), before)
  await database.pool.query(`update payments set status = 'SETTLED' where id = $1`, [id])
  assert.equal((await removeOldestMonth(database.pool, removal('2027-12-01T00:00:00Z')))?.suffix, 'first')
})

const constraintsOf = async (table: string): Promise<readonly string[]> =>
  (
    await database.pool.query<{ conname: string }>(
      'select conname from pg_constraint where conrelid = $1::regclass order by 1',
      [table],
    )
  ).rows.map(({ conname }) => conname)

test('an interrupted removal is completed, and payments do not wait for it', async () => {
  await erase(await pay('2026-11-17T10:00:00Z'))
  await prepareMonths(database.pool, november)
  await database.pool.query(
    `insert into month_removals (suffix, ends_before, payments, begun_at) values ('first', $1, 1, now())`,
    [december],
  )
  await database.pool.query('alter table callbacks detach partition months.callbacks_first')
  const reader = await database.pool.connect()
  await reader.query('begin; select 1 from payments limit 1')
  const removing = removeOldestMonth(database.pool, removal('2027-12-01T00:00:00Z'))
  await sleep(100)
  await pay('2026-12-10T10:00:00Z')
  await reader.query('commit')
  reader.release()
  assert.equal((await removing)?.suffix, 'first')
  assert.deepEqual(await suffixes(), ['2026_12', '2027_01'])
})
