/**
 * Settlements in a distributed database: the same differences and days as on one server, by statements that Citus runs. See
 * decisions/shards#rows-first.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { type TestDatabase, testDatabase } from '../../../test/database.ts'
import { isDistributed } from '../database/buckets.ts'
import { openPool, type Pool } from '../database/pool.ts'
import { splitByMerchant } from '../database/testing/shards.ts'
import { inTransaction } from '../database/transaction.ts'
import { idIn } from '../months/testing/payments-in-months.ts'
import { findMissing } from './missing-settlements.ts'
import { type ReconciledDay, reconciledDays } from './reconciled-days.ts'

const [mid, otherMid, file] = [randomUUID(), randomUUID(), randomUUID()]
const merchants = Array.from({ length: 4 }, () => randomUUID())

/** When each transaction ended, and the day on which the acquirer booked it; null if it has not. */
const cases = [
  { ended: '2026-03-01T00:00:00Z', booked: '2026-03-01' },
  { ended: '2026-03-01T23:59:59.999Z', booked: '2026-03-04' },
  { ended: '2026-03-02T00:00:00Z', booked: null },
  // The shards are asked week by week: the last moment of a week, and the first of the next.
  { ended: '2026-03-07T23:59:59.999Z', booked: null },
  { ended: '2026-03-08T00:00:00Z', booked: null },
  { ended: '2026-03-09T12:00:00Z', booked: null },
  { ended: '2026-03-15T23:59:59.999Z', booked: null },
  { ended: '2026-03-16T00:00:00Z', booked: null },
  { ended: '2026-03-05T12:00:00Z', booked: null, mid: otherMid },
  { ended: '2026-03-05T12:00:00Z', booked: null, test: true },
  { ended: '2026-03-05T12:00:00Z', booked: null, status: 'VOID' },
  { ended: '2026-03-05T12:00:00Z', booked: '2026-03-05', type: 'REFUND' },
  { ended: '2026-03-06T12:00:00Z', booked: '2026-03-06', isRemoved: true },
  { ended: null, booked: '2026-03-07' },
  // It failed here and was settled, or belongs to another MID: the row is on its own day.
  { ended: '2026-03-17T12:00:00Z', booked: '2026-03-18', state: 'fail' },
  { ended: '2026-03-17T12:00:00Z', booked: '2026-03-18', other: otherMid },
  // A chargeback whose money came back has a second movement, on another day.
  { ended: '2026-03-20T12:00:00Z', booked: '2026-03-21', type: 'CHARGEBACK', returned: true },
  { ended: '2026-03-25T12:00:00Z', booked: '2026-03-26', type: 'CHARGEBACK', returned: true, reversed: '2026-03-30' },
]
const settlements = merchants.flatMap((merchant) =>
  cases.map((one, index) => ({
    mid,
    test: false,
    status: 'SETTLED',
    type: 'SALE',
    state: 'success',
    returned: false,
    other: null,
    isRemoved: false,
    reversed: null,
    ...one,
    merchant,
    ref: `${merchant}-${index}`,
    payment: idIn('2026-03-01T00:00:00Z'),
    transaction: randomUUID(),
  })),
)
const rows = `json_to_recordset('${JSON.stringify(settlements)}') as given (merchant uuid, payment uuid, transaction uuid, mid uuid, test boolean,
  status text, type text, state text, returned boolean, reversed date, other uuid, "isRemoved" boolean, ended timestamptz, booked date, ref text)`
const texts = [
  `insert into payments (merchant_id, id, protocol, action, kind, status, test, holds, order_id, order_description, amount_minor, amount_decimals,
     currency, first_transaction, mid_id, created_at, updated_at)
   select merchant, payment, 'CHECKOUT', 'SALE', 'sale', status, test, false, 'O-1', 'A book', 1000, 2, 'EUR', transaction, mid, now(), now()
   from ${rows} where not "isRemoved"`,
  `insert into transactions (merchant_id, payment_id, id, type, state, amount_minor, mid_id, creditvoid_id, created_at, ended_at)
   select merchant, payment, transaction, type, case when ended is null then 'sent' else state end, 1000, coalesce(other, mid), case when type = 'REFUND' then transaction end, now(), ended
   from ${rows} where not "isRemoved"`,
  `insert into ledger_entries (merchant_id, payment_id, transaction_id, position, from_account, to_account, currency, amount_minor, at)
   select merchant, payment, transaction, position, case position when 1 then 'acquirer' else 'charged_back' end, 'settled', 'EUR', 1000, ended + (position - 1) * interval '3 days'
   from ${rows} cross join generate_series(1, 2) position where not "isRemoved" and ended is not null and state = 'success' and (position = 1 or returned)`,
  `insert into merchants (id, name, title, key, test_key, password_sealed, webhook_secrets_sealed, created_at)
   select merchant, 'merchant-' || merchant, 'M', merchant, gen_random_uuid(), '', '', now() from (select distinct merchant from ${rows}) whose`,
  `insert into settlement_files (id, mid_id, name, format, sha256, row_count, first_day, last_day, imported_by, imported_at)
   values ('${file}', '${mid}', 'a.csv', 'gatehouse', repeat('0', 64), 3, '2026-03-01', '2026-03-20', 'ann', now())`,
  `insert into settlement_rows (mid_id, ref, file_id, line, kind, currency, gross_minor, fee_minor, net_minor, booked_on, merchant_id, payment_id, transaction_id)
   select mid, ref, '${file}', 1, 'charge', 'EUR', 1000, 10, 990, booked, merchant, payment, transaction from ${rows} where booked is not null`,
  `insert into settlement_rows (mid_id, ref, file_id, line, kind, currency, gross_minor, fee_minor, net_minor, booked_on, merchant_id, payment_id, transaction_id)
   select mid, ref || '-reversed', '${file}', 1, 'chargeback-reversal', 'EUR', 1000, 0, 1000, reversed, merchant, payment, transaction
   from ${rows} where reversed is not null`,
  `insert into settlement_rows (mid_id, ref, file_id, line, kind, currency, gross_minor, fee_minor, net_minor, booked_on)
   values ('${mid}', 'unknown', '${file}', 2, 'charge', 'EUR', 500, 5, 495, '2026-03-08')`,
]

