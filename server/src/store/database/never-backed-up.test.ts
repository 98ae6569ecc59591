import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, test } from 'node:test'
import { testDatabase } from '../../../test/database.ts'
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

test('the documented dump leaves each of them out', async () => {
  const text = await readFile(new URL('../../../../docs/operations/live.md', import.meta.url), 'utf8')
  const commands = text.split('\n').filter((line) => line.startsWith('pg_dump '))
  assert.ok(commands.length > 0)
  for (const command of commands)
    for (const name of neverBackedUp) assert.ok(command.includes(`--exclude-table-data=${name}`), command)
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
