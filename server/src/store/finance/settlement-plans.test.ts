/**
 * How the statements of settlements find their rows: an import or a page takes as long after ten million payments as after ten thousand.
 * See decisions/settlement#missing-transactions.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openShop, type Shop } from '../../../test/shop.ts'
import { openPool, type Pool, type PoolClient, type Queryable } from '../database/pool.ts'
import { inTransaction } from '../database/transaction.ts'
import { readByIndexAlone } from './by-index-alone.ts'
import { reconciledDays } from './reconciled-days.ts'
import { settlementCandidates } from './settlement-candidates.ts'
import { settlementImport } from './settlement-import.ts'
import { settlementStore } from './settlements.ts'

let shop: Shop
let pool: Pool
let midId: string
before(async () => {
  shop = await openShop()
  const { trans_id } = (await shop.sale({})).body
  // One connection, so that the plans are those of its prepared statements.
  pool = openPool(shop.base.databaseUrl, { max: 1, applicationName: 'plans', plansOnce: true })
  midId = (await pool.query("select id from mids where name = 'sandbox-live'")).rows[0].id
  await copyPayment(trans_id)
})
after(async () => {
  await pool.end()
  await shop[Symbol.asyncDispose]()
})

/** Few rows would be read faster without an index. */
const copies = 3000

/** Copies with entries on as many days, and a row of a settlement file for each. */
async function copyPayment(id: string): Promise<void> {
  const copied = async (table: string, key: string, changes: string): Promise<void> => {
    await pool.query(
      `insert into ${table} select (jsonb_populate_record(one, jsonb_build_object(${changes}))).* from ${table} one
         cross join (select n, lpad(to_hex(n), 8, '0') || '-0000-7000-8000-000000000000' as id from generate_series(1, ${copies}) n) copy
       where one.${key} = $1`,
      [id],
    )
    await pool.query(`analyze ${table}`)
  }
  await copied('payments', 'id', "'id', copy.id, 'alone_in_order', false")
  await copied('transactions', 'payment_id', "'payment_id', copy.id, 'id', copy.id")
  await copied(
    'ledger_entries',
    'payment_id',
    "'payment_id', copy.id, 'transaction_id', copy.id, 'at', one.at - copy.n * interval '1 day'",
  )
  await inTransaction(pool, async (client) => {
    await importFile(client, 'a')
    await client.query(
      `insert into settlement_rows (mid_id, ref, file_id, line, kind, currency, gross_minor, fee_minor, net_minor, booked_on, transaction_id)
       select f.mid_id, 'R' || n, f.id, n, 'charge', 'EUR', 10, 0, 10, current_date, gen_random_uuid()
       from settlement_files f cross join generate_series(1, ${copies}) n`,
    )
  })
}

async function beginFile(client: PoolClient, letter: string): Promise<ReturnType<typeof settlementImport>> {
  const at = shop.base.clock.now()
  const one = settlementImport(client, midId, shop.base.ids.next())
  await one.lock()
  const sha256 = letter.repeat(64)
  await one.begin({ name: `${letter}.csv`, format: 'common', sha256, importedBy: 'a test', importedAt: at })
  return one
}

async function importFile(client: PoolClient, letter: string): Promise<void> {
  const one = await beginFile(client, letter)
  await one.finish(
    { rowCount: 0, matched: 0, firstDay: `2026-01-0${letter === 'a' ? 5 : 1}`, lastDay: '2026-01-20' },
    shop.base.clock.now(),
    { pause: () => Promise.resolve() },
  )
}

async function planOf(on: Queryable, name: string): Promise<readonly string[]> {
  const { rows } = await on.query(`select statement from pg_prepared_statements where name = '${name}'`)
  assert.ok(rows[0]?.statement, `${name} was never prepared`)
  const plan = await on.query(`explain (generic_plan) ${rows[0].statement}`)
  return plan.rows.map((row) => row['QUERY PLAN'].trim())
}

/** The indexes with which a table is read, each with its condition. */
const readsOf = (plan: readonly string[], table: string): readonly string[] =>
  plan.flatMap((line, at) => {
    const [, index] = new RegExp(`Scan using (\\w+) on ${table}(?:_first)? `).exec(line) ?? []
    return index === undefined ? [] : [`${index} ${plan[at + 1]}`]
  })

const readOf = (plan: readonly string[], table: string): string => readsOf(plan, table)[0] ?? 'no index'

