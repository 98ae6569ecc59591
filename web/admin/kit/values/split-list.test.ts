import assert from 'node:assert/strict'
import { test } from 'node:test'
import { splitList } from './split-list.ts'

test('codes may be separated by commas, spaces or line breaks', () => {
  assert.deepEqual(splitList('EUR, USD  GBP\nJPY,'), ['EUR', 'USD', 'GBP', 'JPY'])
  assert.deepEqual(splitList('  '), [])
})
