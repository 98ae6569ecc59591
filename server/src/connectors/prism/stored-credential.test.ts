import assert from 'node:assert/strict'
import { test } from 'node:test'
import { orderWith } from '../testing/contract-samples.ts'
import { paymentMethodOf } from './messages/payment-method.ts'
import { credentialFor, readMandate, writeMandate } from './stored-credential.ts'
import type { PrismAbility } from './table/row.ts'

const later = {
  storedCredential: { initiator: 'merchant', sequence: 'subsequent', source: 'recurring', reference: null },
}
const both: readonly PrismAbility[] = ['repeat-by-mandate', 'repeat-by-network']

test('what the acquirer stored goes before the number of the network, and each only where the acquirer takes it', () => {
  const order = orderWith({ ...later, chainCredential: 'm-1', networkTransactionId: 'n-1' })
  const kindAt = (abilities: readonly PrismAbility[]) => credentialFor(order, { abilities })?.kind
  assert.equal(kindAt(both), 'mandate')
  assert.equal(kindAt(['repeat-by-network']), 'network')
  assert.equal(kindAt(['sale']), undefined)
})

test('a first payment that left nothing leaves nothing to charge by', () => {
  assert.equal(credentialFor(orderWith(later), { abilities: both }), null)
})

test('a mandate of an id alone is that id, and one with more is read as it was written', () => {
  assert.equal(writeMandate({ mandate: 'm-1', customer: undefined }), 'm-1')
  const whole = { mandate: 'm-1', request: 'r-1', details: '{"a":1}', customer: 'c-1' }
  assert.deepEqual(readMandate(writeMandate(whole)), whole)
  assert.deepEqual(readMandate('m-1'), { mandate: 'm-1' })
})

test('a device number goes in the form of its wallet, as a network token, or not at all', () => {
  const decrypted = { panType: 'DPAN', dataType: '3DSecure', cryptogram: 'AgAA', eci: '05' }
  const order = orderWith({ wallet: { name: 'walletbpay', decrypted } })
  const formAt = (abilities: readonly PrismAbility[]) => Object.keys(paymentMethodOf(order, abilities) ?? {})
  assert.deepEqual(formAt(['wallet-b', 'network-token']), ['googlePaySdk'])
  assert.deepEqual(formAt(['wallet-a', 'network-token']), ['networkToken'])
  assert.deepEqual(formAt(['wallet-a']), [])
})
