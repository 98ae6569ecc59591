import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectedWithinMs, isSilent } from './notification-silence.ts'

const minute = 60_000
const hour = 60 * minute
const lastAt = new Date('2026-03-01T12:00:00Z')
const later = (ms: number): Date => new Date(lastAt.getTime() + ms)
const usual = { lastAt, gaps: 49, longestGapMs: 2 * hour, approvedSince: 10 }

test('a MID is silent after three times the longest of the last gaps, not before', () => {
  assert.equal(isSilent(usual, later(6 * hour - 1)), false)
  assert.equal(isSilent(usual, later(6 * hour)), true)
})

test('a busy MID is not silent before a quarter of an hour, however close its notifications were', () => {
  const busy = { ...usual, longestGapMs: 20 }
  assert.equal(isSilent(busy, later(15 * minute - 1)), false)
  assert.equal(isSilent(busy, later(15 * minute)), true)
})

test('a MID without approved payments since then is not silent: there was nothing to report', () => {
  assert.equal(isSilent({ ...usual, approvedSince: 2 }, later(90 * 24 * hour)), false)
  assert.equal(isSilent({ ...usual, approvedSince: 3 }, later(90 * 24 * hour)), true)
})

test('what is usual is not known of a MID without notifications, or with a few', () => {
  const none = { lastAt: null, gaps: 0, longestGapMs: null, approvedSince: 100 }
  assert.equal(isSilent(none, later(90 * 24 * hour)), false)
  assert.equal(isSilent({ ...usual, gaps: 3 }, later(90 * 24 * hour)), false)
  assert.deepEqual([expectedWithinMs(none), expectedWithinMs({ ...usual, gaps: 4 })], [null, 6 * hour])
})
