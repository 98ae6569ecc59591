import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testDatabase } from '../../test/database.ts'
import { backupAction } from '../store/instance/backups.ts'
import { backupAges, readBackupSample } from './backup-sample.ts'

const database = await testDatabase()
after(() => database.drop())

const hourMs = 3_600_000
const [row] = (await database.pool.query<{ at: Date }>('select min(applied_at) as at from schema_migrations')).rows
const created = new Date(row?.at ?? assert.fail('The schema has no date.'))
const hoursLater = (hours: number): Date => new Date(created.getTime() + hours * hourMs)
const inHours = ({ dump, base }: ReturnType<typeof backupAges>): readonly (number | null)[] =>
  [dump, base].map((seconds) => (seconds === null ? null : (seconds * 1000) / hourMs))
const readHours = async (instanceMode: 'live' | 'sandbox', hours: number): Promise<readonly (number | null)[]> => {
  const clock = { now: () => hoursLater(hours) }
  const { newestAgeSeconds } = await readBackupSample({ pool: database.pool, clock, config: { instanceMode } })
  return inHours(newestAgeSeconds)
}

test('a live instance that never had a backup has the age of the instance; a sandbox has none', async () => {
  assert.deepEqual(await readHours('live', 37), [37, null])
  assert.deepEqual(await readHours('sandbox', 37), [null, null])
})

test('each kind has the age of its newest backup, so that a nightly dump does not hide a base backup that fails', async () => {
  const entries = [
    [1, 'base gatehouse-1.base.age', 10],
    [2, 'dump gatehouse-1.dump.age', 11],
    [3, 'base gatehouse-2.base.age', 12],
    [4, 'dump gatehouse-2.dump.age', 20],
  ] as const
  for (const [seq, subject, hours] of entries)
    await database.pool.query(
      `insert into audit_log (seq, at, actor, action, subject, previous_hash, hash) values ($1, $2, 'cli', $3, $4, $5, $5)`,
      [seq, hoursLater(hours), backupAction, subject, '0'.repeat(64)],
    )
  assert.deepEqual(await readHours('live', 37), [17, 25])
  assert.deepEqual(await readHours('sandbox', 37), [17, 25])
})

test('a live instance that archives its log lacks a base backup until it has one, whatever dumps there are', () => {
  const archive = { failures: 0, secondsSince: 1, failing: false }
  const state = { archive, newest: { dump: hoursLater(30), base: null }, instanceSince: created }
  assert.deepEqual(inHours(backupAges(state, 'live', hoursLater(40))), [10, 40])
  assert.deepEqual(inHours(backupAges(state, 'sandbox', hoursLater(40))), [10, null])
  const without = { ...state, newest: { dump: null, base: hoursLater(39) } }
  assert.deepEqual(inHours(backupAges(without, 'live', hoursLater(40))), [null, 1])
})
