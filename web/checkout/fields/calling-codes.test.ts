import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callingCodeOf, callingCodes, countryOfCode } from './calling-codes.ts'

test('every country is a choice of its own, and countries without a calling code are left out', () => {
  const names = [
    { value: 'CA', text: 'Canada' },
    { value: 'US', text: 'United States' },
    { value: 'AQ', text: 'Antarctica' },
  ]
  assert.deepEqual(callingCodes(names), [
    { value: 'CA', text: 'Canada (+1)' },
    { value: 'US', text: 'United States (+1)' },
  ])
})

test('the chosen country stays, whichever others share its code', () => {
  for (const country of ['US', 'CA', 'GB', 'GG', 'RU', 'KZ', 'IT', 'VA'])
    assert.equal(countryOfCode(callingCodeOf(country), [country, 'DE']), country)
})

test('a code without a choice shows the payer’s own country, otherwise the largest', () => {
  assert.equal(countryOfCode('1', ['', 'CA']), 'CA')
  assert.deepEqual(
    ['1', '44', '7', '61', '39', '49'].map((code) => countryOfCode(code, ['', 'FR'])),
    ['US', 'GB', 'RU', 'AU', 'IT', 'DE'],
  )
  assert.equal(countryOfCode('', ['', '']), '')
  assert.equal(countryOfCode('999', []), '999')
})
