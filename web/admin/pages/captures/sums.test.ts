import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sumsOf } from './sums.ts'

const hold = (currency: string, authorisedMinor: string) => ({
  currency,
  amountDecimals: 2,
  authorisedMinor,
  capturedMinor: '0',
})

test('holds are added per currency, never across currencies', () => {
  assert.deepEqual(sumsOf([hold('EUR', '1000'), hold('GBP', '5'), hold('EUR', '250')]), [
    { currency: 'EUR', decimals: 2, holds: 2, amountMinor: '1250' },
    { currency: 'GBP', decimals: 2, holds: 1, amountMinor: '5' },
  ])
  assert.deepEqual(sumsOf([]), [])
})
