import assert from 'node:assert/strict'
import { test } from 'node:test'
import { entryOf, valuesOf } from './wallet-entry.ts'

const a = { merchantId: 'm', side: 'live', wallet: 'walletapay' } as const
const b = { merchantId: 'm', side: 'test', wallet: 'walletbpay' } as const

test('a wallet that was never set up begins through the platform, wallet B with an account of its own', () => {
  assert.equal(valuesOf(a, null).setup, 'platform')
  assert.deepEqual([valuesOf(b, null).setup, valuesOf(b, null).environment], ['own_account', 'TEST'])
})

test('through the platform neither identifier nor keys are sent, whatever was typed before the choice', () => {
  const typed = {
    ...valuesOf(a, null),
    merchantIdentifier: 'merchant.example',
    privateKey: 'key',
    shopName: 'Lamps',
    country: 'de',
  }
  const entry = entryOf(typed, a, true)
  assert.equal('merchantIdentifier' in entry || 'privateKey' in entry, false)
  assert.deepEqual([entry.setup, entry.shopName, entry.country], ['platform', 'Lamps', 'DE'])
})

test('with an own account keys are sent as they were typed, and those that stay empty not at all', () => {
  const typed = { ...valuesOf(a, null), setup: 'own_account' as const, processingPrivateKey: 'MIG\nHAg' }
  const entry = entryOf(typed, a, true)
  assert.equal(entry.processingPrivateKey, 'MIG\nHAg')
  assert.equal('certificate' in entry, false)
  assert.equal(entry.merchantIdentifier, null)
})

test('a live instance sends no choice of whom to trust', () => {
  assert.equal('trustSource' in entryOf(valuesOf(a, null), a, false), false)
})
