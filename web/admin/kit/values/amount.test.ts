import assert from 'node:assert/strict'
import { test } from 'node:test'
import { amountFault, minorOf, typedAmount } from './amount.ts'

test('a typed amount becomes minor units by the decimals of its currency', () => {
  assert.equal(minorOf('10.5', 'EUR'), '1050')
  assert.equal(minorOf('10,50', 'EUR'), '1050')
  assert.equal(minorOf('1 000.00', 'EUR'), '100000')
  assert.equal(minorOf('1,000.00', 'EUR'), '100000', 'as the panel shows it')
  assert.equal(minorOf('100', 'JPY'), '100')
})

test('a text that is not a valid amount of the currency is refused', () => {
  for (const typed of ['', 'ten', '1.234', '-1', '1,00,0.00']) assert.equal(minorOf(typed, 'EUR'), null, typed)
  assert.equal(minorOf('1', 'XXY'), null)
})

test('an invalid amount gets a message that says what to enter instead', () => {
  for (const typed of ['', 'ten', '-5', '10.999'])
    assert.equal(amountFault(typed, 'EUR', '4990'), 'Enter an amount in EUR, such as 10.00.', typed)
  assert.equal(amountFault('1.5', 'JPY', '4990'), 'Enter an amount in JPY, such as 10.')
  assert.equal(amountFault('0.00', 'EUR', '4990'), 'Enter more than zero.')
  assert.equal(amountFault('49.91', 'EUR', 4990n), 'At most 49.90 EUR.')
  assert.equal(amountFault('49.90', 'EUR', 4990n), null)
})

test('an amount shown in a field is read back as the same amount', () => {
  assert.equal(minorOf(typedAmount('1050', 'EUR', 2), 'EUR'), '1050')
  for (const locale of ['en', 'de', 'fr', 'ar-EG'])
    assert.equal(minorOf(typedAmount('1000', 'KWD', 3, locale), 'KWD', 3, locale), '1000', locale)
})

test('an amount in a crypto currency uses the decimals of the payment, even if the currency is unknown here', () => {
  assert.equal(minorOf('1.5', 'BTC', 6), '1500000')
  assert.equal(minorOf(typedAmount('150', 'ODDCOIN', 2), 'ODDCOIN', 2), '150')
  assert.equal(amountFault('1.51', 'ODDCOIN', '150', 2), 'At most 1.50 ODDCOIN.')
  assert.equal(minorOf('1.5', 'EUR', 3), '150', 'one of ISO 4217 by its own')
})
