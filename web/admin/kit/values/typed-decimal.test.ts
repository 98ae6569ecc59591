import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decimalOf } from './typed-decimal.ts'

test('a number is read as the panel shows it in the user’s locale', () => {
  for (const locale of ['en', 'de', 'fr', 'de-CH', 'en-IN', 'ar-EG', 'pl', 'sv'])
    for (const value of [0.5, 60.25, 1000, 1279.23, 1_234_567.5]) {
      const shown = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 }).format(value)
      assert.equal(Number(decimalOf(shown, locale)), value, `${locale} ${shown}`)
    }
})

test('a separator that could be read in two ways is read by the locale', () => {
  assert.equal(decimalOf('1.279', 'de'), '1279')
  assert.equal(decimalOf('1.279', 'en'), '1.279')
  assert.equal(decimalOf('1,279', 'en'), '1279')
  assert.equal(decimalOf('1,279', 'de'), '1.279')
  assert.equal(decimalOf('12.34', 'de'), '12.34', 'no group has two digits')
})

test('what is no number is not read', () => {
  for (const typed of ['', 'abc', '1,00,0.00', '-1', '1.2.3', '1e3', '12 34'])
    assert.equal(decimalOf(typed, 'en'), null, typed)
})
