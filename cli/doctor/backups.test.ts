import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BackupState, NewestBackups } from '#server/store/instance/backups.ts'
import { backupFinding } from './backups.ts'

const now = new Date('2026-03-02T12:00:00Z')
const fresh = new Date('2026-03-02T02:30:00Z')
const old = new Date('2026-02-28T23:00:00Z')
const working = { failures: 3, secondsSince: 40, failing: false }
const failing = { failures: 4, secondsSince: 900, failing: true }

// biome-ignore format: a table is read in columns.
const cases: readonly (readonly [BackupState['archive'], NewestBackups, 'live' | 'sandbox', string, RegExp])[] = [
  [null,    { dump: fresh, base: null },  'live',    'ok',      /newest known dump is of 2026-03-02T02:30:00.000Z; the log of PostgreSQL is not archived/],
  [null,    { dump: old, base: fresh },   'live',    'ok',      /dump is of 2026-02-28T23:00:00.000Z, the newest base backup is of 2026-03-02T02:30:00.000Z; /],
  [null,    { dump: old, base: null },    'live',    'warning', /of 2026-02-28T23:00:00.000Z, 37 hours ago/],
  [null,    { dump: null, base: null },   'live',    'warning', /No backup is known/],
  [null,    { dump: null, base: null },   'sandbox', 'ok',      /No backup is known/],
  [working, { dump: fresh, base: fresh }, 'live',    'ok',      /; the log of PostgreSQL is archived/],
  [working, { dump: null, base: fresh },  'live',    'ok',      /newest known base backup is of 2026-03-02/],
  [working, { dump: fresh, base: old },   'live',    'warning', /newest known base backup is of 2026-02-28T23:00:00.000Z, 37 hours ago/],
  [working, { dump: fresh, base: null },  'live',    'warning', /no base backup is known: no moment can be restored/],
  [working, { dump: fresh, base: null },  'sandbox', 'ok',      /newest known dump/],
  [failing, { dump: fresh, base: fresh }, 'live',    'problem', /cannot archive its log: the last attempt failed, 4 in all/],
  [failing, { dump: null, base: null },   'sandbox', 'problem', /cannot archive its log/],
]

for (const [archive, newest, mode, level, text] of cases)
  test(`backups of a ${mode} instance with ${JSON.stringify({ archive, newest })} are: ${level}`, () => {
    const finding = backupFinding({ archive, newest }, mode, now)
    assert.equal(finding.level, level)
    assert.match(finding.text, text)
    assert.equal(finding.remedy === null, level === 'ok')
  })
