import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cryptoAmountOf } from './crypto-price.ts'

test('an order in money has its price in the crypto currency, rounded up', () => {
  assert.equal(cryptoAmountOf(1000n, 'EUR', 'BTC'), '0.00020000')
  assert.equal(cryptoAmountOf(1n, 'EUR', 'BTC'), '0.00000020')
  assert.equal(cryptoAmountOf(1000n, 'JPY', 'USDT'), '1000.000000')
})

test('an order in the crypto currency itself costs its own amount', () => {
  assert.equal(cryptoAmountOf(123n, 'BTC', 'BTC'), '0.00000123')
})

test('an amount that the payer decides has no price', () => {
  assert.equal(cryptoAmountOf(0n, 'EUR', 'BTC'), null)
})
