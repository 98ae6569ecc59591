/** The migrations to parts by month, while the release before them serves. Chapter 80 §2 and §4. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { emptyTestDatabase } from '../../../test/database.ts'
import { migrate } from '../database/migrate.ts'
import type { Pool } from '../database/pool.ts'
import { paymentStore } from '../payments/payments.ts'
import { monthTables } from './month-tables.ts'
import { prepareMonths } from './prepare.ts'
import { openingIn, successIn } from './testing/payments-in-months.ts'

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
