import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accountText } from './account-text.ts'

test('an IBAN is written in groups of four, without a space at its end', () => {
  assert.equal(accountText('FR1420041010050500013M02606'), 'FR14 2004 1010 0505 0001 3M02 606')
  assert.equal(accountText('BE68539007547034'), 'BE68 5390 0754 7034')
})

test('an account number of a country without IBANs stays as it is', () => {
  assert.equal(accountText('1234567890123456'), '1234567890123456')
})
