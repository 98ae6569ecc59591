import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findDangers } from './watch-instance.ts'

const found = async (
  { lost = 0, ...standbys }: { missing: number; lost?: number; secondsBehind: number | null },
  free: number,
) =>
  (
    await findDangers({
      readStandbys: async () => ({ ...standbys, lost }),
      readDisk: async () => ({ free, total: 1000 }),
      machine: 'one',
    })
  ).map(({ kind, text }) => `${kind}: ${text.slice(0, 38)}`)

test('an instance in good condition raises nothing', async () => {
  assert.deepEqual(await found({ missing: 0, secondsBehind: null }, 100), [])
  assert.deepEqual(await found({ missing: 0, secondsBehind: 300 }, 500), [])
})

test('a missing, late or lost standby and a full disk are dangers', async () => {
  assert.deepEqual(await found({ missing: 1, secondsBehind: 0 }, 500), [
    'replication-behind: A standby of the database is not conne',
  ])
  assert.deepEqual(await found({ missing: 0, secondsBehind: 301 }, 99), [
    'replication-behind: A standby of the database is more than',
    'disk-low: Less than 10 % of the disk of one is f',
  ])
  assert.deepEqual(await found({ missing: 0, lost: 1, secondsBehind: null }, 500), [
    'replication-behind: A standby of the database was away for',
  ])
})
