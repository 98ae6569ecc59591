import assert from 'node:assert/strict'
import { test } from 'node:test'
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
