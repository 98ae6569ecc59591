/** How the funnel finds the payments of its sessions: Analytics reads it over the newest ten thousand. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testDatabase } from '../../../test/database.ts'
import { readPageFunnel } from './page-funnel.ts'

const database = await testDatabase()
const { pool } = database
after(() => database.drop())

const sessions = 300
const [from, to] = [new Date('2026-03-01T12:00:00Z'), new Date('2026-03-02T12:00:00Z')]

/** One payment a minute with a session of its own, by two merchants; every third is declined. */
async function addSessions(): Promise<void> {
  const at = `$1::timestamptz + n * interval '1 minute'`
  const id = `(lpad(to_hex((extract(epoch from ${at}) * 1000)::bigint), 12, '0') || '70008' || substr(md5(n::text), 1, 15))::uuid`
  const merchant = `('00000000-0000-4000-8000-00000000000' || n % 2)::uuid`
  await pool.query(
    `insert into sessions (merchant_id, id, kind, operation, test, order_id, request, first_payment, attempts, expires_at, created_at, updated_at)
     select ${merchant}, ${id}, 'page', 'purchase', false, 'O-' || n, '{}', ${id}, 1, ${at}, ${at}, ${at} from generate_series(1, $2::int) as n`,
    [from, sessions],
  )
  await pool.query(
    `insert into payments (merchant_id, id, protocol, action, kind, status, test, holds, order_id, order_description, amount_minor, amount_decimals,
       currency, authorised_minor, captured_minor, facts, first_transaction, session_id, created_at, updated_at)
     select ${merchant}, ${id}, 'CHECKOUT', 'SALE', 'sale', case when n % 3 = 0 then 'DECLINED' else 'SETTLED' end, false, false, 'O-' || n, 'Shoes', 1000, 2,
       'EUR', 0, 0, '{}', ${id}, ${id}, ${at}, ${at} from generate_series(1, $2::int) as n`,
    [from, sessions],
  )
  await pool.query('vacuum analyze payments, sessions')
}

test('the payments of all sessions are found by one look-up for each merchant', async () => {
  await addSessions()
  const before = await countLookUps()
  const funnel = await readPageFunnel(pool, { from, to, now: to, mode: 'live', merchantIds: null })
  assert.deepEqual(funnel, { sessions, opened: sessions, attempted: sessions, challenged: 0, paid: 200, left: 100 })
  assert.ok((await countLookUps()) - before < 20, 'two merchants, and not 300 sessions')
})

/** So often an index of payments was searched. */
async function countLookUps(): Promise<number> {
  await pool.query('select pg_stat_force_next_flush()')
  const { rows } = await pool.query<{ scans: bigint | null }>(
    `select sum(idx_scan)::bigint as scans from pg_stat_user_tables where relname like 'payments%'`,
  )
  return Number(rows[0]?.scans ?? 0n)
}