let plain: TestDatabase
let split: TestDatabase
let distributed: Pool
before(async () => {
  plain = await testDatabase()
  split = await testDatabase()
  await splitByMerchant(split.pool)
  for (const { pool } of [plain, split]) {
    await pool.query(`do $$ declare held record; begin
      for held in select conrelid::regclass as of, conname as name from pg_constraint where contype = 'f' and conrelid::regclass::text like 'settlement%' loop
        execute format('alter table %s drop constraint %I', held.of, held.name);
      end loop; end $$`)
    for (const text of texts) await pool.query(text)
  }
  distributed = openPool(split.url, { max: 2, applicationName: 'distributed' })
  assert.deepEqual([await isDistributed(plain.pool), await isDistributed(distributed)], [false, true])
})
after(async () => {
  await distributed.end()
  await split.drop()
  await plain.drop()
})

const noRest = { pause: () => Promise.resolve() }

async function missing(
  pool: Pool,
  range = { first: '2026-03-01', last: '2026-03-15' },
  pace = noRest,
): Promise<readonly unknown[]> {
  const one = { midId: mid, fileId: file, at: new Date('2026-04-01T00:00:00Z') }
  await inTransaction(pool, (client) => findMissing(client, one, [range], pace))
  const { rows: found } = await pool.query(
    `select day::text as day, merchant_id as merchant, transaction_id as id, kind, currency, ours_minor as ours from settlement_differences order by 1, 2, 3`,
  )
  return found
}

test('what the acquirer has not settled is found once, up to the last moment of the last day', async () => {
  const found = await missing(distributed)
  assert.deepEqual(found, await missing(plain.pool))
  assert.equal(found.length, 5 * merchants.length)
  assert.deepEqual(await missing(distributed), found)
})

test('a file that names days centuries away is compared in as many statements as one of a year', async () => {
  for (const pool of [plain.pool, distributed]) {
    let rests = 0
    const pace = {
      pause: async () => {
        rests += 1
      },
    }
    const found = await missing(pool, { first: '1926-03-01', last: '9999-12-31' }, pace)
    assert.equal(
      found.length,
      7 * merchants.length,
      'also what ended after the fifteenth, and the return that no row has settled',
    )
    assert.ok(rests > 100 && rests <= 1000, String(rests))
    rests = 0
    await missing(pool, { first: '2026-05-01', last: '2026-05-31' }, pace)
    assert.equal(rests, 0, 'days to come have no transactions')
  }
})

async function comparedDays(pool: Pool, from: string, to: string): Promise<readonly ReconciledDay[]> {
  const days: ReconciledDay[] = []
  for await (const portion of reconciledDays(pool, mid, from, to)) days.push(...portion.days)
  return days
}

test('days are compared as on one server, wherever the transaction of a row is, and if it has none any more', async () => {
  for (const [from, to] of [
    ['2026-03-01', '2026-03-31'],
    ['2026-03-01', '2026-03-01'],
    ['2026-03-04', '2026-03-04'],
    ['2026-03-06', '2026-03-08'],
  ] as const) {
    const days = await comparedDays(distributed, from, to)
    assert.deepEqual(days, await comparedDays(plain.pool, from, to), `${from} ${to}`)
  }
  const counts = (await comparedDays(distributed, '2026-03-01', '2026-03-31')).map(({ day, ours, theirs, matched }) => [
    day,
    ours,
    theirs,
    matched,
  ])
  const each = merchants.length
  assert.deepEqual(counts, [
    // A return has a day, and a row, of its own.
    ['2026-03-28', each, each, each],
    ['2026-03-25', each, each, each],
    ['2026-03-23', each, 0, 0],
    ['2026-03-20', each, each, each],
    ['2026-03-18', 0, 2 * each, 2 * each],
    ['2026-03-16', each, 0, 0],
    ['2026-03-15', each, 0, 0],
    ['2026-03-09', each, 0, 0],
    ['2026-03-08', each, 1, 0],
    ['2026-03-07', each, each, each],
    ['2026-03-06', 0, each, each],
    ['2026-03-05', each, each, each],
    ['2026-03-02', each, 0, 0],
    ['2026-03-01', 2 * each, 2 * each, 2 * each],
  ])
})
