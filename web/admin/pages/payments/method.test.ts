import assert from 'node:assert/strict'
import { test } from 'node:test'
import { methodText } from './method.ts'

const nothing = { cardMask: null, wallet: null, brand: null }

test('a payment method is shown by its last four digits, its wallet or its brand', () => {
  assert.equal(methodText({ ...nothing, cardMask: '411111******1111' }), '•••• 1111')
  assert.equal(methodText({ ...nothing, cardMask: '400000******0018', wallet: 'walletapay' }), 'Wallet A •••• 0018')
  assert.equal(methodText({ ...nothing, brand: 'lamp-pay' }), 'lamp-pay')
  assert.equal(methodText(nothing), '—')
})
