import assert from 'node:assert/strict'
import { test } from 'node:test'
import { passes } from '../campaign.ts'
import { gapFigures } from './gap-figures.ts'

/** Fail-overs of 20 seconds after which payments came back so many seconds later. */
const passesWith = (...later: readonly number[]): boolean => {
  const gaps = later.map((seconds) => ({ fault: 'killed', database: 20, payments: 20 + seconds }))
  return passes({ figures: gapFigures(gaps), faults: [] })
}

test('payments have to be back two seconds after the database in the median, of at least five fail-overs', () => {
  assert.equal(passesWith(0.1, 0.2, 0.2, 0.3, 1.9), true)
  assert.equal(passesWith(0.1, 0.2, 2, 13.7, 13.7), true)
  assert.equal(passesWith(0.1, 0.2, 2.1, 2.2, 2.3), false)
  assert.equal(passesWith(5, 5), true, 'two say nothing about the median')
})
