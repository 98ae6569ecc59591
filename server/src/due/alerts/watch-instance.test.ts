import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dangersOf } from './watch-instance.ts'

const found = async (standbys: { missing: number; secondsBehind: number | null }, free: number) =>
  (await dangersOf({ standbys: async () => standbys, disk: async () => ({ free, total: 1000 }), machine: 'one' })).map(
    ({ kind, text }) => `${kind}: ${text.slice(0, 20)}`,
  )

test('an instance in good condition raises nothing', async () => {
  assert.deepEqual(await found({ missing: 0, secondsBehind: null }, 100), [])
  assert.deepEqual(await found({ missing: 0, secondsBehind: 300 }, 500), [])
})

test('a missing or late standby and a full disk are dangers', async () => {
  assert.deepEqual(await found({ missing: 1, secondsBehind: 0 }, 500), ['replication-behind: A standby of the dat'])
  assert.deepEqual(await found({ missing: 0, secondsBehind: 301 }, 99), [
    'replication-behind: A standby of the dat',
    'disk-low: Less than 10 % of th',
  ])
})
