import assert from 'node:assert/strict'
import { test } from 'node:test'
import { choosableStages, dueWarning } from './dispute.ts'

// biome-ignore format: a table is read in columns.
const warnings = [
  // days left   warned   due
  [8,            null,    null],
  [7,            null,    7],
  [5,            null,    7],
  [5,            7,       null],
  [3,            7,       3],
  [1,            3,       1],
  [0,            3,       1],
  [0,            1,       null],
  [-1,           null,    null],
] as const

test('people are warned 7, 3 and 1 days before the deadline, once each, and not afterwards', () => {
  for (const [left, warned, due] of warnings) assert.equal(dueWarning(left, warned), due, `${left} ${warned}`)
})

test('one person chooses no stage by which money would move, or that needs money which did not move', () => {
  assert.deepEqual(choosableStages(false), ['inquiry', 'won', 'lost'])
  assert.deepEqual(choosableStages(true), ['chargeback', 'pre-arbitration'])
})
