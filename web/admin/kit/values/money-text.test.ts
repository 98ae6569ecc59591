import assert from 'node:assert/strict'
import { test } from 'node:test'
import { moneyText } from './money-text.ts'

// The locale of the tests may or may not group digits by commas; only the digits matter.
const withoutGrouping = (text: string): string => text.replace(/(?<=\d),(?=\d{3})/g, '')

test('an amount has the decimals of its currency', () => {
  assert.equal(withoutGrouping(moneyText({ minor: '123456', currency: 'EUR' })), '1234.56 EUR')
  assert.equal(withoutGrouping(moneyText({ minor: '123456', currency: 'JPY' })), '123456 JPY')
  assert.equal(withoutGrouping(moneyText({ minor: '123456', currency: 'KWD' })), '123.456 KWD')
})

test('no digit is lost where a floating-point number would round', () => {
  assert.equal(withoutGrouping(moneyText({ minor: '900719925474099312', currency: 'EUR' })), '9007199254740993.12 EUR')
})

test('a negative amount keeps its sign, even if it is below one unit', () => {
  assert.equal(withoutGrouping(moneyText({ minor: '-50', currency: 'EUR' })), '-0.50 EUR')
  assert.equal(withoutGrouping(moneyText({ minor: '-150', currency: 'EUR' })), '-1.50 EUR')
})

test('an amount in an unknown currency is shown in minor units', () => {
  assert.equal(moneyText({ minor: '5', currency: 'XQQ' }), '5 XQQ')
})

test('whole part and decimals have the digits of the locale', () => {
  assert.equal(moneyText({ minor: '6050', currency: 'EUR' }, 'ar-EG'), '٦٠٫٥٠ EUR')
  assert.equal(moneyText({ minor: '1000', currency: 'KWD' }, 'ar-EG'), '١٫٠٠٠ KWD')
})
