/** Retention in a distributed database: it removes what one server does, by statements that touch one shard each. See decisions/shards#rows-first. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { RetainedKind } from '#domain/retention.ts'
import { type TestDatabase, testDatabase } from '../../../test/database.ts'
import { openPool, type Pool } from '../database/pool.ts'
import { manyShards } from '../database/testing/many-shards.ts'
import { splitByMerchant } from '../database/testing/shards.ts'
import { inTransaction } from '../database/transaction.ts'
import { idIn } from '../months/testing/payments-in-months.ts'
import { erasePayments } from './erased-payments.ts'
import { purges } from './purges.ts'
import { removeCards } from './removed-cards.ts'

const old = '2026-01-10T10:00:00Z'
const recent = '2026-06-20T00:00:00Z'
const cutOff = new Date('2026-06-01T00:00:00Z')
const now = new Date('2026-07-01T00:00:00Z')

/** Each merchant has a payment of each case, with everything that may belong to one. */
const cases = ['over', 'held', 'untold', 'charged', 'changed', 'saved'] as const
const given = Array.from({ length: 6 }, () => randomUUID()).flatMap((merchant) =>
  cases.map((which) => ({
    id: idIn(old),
    ...Object.fromEntries(['later', 'session', 'unpaid', 'open', 'callback'].map((name) => [name, idIn(old)])),
    merchant,
    which,
  })),
)
const merchants = new Set(given.map(({ merchant }) => merchant)).size

const rows = `json_to_recordset('${JSON.stringify(given)}') as given (
  merchant uuid, which text, id uuid, later uuid, session uuid, unpaid uuid, open uuid, callback uuid)`
const paymentColumns = `merchant_id, id, protocol, action, kind, status, test, holds, order_id, order_description, amount_minor, amount_decimals,
  currency, first_transaction, chain_id, created_at, updated_at`
const paymentValues = (id: string, status: string, at: string): string =>
  `merchant, ${id}, 'CHECKOUT', 'SALE', 'sale', ${status}, false, false, 'O-1', 'A book', 1000, 2, 'EUR', ${id}, id, '${old}', ${at}`
const texts = [
  `insert into payments (${paymentColumns}, session_id, payer_email, payer, card_id, card_mask)
   select ${paymentValues('id', `case which when 'held' then 'PENDING' else 'SETTLED' end`, `case which when 'changed' then '${recent}' else '${old}' end::timestamptz`)},
     session, 'doe@example.com', '{"country": "DE", "city": "Bonn"}', id, '411111******1111' from ${rows}`,
  `insert into payments (${paymentColumns}) select ${paymentValues('later', `'SETTLED'`, `'${recent}'`)} from ${rows} where which = 'charged'`,
  `insert into callbacks (merchant_id, payment_id, sequence, id, transaction_id, url, content_type, body, state, retry_seconds, next_at, created_at)
   select merchant, id, 1, callback, id, 'https://shop.example/notify', 'text/plain', 'doe', case which when 'untold' then 'due' else 'delivered' end,
     '{}', case which when 'untold' then '${old}'::timestamptz end, '${old}' from ${rows}`,
  `insert into callback_attempts (merchant_id, callback_id, attempt, at, duration_ms, acknowledged)
   select merchant, callback, 1, '${old}', 1, true from ${rows}`,
  `insert into transactions (merchant_id, payment_id, id, type, state, amount_minor, mid_id, parameters, created_at)
   select merchant, id, id, 'SALE', 'success', 1000, id, '{"name": "Doe"}', '${old}' from ${rows}`,
  ...['session', 'unpaid', 'open'].map(
    (
      name,
    ) => `insert into sessions (merchant_id, id, kind, operation, test, order_id, request, first_payment, expires_at, fields_sealed, created_at, updated_at)
   select merchant, ${name}, 'page', 'purchase', false, 'O-1', '{"customer": {"email": "doe@example.com"}}', id,
     '${name === 'open' ? now.toISOString() : old}', '\\x00', '${old}', '${old}' from ${rows}`,
  ),
  `insert into payment_notes (merchant_id, payment_id, id, text, author, written_at) select merchant, id, id, 'Doe', 'ann', '${old}' from ${rows}`,
  `insert into payment_secrets (merchant_id, payment_id, purpose, sealed) select merchant, id, 'wallet', '\\x00' from ${rows}`,
  `insert into idempotency_keys (merchant_id, key, body_hash, use_id, created_at)
   select merchant, which, '\\x00', id, case which when 'changed' then '${recent}'::timestamptz else '${old}' end from ${rows}`,
  `insert into key_uses (merchant_id, use_id, payment_id, transaction_id) select merchant, id, id, id from ${rows}`,
  `insert into cards (merchant_id, id, pan_sealed, bin, last_four, pan_length, expiry_month, expiry_year, created_at)
   select merchant, id, '\\x00', '411111', '1111', 16, 1, 2030, '${old}' from ${rows}`,
  `insert into card_tokens (merchant_id, token, card_id, test, created_at) select merchant, repeat('0', 64), id, false, '${old}' from ${rows} where which = 'saved'`,
]

