import assert from 'node:assert/strict'
import { test } from 'node:test'
import { entryOf, valuesOf } from './wallet-entry.ts'

const a = { merchantId: 'm', mode: 'live', wallet: 'walletapay' } as const
const b = { merchantId: 'm', mode: 'test', wallet: 'walletbpay' } as const

test('a new wallet A starts with the platform setup, a new wallet B with an account of its own', () => {
  assert.equal(valuesOf(a, null).setup, 'platform')
  assert.deepEqual([valuesOf(b, null).setup, valuesOf(b, null).environment], ['own_account', 'TEST'])
})

test('in the platform setup neither identifier nor keys are sent, even if they were typed before', () => {
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

test('with an own account, keys are sent as typed, and empty ones are not sent', () => {
  const typed = { ...valuesOf(a, null), setup: 'own_account' as const, processingPrivateKey: 'MIG\nHAg' }
  const entry = entryOf(typed, a, true)
  assert.equal(entry.processingPrivateKey, 'MIG\nHAg')
  assert.equal('certificate' in entry, false)
  assert.equal(entry.merchantIdentifier, null)
})

test('a live instance sends no choice of trust anchors', () => {
  assert.equal('trustSource' in entryOf(valuesOf(a, null), a, false), false)
})
