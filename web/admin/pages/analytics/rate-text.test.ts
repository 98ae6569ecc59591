import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeText } from './rate-text.ts'

test('a change of rates is shown in percentage points with its sign', () => {
  assert.equal(changeText(0.9, 0.85, 'en'), '+5 pp')
  assert.equal(changeText(0.5, 0.625, 'de'), '-12,5 pp')
  assert.equal(changeText(0.5, 0.5, 'en'), '0 pp')
})

test('without a rate in both periods there is no change', () => {
  assert.equal(changeText(null, 0.5), null)
  assert.equal(changeText(0.5, null), null)
})
