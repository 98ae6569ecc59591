/** The migrations to parts by month, while the release before them serves. Chapter 80 §2 and §4. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { insertPayment } from '../../../test/callbacks/callback-rows.ts'
import { until } from '../../../test/callbacks/callback-scene.ts'
import { emptyTestDatabase } from '../../../test/database.ts'
import { migrate } from '../database/migrate.ts'
import type { Pool } from '../database/pool.ts'
import { paymentStore } from '../payments/payments.ts'
import { monthTables } from './month-tables.ts'
import { prepareMonths } from './prepare.ts'
import { idIn, openingIn, successIn } from './testing/payments-in-months.ts'

const november = '2026-11-17T10:00:00Z'
const released = new URL('../migrations/', import.meta.url)
const lastBefore = '0059'

/** The migrations of the release before. */
async function earlierMigrations(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'migrations-'))
  for (const file of await readdir(released))
    if (file.slice(0, 4) <= lastBefore) await cp(new URL(file, released), join(folder, file))
  return folder
}

async function pay(pool: Pool, of = {}): Promise<void> {
  const payments = paymentStore(pool)
  const opening = openingIn(november, of)
  assert.equal(await payments.open(opening), 'opened')
  assert.equal(await payments.settle(successIn(november, opening)), 'settled')
}

const files = async (pool: Pool, schema: string, end: string): Promise<readonly unknown[]> =>
  (
    await pool.query('select pg_relation_filenode(name::regclass) as file from unnest($1::text[]) as name', [
      monthTables.map(({ table }) => `${schema}.${table}${end}`),
    ])
  ).rows

test('payments continue during the migrations, no table is copied, and every rule holds afterwards', async () => {
  const database = await emptyTestDatabase()
  const folder = await earlierMigrations()
  const { pool } = database
  try {
    await migrate(pool, { directory: pathToFileURL(`${folder}/`) })
    const order = { merchantId: randomUUID(), aloneInOrder: true }
    await pay(pool, { merchantId: order.merchantId })
    // The previous release writes no claim, and the statement of this one would.
    await pool.query('update payments set alone_in_order = true')
    await pool.query(`create table pg_dist_partition as select 'payments'::regclass as logicalrelid`)
    await assert.rejects(migrate(pool), /The tables of payments are distributed/)
    await pool.query('drop table pg_dist_partition')
    const before = await files(pool, 'public', '')
    let isOver = false
    const paying = Array.from({ length: 3 }, async () => {
      let count = 0
      for (; !isOver; count += 1) await pay(pool)
      return count
    })
    await sleep(50)
    const applied = await migrate(pool)
    await sleep(50)
    isOver = true
    const paid = (await Promise.all(paying)).reduce((sum, count) => sum + count, 0)
    assert.ok(applied.some(({ name }) => name === 'months'))
    assert.deepEqual(await files(pool, 'months', '_first'), before)
    const { rows } = await pool.query(
      `select (select count(*)::int from payments where status = 'SETTLED') as payments, (select count(*)::int from callbacks) as callbacks`,
    )
    assert.deepEqual(rows, [{ payments: paid + 1, callbacks: paid + 1 }])
    assert.equal(await paymentStore(pool).open(openingIn(november, order)), 'duplicate-order', 'by the index')
    assert.equal((await prepareMonths(pool, new Date(november)))?.made.length, 2)
    assert.equal(
      await paymentStore(pool).open(openingIn('2026-12-02T10:00:00Z', order)),
      'duplicate-order',
      'by its claim',
    )
  } finally {
    await database.drop()
    await rm(folder, { recursive: true })
  }
})

test('a payment that was being written when the claims of an empty instance were created gets its claim', async () => {
  const database = await emptyTestDatabase()
  const folder = await earlierMigrations()
  const { pool } = database
  try {
    await migrate(pool, { directory: pathToFileURL(`${folder}/`) })
    const order = { merchantId: randomUUID(), aloneInOrder: true }
    const client = await pool.connect()
    await client.query('begin')
    await insertPayment(client, order)
    await client.query(`update payments set id = $1, alone_in_order = true, order_id = 'order-1', test = true`, [
      idIn(november),
    ])
    const migrating = migrate(pool)
    await until(async () => {
      const waiting = await pool.query(
        `select 1 from pg_locks where not granted and relation = 'payments'::regclass and mode = 'ShareRowExclusiveLock'`,
      )
      return waiting.rowCount === 1
    })
    await client.query('commit')
    client.release()
    await migrating
    const { rows } = await pool.query(
      'select filled_at is not null as marked, (select count(*)::int from order_claims) as claims from claim_fill',
    )
    assert.deepEqual(rows, [{ marked: true, claims: 0 }], 'the migration missed it')
    assert.equal((await prepareMonths(pool, new Date(november)))?.made.length, 2)
    assert.equal(await paymentStore(pool).open(openingIn('2026-12-02T10:00:00Z', order)), 'duplicate-order')
  } finally {
    await database.drop()
    await rm(folder, { recursive: true })
  }
})

test('roles keep what they may do with the tables that become tables in parts', async () => {
  const database = await emptyTestDatabase()
  const folder = await earlierMigrations()
  const { pool } = database
  const reader = 'pg_monitor'
  try {
    await migrate(pool, { directory: pathToFileURL(`${folder}/`) })
    await pool.query(`grant select on all tables in schema public to ${reader};
      grant insert on callbacks to public; grant update on transactions to ${reader} with grant option`)
    await migrate(pool)
    const { rows } = await pool.query<{ table: string; privileges: string }>(
      `select held.relname as table, string_agg(privilege_type || case when is_grantable then '*' else '' end, ' ' order by privilege_type) as privileges
       from pg_class held, aclexplode(held.relacl) where held.relname = any($1::text[]) and grantee <> relowner
         and relnamespace = 'public'::regnamespace group by held.relname`,
      [monthTables.map(({ table }) => table)],
    )
    assert.deepEqual(Object.fromEntries(rows.map(({ table, privileges }) => [table, privileges])), {
      payments: 'SELECT',
      transactions: 'SELECT UPDATE*',
      ledger_entries: 'SELECT',
      callbacks: 'INSERT SELECT',
      callback_attempts: 'SELECT',
    })
  } finally {
    await database.drop()
    await rm(folder, { recursive: true })
  }
})
