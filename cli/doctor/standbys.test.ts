import assert from 'node:assert/strict'
import { test } from 'node:test'
import { standbyFindings } from './standbys.ts'

const well = { connected: 2, missing: 0, lost: 0, secondsBehind: 0, isHidden: false }

test('a database without standbys is not mentioned, and one with all of them is fine', () => {
  assert.deepEqual(standbyFindings({ ...well, connected: 0 }), [])
  assert.deepEqual(
    standbyFindings(well).map(({ level, text }) => `${level} ${text}`),
    ['ok 2 connected.'],
  )
})

test('a role that may not see the standbys gets the statement that lets it', () => {
  const [finding] = standbyFindings({ ...well, connected: 0, isHidden: true })
  assert.equal(finding?.level, 'warning')
  assert.match(finding?.remedy ?? '', /grant pg_read_all_stats to/)
})

test('a standby whose slot is idle is counted', () => {
  const [finding] = standbyFindings({ ...well, connected: 1, missing: 1 })
  assert.deepEqual([finding?.level, finding?.text], ['warning', '1 of 2 standbys of the database is not connected.'])
})
