import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BackupState } from '#server/store/instance/backups.ts'
import { backupFinding } from './backups.ts'

const now = new Date('2026-03-02T12:00:00Z')
const fresh = new Date('2026-03-02T02:30:00Z')
const old = new Date('2026-02-28T23:00:00Z')
const working = { failures: 3, secondsSince: 40, failing: false }
const failing = { failures: 4, secondsSince: 900, failing: true }

// biome-ignore format: a table is read in columns.
const cases: readonly (readonly [Pick<BackupState, 'archive' | 'newestAt'>, 'live' | 'sandbox', string, RegExp])[] = [
  [{ archive: null, newestAt: fresh },     'live',    'ok',      /of 2026-03-02T02:30:00.000Z; the log of PostgreSQL is not archived/],
  [{ archive: working, newestAt: fresh },  'live',    'ok',      /; the log of PostgreSQL is archived/],
  [{ archive: failing, newestAt: fresh },  'live',    'problem', /cannot archive its log: the last attempt failed, 4 in all/],
  [{ archive: failing, newestAt: null },   'sandbox', 'problem', /cannot archive its log/],
  [{ archive: working, newestAt: old },    'live',    'warning', /of 2026-02-28T23:00:00.000Z, 37 hours ago/],
  [{ archive: null, newestAt: null },      'live',    'warning', /No backup is known/],
  [{ archive: null, newestAt: null },      'sandbox', 'ok',      /No backup is known/],
]

for (const [state, mode, level, text] of cases)
  test(`backups of a ${mode} instance with ${JSON.stringify(state)} are: ${level}`, () => {
    const finding = backupFinding(state, mode, now)
    assert.equal(finding.level, level)
    assert.match(finding.text, text)
    assert.equal(finding.remedy === null, level === 'ok')
  })
