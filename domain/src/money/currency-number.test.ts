import assert from 'node:assert/strict'
import { test } from 'node:test'
import currencyCodes from 'currency-codes'
import { isoExponents } from './currencies.ts'
import { currencyNumber } from './currency-number.ts'

test('every currency of the gateway has a three-digit number', () => {
  for (const [code] of isoExponents) assert.match(currencyNumber(code) ?? 'none', /^\d{3}$/, code)
})

test('the numbers agree with an independent list of ISO 4217', () => {
  const independent = currencyCodes.data.filter(({ code }) => isoExponents.has(code))
  assert.ok(independent.length > 150)
  for (const { code, number } of independent) assert.equal(currencyNumber(code), number, code)
})

test('leading zeros are kept, and unknown codes have no number', () => {
  assert.equal(currencyNumber('ALL'), '008')
  assert.equal(currencyNumber('QQQ'), undefined)
})