let plain: TestDatabase
let split: TestDatabase
/** One connection, which shows what was prepared on it. */
let distributed: Pool
before(async () => {
  plain = await testDatabase()
  split = await testDatabase()
  await splitByMerchant(split.pool)
  for (const { pool } of [plain, split]) for (const text of texts) await pool.query(text)
  distributed = openPool(split.url, { max: 1, applicationName: 'distributed' })
})
after(async () => {
  await distributed.end()
  await split.drop()
  await plain.drop()
})

/** What every table has; columns that only tell when or by whom a row was written are left out. */
async function contents(pool: Pool): Promise<Readonly<Record<string, readonly unknown[]>>> {
  const tables = [
    'payments',
    'transactions',
    'callbacks',
    'callback_attempts',
    'sessions',
    'payment_notes',
    'payment_secrets',
    'idempotency_keys',
    'key_uses',
    'cards',
    'card_tokens',
  ]
  const found = await Promise.all(
    tables.map(async (table) => {
      const { rows: stored } = await pool.query(
        `select to_jsonb(held) - '{written_in,sent_at}'::text[] as held from ${table} held order by 1`,
      )
      return [table, stored] as const
    }),
  )
  return Object.fromEntries(found)
}

/** Runs a kind to its end, in small batches. Returns how many rows it removed. */
async function purge(pool: Pool, kind: RetainedKind): Promise<number> {
  let removed = 0
  for (let cursor = '', more = true; more; ) {
    const result = await inTransaction(pool, (client) =>
      purges[kind](client, { before: cutOff, cursor, limit: 20, now }),
    )
    removed += result.removed
    ;({ cursor, more } = result)
  }
  return removed
}

const kinds: readonly (readonly [RetainedKind, number])[] = [
  ['idempotency keys', 5],
  ['typed cards', 12],
  ['sessions', 6],
  ['payers', 2],
  ['cards', 2],
]

for (const [kind, each] of kinds)
  test(`${kind}: a distributed database removes what one server does`, async () => {
    const untouched = await contents(distributed)
    assert.equal(await purge(distributed, kind), each * merchants)
    assert.equal(await purge(plain.pool, kind), each * merchants)
    const left = await contents(distributed)
    assert.deepEqual(left, await contents(plain.pool))
    assert.notDeepEqual(left, untouched)
    assert.equal(await purge(distributed, kind), 0)
  })

test('a payer is erased on request, and so are its cards', async () => {
  const names = given
    .filter(({ which }) => which === 'changed')
    .map(({ merchant, id }) => ({ merchantId: merchant, id }))
  for (const pool of [distributed, plain.pool]) {
    const erased = await inTransaction(pool, (client) => erasePayments(client, names, now))
    assert.deepEqual(erased, { payments: merchants, callbacks: merchants, sessions: merchants })
    const [first] = names
    assert.ok(first)
    const removed = await inTransaction(pool, (client) => removeCards(client, first.merchantId, [first.id]))
    assert.deepEqual([removed.cards, removed.kept], [1, []])
  }
  assert.deepEqual(await contents(distributed), await contents(plain.pool))
})

test('none of it was a statement that only one server runs', async () => {
  const { rows: prepared } = await distributed.query<{ name: string }>('select name from pg_prepared_statements')
  const names = new Set(prepared.map(({ name }) => name))
  const elsewhere = manyShards.flatMap(([name, reason]) => (reason.startsWith('On one server') ? [name] : []))
  assert.deepEqual(
    elsewhere.filter((name) => names.has(name)),
    [],
  )
  for (const name of ['payment.erase', 'payment.aged', 'card.remove-unused', 'card.used-since', 'session.purge'])
    assert.ok(names.has(`${name}-in-bucket`), name)
})
