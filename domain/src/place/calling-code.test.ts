import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callingCodeOf } from './calling-code.ts'

test('a country has its calling code as the interface takes it, and a territory without telephones none', () => {
  assert.deepEqual(
    ['DE', 'US', 'CA', 'AS', 'AQ'].map((country) => callingCodeOf(country)),
    ['49', '1', '1', '1-684', null],
  )
})
