import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isIdOf, merchantReference, readMerchantReference } from './merchant-reference.ts'

const key = { paymentId: '0199a1b2-c3d4-7e5f-8a6b-00000000000a', transactionId: '0199a1b2-c3d4-7e5f-8a6b-000000000001' }

test('a merchant reference fits in 50 characters and leads back to its payment and transaction', () => {
  const text = merchantReference(key)
  assert.ok(text.length <= 50)
  assert.deepEqual(readMerchantReference(text), { paymentId: key.paymentId, transactionId: '000000000001' })
  assert.equal(isIdOf('000000000001', { id: key.transactionId }), true)
  assert.equal(isIdOf(key.transactionId, { id: key.transactionId }), true)
  assert.equal(isIdOf('000000000002', { id: key.transactionId }), false)
  assert.equal(isIdOf('1', { id: key.transactionId }), false)
})

test('a reference of another shop is not ours', () => {
  for (const text of ['', 'ORDER-1', key.paymentId, `${merchantReference(key)}0`, merchantReference(key).toUpperCase()])
    assert.equal(readMerchantReference(text), null, text)
})