test('transactions without a row are looked for by the ledger’s time, and all else by whole keys', async () => {
  await inTransaction(pool, (client) => importFile(client, 'b'))
  const plan = await planOf(pool, 'settlement.find-missing')
  assert.doesNotMatch(plan.join('\n'), /Seq Scan|Hash Join|Merge Join/)
  assert.match(
    readOf(plan, 'ledger_entries'),
    /^ledger_entries_at Index Cond: .*merchant_id = ANY .* \(at >= .* \(at < /,
  )
  assert.match(readOf(plan, 'transactions'), /^transactions_pkey Index Cond: .*merchant_id = .* \(payment_id = /)
  assert.match(readOf(plan, 'payments'), /^payments_pkey Index Cond: .*merchant_id = .* \(id = /)
  assert.match(readOf(plan, 'settlement_rows'), /^settlement_rows_transaction Index Cond: \(transaction_id = /)
})

test('the first file looks up what was settled or posted before by the transaction, although its table is known to be empty when the plan is made', async () => {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query('truncate settlement_rows cascade')
    await client.query('analyze settlement_rows')
    await beginFile(client, 'c')
    const charge = { transactionId: lastId, kind: 'charge' } as const
    assert.deepEqual(await settlementCandidates(client, midId).listSettledBefore([charge]), [])
    await resolveMissing(client, 1, true)
    assert.deepEqual(await settlementCandidates(client, midId).listSettledBefore([charge]), [charge])
    const ofAny = await planOf(client, 'settlement.any-posted')
    assert.match(readOf(ofAny, 'settlement_differences'), /^settlement_differences_\w+ Index Cond: .*mid_id = /)
    assert.match(readOf(ofAny, 'book_entries'), /^book_entries_pkey Index Cond: \(\(source = /)
    const plan = await planOf(client, 'settlement.settled-before')
    assert.match(
      readOf(plan, 'settlement_rows'),
      /^settlement_rows_transaction Index Cond: \(transaction_id = given.id\)/,
    )
    const ofPostings = await planOf(client, 'settlement.posted-before')
    assert.doesNotMatch(ofPostings.join('\n'), /Seq Scan|Hash Join|Merge Join/)
    assert.match(
      readOf(ofPostings, 'settlement_differences'),
      /^settlement_differences_once Index Cond: .*mid_id = .*kind = .*transaction_id/,
    )
    assert.match(readOf(ofPostings, 'book_entries'), /^book_entries_pkey Index Cond: \(\(source = /)
  } finally {
    await client.query('rollback')
    client.release()
  }
})

test('a posting is found however many differences of the MID were resolved without one', async () => {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await resolveMissing(client, copies, false)
    await resolveMissing(client, 1, true)
    await beginFile(client, 'e')
    const charge = { transactionId: lastId, kind: 'charge' } as const
    assert.deepEqual(await settlementCandidates(client, midId).listSettledBefore([charge]), [charge])
  } finally {
    await client.query('rollback')
    client.release()
  }
})

/** The last in the order of the index. */
const lastId = 'ffffffff-ffff-7fff-bfff-ffffffffffff'

async function resolveMissing(client: PoolClient, count: number, isPosted: boolean): Promise<void> {
  await client.query(
    `with resolved as (
       insert into settlement_differences (id, mid_id, day, kind, currency, transaction_id, file_id, found_at, resolved_at, note)
       select gen_random_uuid(), $1, current_date, 'missing-there', 'EUR', case when $3 then $4::uuid else gen_random_uuid() end, f.id, now(), now(), 'done'
       from (select id from settlement_files where mid_id = $1 limit 1) f cross join generate_series(1, $2::int)
       returning id, mid_id
     ) insert into book_entries (source, position, mid_id, from_account, to_account, currency, amount_minor, on_day, at)
     select 'difference ' || id, 0, mid_id, 'acquirer', 'differences', 'EUR', 10, current_date, now() from resolved where $3`,
    [midId, count, isPosted, lastId],
  )
}

test('what was missing is resolved by the rows of each missing transaction, whatever the size of the file', async () => {
  await pool.query('analyze settlement_rows')
  await inTransaction(pool, async (client) => (await beginFile(client, 'd')).resolveArrived(shop.base.clock.now()))
  const plan = await planOf(pool, 'settlement.resolve-arrived')
  assert.match(
    readOf(plan, 'settlement_rows'),
    /^settlement_rows_transaction Index Cond: \(transaction_id = m.transaction_id\)/,
  )
  assert.match(readsOf(plan, 'settlement_differences').at(-1) ?? '', /^settlement_differences_/)
})

test('the open differences of a file are counted by an index', async () => {
  await settlementStore(pool).list(null, null, 10)
  await pool.query(
    `insert into settlement_differences (id, mid_id, day, kind, currency, ref, file_id, found_at)
     select gen_random_uuid(), f.mid_id, current_date, 'late', 'EUR', f.id || ' ' || n, f.id, now() from settlement_files f cross join generate_series(1, ${copies}) n`,
  )
  await pool.query('analyze settlement_differences')
  const plan = await planOf(pool, 'settlement.list')
  assert.match(plan.join('\n'), /Scan using settlement_differences_file on settlement_differences/)
})

test('days are compared by the ledger’s time and the days of rows, whatever there is before them, and all else by whole keys', async () => {
  for await (const _ of reconciledDays(pool, midId, '2026-01-01', '2026-01-02')) break
  await pool.query('analyze settlement_rows')
  const plan = await inTransaction(pool, async (client) => {
    await readByIndexAlone(client)
    return planOf(client, 'reconciled-day.list')
  })
  assert.doesNotMatch(plan.join('\n'), /Seq Scan|Hash Join|Merge Join/)
  const byTime = /^ledger_entries_at Index Cond: .*merchant_id = ANY .* \(at >= .* \(at < /
  const byKey = /^ledger_entries_pkey Index Cond: .*merchant_id = .* \(payment_id = .* \(transaction_id = /
  // biome-ignore format: a table is read in columns.
  const expected: Readonly<Record<string, readonly RegExp[]>> = {
    ledger_entries:         [byTime, byKey, byKey, byKey],
    transactions:           [/^transactions_pkey Index Cond: .*payment_id = .* \(id = /, /^transactions_pkey Index Cond: .*payment_id = .* \(id = /],
    payments:               [/^payments_\w+ Index Cond: .*\bid = /],
    settlement_rows:        [/^settlement_rows_booked Index Cond: .*mid_id = .* \(booked_on >= .* \(booked_on <= /, /^settlement_rows_transaction Index Cond: \(transaction_id = /],
    settlement_differences: [/^settlement_differences_day Index Cond: .*mid_id = .* \(day >= .* \(day <= /],
  }
  for (const [table, conditions] of Object.entries(expected)) {
    const reads = readsOf(plan, table)
    assert.equal(reads.length, conditions.length, table)
    for (const [index, condition] of conditions.entries()) assert.match(reads[index] ?? '', condition)
  }
})
