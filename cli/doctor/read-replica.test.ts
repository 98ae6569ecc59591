import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '#server/process/config.ts'
import type { DataSource } from '#server/store/instance/read-source.ts'
import { testDatabase } from '../../server/test/database.ts'
import { checkReadReplica, replicaFinding } from './read-replica.ts'

// biome-ignore format: a table is read in columns.
const cases: readonly (readonly [DataSource, string, RegExp])[] = [
  [{ source: 'replica', secondsBehind: 0 },             'ok',      /has replayed everything/],
  [{ source: 'replica', secondsBehind: 2.3 },           'ok',      /3 s behind/],
  [{ source: 'replica', secondsBehind: 61 },            'warning', /61 seconds behind.* read the primary/],
  [{ source: 'replica', secondsBehind: 1_794_929_586 }, 'warning', /an unknown time behind/],
  [{ source: 'primary', fault: 'unreachable' },         'warning', /does not answer/],
  [{ source: 'primary', fault: 'no standby' },          'warning', /not a standby/],
  [{ source: 'primary', fault: 'other database' },      'problem', /not a copy of this database/],
]

for (const [state, level, text] of cases)
  test(`a replica with ${JSON.stringify(state)} is: ${level}`, () => {
    const finding = replicaFinding(state)
    assert.equal(finding.level, level)
    assert.match(finding.text, text)
    assert.equal(finding.remedy === null, level === 'ok')
  })

test('an address where no server listens names the setting, and without an address nothing is said', async () => {
  const database = await testDatabase()
  const check = (url: string | null) =>
    checkReadReplica(
      readConfig('all', url === null ? {} : { DATABASE_READ_URL: url, DATABASE_URL: database.url }),
      database.pool,
    )
  try {
    assert.deepEqual(await check(null), [])
    const [refused] = await check('postgres://gatehouse@127.0.0.1:9/gatehouse')
    assert.equal(refused?.level, 'warning')
    assert.match(refused?.text ?? '', /^No database server listens at this address: .*read the primary meanwhile/)
    assert.match(refused?.remedy ?? '', /host and port in DATABASE_READ_URL\.$/)
    assert.match((await check(database.url))[0]?.text ?? '', /leads to a server that is not a standby/)
  } finally {
    await database.drop()
  }
})
