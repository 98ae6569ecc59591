import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testDatabase } from '../../test/database.ts'
import { neverBackedUp } from './never-backed-up.ts'

const database = await testDatabase()
after(() => database.drop())

test('what must be in no backup is in no write-ahead log either', async () => {
  const { rows } = await database.pool.query<{ name: string; kept: string }>(
    'select relname as name, relpersistence as kept from pg_class where relname = any($1)',
    [neverBackedUp],
  )
  assert.deepEqual(
    rows,
    neverBackedUp.map((name) => ({ name, kept: 'u' })),
  )
})

test('every table that may hold a verification code is among them', async () => {
  const { rows } = await database.pool.query<{ name: string }>(
    `select distinct table_name as name from information_schema.columns
     where table_schema = 'public' and table_name ~ 'codes?$' and column_name = 'sealed'`,
  )
  assert.deepEqual(
    rows.map(({ name }) => name),
    neverBackedUp,
  )
})
