import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { type DataKeyRow, PLATFORM_SCOPE } from '#server/vault/port.ts'
import { type TestDatabase, testDatabase } from '../../../test/database.ts'
import { dataKeyRows } from './data-keys.ts'

const row: DataKeyRow = {
  scope: PLATFORM_SCOPE,
  version: 1,
  kekId: 'k1',
  wrapped: Buffer.from([0, 255, 92, 39]),
  createdAt: new Date('2026-03-01T12:34:56.789Z'),
}

let database: TestDatabase
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

test('a data key is read as it was added, and a second one with its version is ignored', async () => {
  const keys = dataKeyRows(database.pool)
  assert.equal(await keys.add(row), 'added')
  assert.equal(await keys.add({ ...row, wrapped: Buffer.from('another') }), 'exists')
  assert.deepEqual(await keys.load(PLATFORM_SCOPE), [row])
  assert.deepEqual(await keys.load(randomUUID()), [])
})

test('of many processes that add the same key at once, one succeeds', async () => {
  const keys = dataKeyRows(database.pool)
  const scope = randomUUID()
  const attempts = Array.from({ length: 10 }, (_, index) => keys.add({ ...row, scope, wrapped: Buffer.of(index) }))
  const results = await Promise.all(attempts)

  assert.equal(results.filter((result) => result === 'added').length, 1)
  const [kept] = await keys.load(scope)
  assert.deepEqual(kept?.wrapped, Buffer.of(results.indexOf('added')))
})

test('re-wrapping changes the wrapping of that version only', async () => {
  const keys = dataKeyRows(database.pool)
  const first = { ...row, scope: randomUUID() }
  const second = { ...first, version: 2 }
  await keys.add(first)
  await keys.add(second)
  await keys.replaceWrapping({ ...second, kekId: 'k9', wrapped: Buffer.from('new') })

  const rows = [...(await keys.load(first.scope))].sort((one, other) => one.version - other.version)
  assert.deepEqual(rows, [first, { ...second, kekId: 'k9', wrapped: Buffer.from('new') }])
  assert.equal((await keys.countByKek()).get('k9'), 1)
})

test('every scope is listed once, across pages, including the platform’s', async () => {
  await database.pool.query(
    `insert into data_keys select gen_random_uuid(), 1, 'k1', 'x', now() from generate_series(1, 1203)`,
  )
  await database.pool.query(`insert into data_keys select scope, 7, 'k1', 'x', now() from data_keys where version = 1`)
  const scopes: string[] = []
  for await (const scope of dataKeyRows(database.pool).scopes()) scopes.push(scope)
  const { rows } = await database.pool.query<{ scope: string }>('select distinct scope from data_keys order by scope')

  assert.ok(scopes.length > 1203)
  assert.deepEqual(
    scopes,
    rows.map((each) => each.scope),
  )
  assert.equal(scopes[0], PLATFORM_SCOPE)
})
