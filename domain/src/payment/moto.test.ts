/** Chapter 10 §7.1.7: which values of `moto_type` make a payment MOTO. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isMoto, motoTypes } from './moto.ts'

test('phone_moto, email_moto and default_moto are MOTO; ecommerce is not', () => {
  assert.deepEqual(motoTypes.filter(isMoto), ['phone_moto', 'email_moto', 'default_moto'])
})

test('a value that the interface does not know, or none, is not MOTO', () => {
  for (const other of ['moto', 'PHONE_MOTO', '', null, undefined]) assert.equal(isMoto(other), false)
})
