import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limitFrom, limitTexts, listFrom } from './typed-settings.ts'

test('a limit is typed and read back unchanged; an empty field means no limit', () => {
  for (const limit of [
    { amountMinor: '100000', count: 5 },
    { amountMinor: null, count: null },
    { amountMinor: '0', count: 0 },
  ]) {
    const { amount, count } = limitTexts(limit)
    assert.deepEqual(limitFrom(amount, count), limit)
  }
})

test('codes may be separated by commas, spaces or line breaks', () => {
  assert.deepEqual(listFrom('EUR, USD  GBP\nJPY,'), ['EUR', 'USD', 'GBP', 'JPY'])
  assert.deepEqual(listFrom('  '), [])
})
