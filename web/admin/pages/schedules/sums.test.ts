import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sumsOf } from './sums.ts'

test('charges are added per currency in minor units, whatever decimals they were sent with', () => {
  const charges = [
    { currency: 'USD', amountMinor: '1999', amountDecimals: 2 },
    { currency: 'EUR', amountMinor: '500', amountDecimals: 0 },
    { currency: 'EUR', amountMinor: '250', amountDecimals: 2 },
  ]
  assert.deepEqual(sumsOf(charges), [
    { currency: 'EUR', minor: 750n, decimals: 2 },
    { currency: 'USD', minor: 1999n, decimals: 2 },
  ])
})

test('without charges there are no totals', () => {
  assert.deepEqual(sumsOf([]), [])
})
