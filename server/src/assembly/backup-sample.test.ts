import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testDatabase } from '../../test/database.ts'
import { backupAction } from '../store/instance/backups.ts'
import { backupSample } from './backup-sample.ts'

const database = await testDatabase()
after(() => database.drop())

const hourMs = 3_600_000
const [row] = (await database.pool.query<{ at: Date }>('select min(applied_at) as at from schema_migrations')).rows
const created = new Date(row?.at ?? assert.fail('The schema has no date.'))
const ageHours = async (instanceMode: 'live' | 'sandbox', hours: number): Promise<number | null> => {
  const clock = { now: () => new Date(created.getTime() + hours * hourMs) }
  const { newestAgeSeconds } = await backupSample({ pool: database.pool, clock, config: { instanceMode } })
  return newestAgeSeconds === null ? null : (newestAgeSeconds * 1000) / hourMs
}

test('a live instance that never had a backup has the age of the instance; a sandbox has none', async () => {
  assert.equal(await ageHours('live', 37), 37)
  assert.equal(await ageHours('sandbox', 37), null)
})

test('the age is that of the newest backup once there is one', async () => {
  await database.pool.query(
    `insert into audit_log (seq, at, actor, action, subject, previous_hash, hash)
     values (1, $1, 'cli', $2, 'dump', $3, $3)`,
    [new Date(created.getTime() + 20 * hourMs), backupAction, '0'.repeat(64)],
  )
  assert.equal(await ageHours('live', 37), 17)
  assert.equal(await ageHours('sandbox', 37), 17)
})
