import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, test } from 'node:test'
import { testDatabase } from '../../../test/database.ts'
import { neverBackedUp } from './never-backed-up.ts'

const database = await testDatabase()
after(() => database.drop())

test('tables that must not be in a backup are not in the write-ahead log either', async () => {
  const { rows } = await database.pool.query<{ name: string; kept: string }>(
    'select relname as name, relpersistence as kept from pg_class where relname = any($1)',
    [neverBackedUp],
  )
  assert.deepEqual(
    rows,
    neverBackedUp.map((name) => ({ name, kept: 'u' })),
  )
})

test('the documented dump excludes each of these tables', async () => {
  const text = await readFile(new URL('../../../../docs/operations/live.md', import.meta.url), 'utf8')
  const commands = text.split('\n').filter((line) => line.startsWith('pg_dump '))
  assert.ok(commands.length > 0)
  for (const command of commands)
    for (const name of neverBackedUp) assert.ok(command.includes(`--exclude-table-data=${name}`), command)
})

test('the list contains every table that can hold a verification code', async () => {
  const { rows } = await database.pool.query<{ name: string }>(
    `select distinct table_name as name from information_schema.columns
     where table_schema = 'public' and table_name ~ 'codes?$' and column_name = 'sealed'`,
  )
  assert.deepEqual(
    rows.map(({ name }) => name),
    neverBackedUp,
  )
})
