import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callingCodeOf } from '#domain/place/calling-code.ts'
import { countries as codes } from '#domain/place/country.ts'
import { callingCodes, codeOfCountry, countryOfCode } from './calling-codes.ts'

const countries = [...codes].map((value) => ({ value, text: value, calling_code: callingCodeOf(value) }))

test('every country is a choice of its own, and countries without a calling code are left out', () => {
  const names = [
    { value: 'CA', text: 'Canada', calling_code: '1' },
    { value: 'US', text: 'United States', calling_code: '1' },
    { value: 'AQ', text: 'Antarctica', calling_code: null },
  ]
  assert.deepEqual(callingCodes(names), [
    { value: 'CA', text: 'Canada (+1)' },
    { value: 'US', text: 'United States (+1)' },
  ])
})

test('the chosen country stays, whichever others share its code', () => {
  for (const country of ['US', 'CA', 'GB', 'GG', 'RU', 'KZ', 'IT', 'VA'])
    assert.equal(countryOfCode(countries, codeOfCountry(countries, country), [country, 'DE']), country)
})

test('a code without a choice shows the payer’s own country, otherwise the largest', () => {
  assert.equal(countryOfCode(countries, '1', ['', 'CA']), 'CA')
  assert.deepEqual(
    ['1', '44', '7', '61', '39', '49'].map((code) => countryOfCode(countries, code, ['', 'FR'])),
    ['US', 'GB', 'RU', 'AU', 'IT', 'DE'],
  )
  assert.equal(countryOfCode(countries, '', ['', '']), '')
  assert.equal(countryOfCode(countries, '999', []), '999')
})
