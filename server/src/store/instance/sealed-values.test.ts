import assert from 'node:assert/strict'
import { createSecretKey, randomBytes, randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { secret } from '#domain/secret.ts'
import { sealedVersion } from '#server/vault/envelope.ts'
import type { KeyRing } from '#server/vault/key-ring.ts'
import { PLATFORM_SCOPE, type Purpose, type SealedValue, type Vault } from '#server/vault/port.ts'
import { resealValues } from '#server/vault/rotate.ts'
import { openVault } from '#server/vault/vault.ts'
import { type TestDatabase, testDatabase } from '../../../test/database.ts'
import { dataKeyRows } from './data-keys.ts'
import { sealedColumns, sealedValues } from './sealed-values.ts'

const start = new Date('2026-03-01T00:00:00Z')
const later = new Date('2026-04-01T00:00:00Z')
const muchLater = new Date('2026-05-01T00:00:00Z')
const ring: KeyRing = { current: 'k1', keys: new Map([['k1', createSecretKey(randomBytes(32))]]) }
const merchants = [randomUUID(), randomUUID()] as const
const cardsEach = 450

let database: TestDatabase
let vault: Vault
before(async () => {
  database = await testDatabase()
  vault = await openVault({ ring, keys: dataKeyRows(database.pool), clock: { now: () => start } })
  for (const merchant of merchants) await addMerchant(merchant)
  await addMid()
  await addParameters(merchants[0])
})
after(() => database.drop())

test('a rotation reseals every column of the schema that holds sealed values', async () => {
  const { rows } = await database.pool.query<{ name: string }>(
    `select table_name || '.' || column_name as name from information_schema.columns
     where table_schema = current_schema() and column_name ~ '(^|_)sealed$'
       -- Collected codes are erased within the hour, long before their data key is replaced.
       and table_name <> 'session_codes'
     order by 1`,
  )
  assert.deepEqual(
    sealedColumns.map(({ table, column }) => `${table}.${column}`).sort(),
    rows.map(({ name }) => name).sort(),
  )
})

test('a rotation reseals every value, page by page, without changing its content', async () => {
  const report = await rotate()
  const values = 2 * (cardsEach + 3) + 2
  assert.deepEqual(report, { scopes: 4, newKeys: 3, resealed: values, changedMeanwhile: 0, unreadable: 0 })

  assert.equal(await countIntact(2), values)
})

test('a repeated rotation finds nothing to do', async () => {
  assert.equal((await rotate()).resealed, 0)
})

test('simultaneous rotations do not lose a value', async () => {
  await Promise.all([rotate(muchLater), rotate(muchLater), rotate(muchLater)])
  await rotate(muchLater)
  assert.equal(await countIntact(3), 2 * (cardsEach + 3) + 2)
})

test('a page is written only to rows that still hold the value that was read', async () => {
  const columns = sealedValues(database.pool)
  const [merchant] = merchants
  const page = await firstPage(columns.olderThan(merchant, 4))
  const [changed, removed] = page
  assert.ok(changed && removed)
  await database.pool.query(`update cards set pan_sealed = 'changed' where id = $1`, [changed.key])
  await database.pool.query('delete from cards where id = $1', [removed.key])

  assert.equal(
    await columns.replace(page.map((value) => ({ ...value, resealed: Buffer.from('new') }))),
    page.length - 2,
  )
  const stored = await database.pool.query<{ sealed: Buffer }>('select pan_sealed as sealed from cards where id = $1', [
    changed.key,
  ])
  assert.equal(stored.rows[0]?.sealed.toString(), 'changed')
})

test('an empty page writes nothing', async () => {
  assert.equal(await sealedValues(database.pool).replace([]), 0)
})

function rotate(at = later) {
  const { pool } = database
  return resealValues({ ring, keys: dataKeyRows(pool), columns: sealedValues(pool), now: at, createdBefore: at })
}

/** How many values are sealed with this version of their data key and have their original content. */
async function countIntact(version: number): Promise<number> {
  let intact = 0
  for (const { table, scope, column, purpose, key } of sealedColumns) {
    for (const value of await read(table, scope, column, key)) {
      assert.equal(sealedVersion(value.sealed), version)
      assert.equal((await vault.open(value.scope, purpose, value.sealed)).reveal(), `${column} of ${value.id}`)
      intact += 1
    }
  }
  return intact
}

async function firstPage(pages: AsyncIterable<readonly SealedValue[]>): Promise<readonly SealedValue[]> {
  for await (const page of pages) return page
  return []
}

/** The content names its column and row, so that a value in the wrong place is detected. */
function seal(scope: string, purpose: Purpose, column: string, id: string): Promise<Buffer> {
  return vault.seal(scope, purpose, secret(`${column} of ${id}`))
}

async function addMerchant(id: string): Promise<void> {
  await database.pool.query(
    `insert into merchants (id, name, title, key, test_key, password_sealed, previous_password_sealed,
                            previous_password_until, webhook_secrets_sealed, created_at)
     values ($1, $2, 'A merchant', $3, $4, $5, $6, $8, $7, $8)`,
    [
      id,
      `m-${id}`,
      randomUUID(),
      randomUUID(),
      await seal(id, 'password', 'password_sealed', id),
      await seal(id, 'password', 'previous_password_sealed', id),
      await seal(id, 'webhook-secret', 'webhook_secrets_sealed', id),
      start,
    ],
  )
  const cards = await Promise.all(
    Array.from({ length: cardsEach }, async () => {
      const card = randomUUID()
      return { card, sealed: await seal(id, 'card', 'pan_sealed', card) }
    }),
  )
  await database.pool.query(
    `insert into cards (merchant_id, id, pan_sealed, bin, last_four, pan_length, expiry_month, expiry_year, created_at)
     select $1, id, sealed, '411111', '1111', 16, 1, 2030, $4 from unnest($2::uuid[], $3::bytea[]) as card (id, sealed)`,
    [id, cards.map(({ card }) => card), cards.map(({ sealed }) => sealed), start],
  )
}

async function addMid(): Promise<void> {
  const id = randomUUID()
  const sealed = await seal(PLATFORM_SCOPE, 'credentials', 'credentials_sealed', id)
  await database.pool.query(
    `insert into mids (id, name, connector, credentials_sealed, side, created_at)
     values ($1, 'a-mid', 'sandbox', $2, 'test', $3)`,
    [id, sealed, start],
  )
}

/** The secret parameters of a brand's payment; this row has no id column. */
async function addParameters(merchant: string): Promise<void> {
  const id = randomUUID()
  await database.pool.query(
    `insert into payments (merchant_id, id, protocol, action, kind, status, test, holds, order_id, order_description, amount_minor,
                           amount_decimals, currency, first_transaction, created_at, updated_at)
     values ($1, $2, 'S2S_APM', 'DEBIT2VIRTUAL', 'debit', 'PREPARE', false, false, 'ORDER-1', 'Shoes', 1000, 2, 'EUR', $2, $3, $3)`,
    [merchant, id, start],
  )
  await database.pool.query(
    "insert into payment_secrets (merchant_id, payment_id, purpose, sealed) values ($1, $2, 'parameters', $3)",
    [merchant, id, await seal(merchant, 'parameters', 'sealed', id)],
  )
}

async function read(table: string, scope: string, column: string, key = 'id') {
  const { rows } = await database.pool.query<{ scope: string; id: string; sealed: Buffer }>(
    `select ${scope} as scope, ${key} as id, ${column} as sealed from ${table}`,
  )
  return rows
}
