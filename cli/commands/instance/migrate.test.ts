import assert from 'node:assert/strict'
import { test } from 'node:test'
import { distributedTables } from '#server/store/database/distribution.ts'
import { readMigrations } from '#server/store/database/migration-files.ts'
import { openTestInstance } from '../../test/gatehouse.ts'

test('an empty database is migrated to the schema of this release; a second run changes nothing', async () => {
  await using instance = await openTestInstance({ empty: true })
  const known = (await readMigrations()).map(({ file }) => file)
  const states = async () => (await instance.do('migrate', '--status', '--json')).json
  assert.deepEqual(
    await states(),
    known.map((migration) => ({ migration, state: 'pending' })),
  )

  const refused = await instance.run(['merchant', 'list'])
  assert.equal(refused.code, 1)
  assert.match(refused.err, /migrate/)

  for (const file of known)
    assert.match((await instance.do('migrate')).out, new RegExp(`${file}|The schema is current`))
  assert.deepEqual(
    await states(),
    known.map((migration) => ({ migration, state: 'applied' })),
  )
  assert.equal((await instance.do('migrate')).out, 'The schema is current.')
  await instance.do('merchant', 'list')
})

test('distributing shows a call for each table, co-located by merchant, in the order of the foreign keys', async () => {
  await using instance = await openTestInstance()
  const { out } = await instance.do('migrate', 'distribute', '--plan', '--shards', '8')
  const calls = out.split('\n').filter((line) => line.startsWith('select create_distributed_table'))
  assert.equal(
    calls[0],
    "select create_distributed_table('payments', 'merchant_id', colocate_with => 'none', shard_count => 8);",
  )
  for (const call of calls.slice(1)) assert.match(call, /, 'merchant_id', colocate_with => 'payments'\);$/)

  const { rows } = await instance.database.pool.query<{ from: string; to: string }>(
    `select conrelid::regclass::text as from, confrelid::regclass::text as to from pg_constraint
     where contype = 'f' and (conrelid = any($1::text[]::regclass[]) or confrelid = any($1::text[]::regclass[]))`,
    [distributedTables],
  )
  const place = (table: string): number => calls.findIndex((call) => call.includes(`('${table}',`))
  const wrong = rows.filter(({ from, to }) => place(to) === -1 || place(from) <= place(to))
  assert.deepEqual(wrong, [])
})

test('distributing without the extension is refused, with what to do, and changes nothing', async () => {
  await using instance = await openTestInstance()
  const { code, err } = await instance.run(['migrate', 'distribute'])
  assert.equal(code, 1)
  assert.match(err, /does not have the extension citus/)
  assert.match(err, /create extension citus/)
})
