import assert from 'node:assert/strict'
import { test } from 'node:test'
import { moneyText } from './money-text.ts'

// The locale of the tests groups by commas or not at all; what matters is every digit.
const plain = (text: string): string => text.replace(/(?<=\d),(?=\d{3})/g, '')

test('an amount has the decimals of its currency', () => {
  assert.equal(plain(moneyText({ minor: '123456', currency: 'EUR' })), '1234.56 EUR')
  assert.equal(plain(moneyText({ minor: '123456', currency: 'JPY' })), '123456 JPY')
  assert.equal(plain(moneyText({ minor: '123456', currency: 'KWD' })), '123.456 KWD')
})

test('no digit is lost where a binary number would round', () => {
  assert.equal(plain(moneyText({ minor: '900719925474099312', currency: 'EUR' })), '9007199254740993.12 EUR')
})

test('an amount below zero keeps its sign, also when it has no whole unit', () => {
  assert.equal(plain(moneyText({ minor: '-50', currency: 'EUR' })), '-0.50 EUR')
  assert.equal(plain(moneyText({ minor: '-150', currency: 'EUR' })), '-1.50 EUR')
})

test('a currency that nobody knows is shown in its minor units', () => {
  assert.equal(moneyText({ minor: '5', currency: 'XQQ' }), '5 XQQ')
})
