import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildFirstStep, type FirstStepInput, payerReturnTo } from './build-first-step.ts'

const least = {
  merchant: { id: 'merchant' },
  mode: 'live',
  protocol: 'S2S_CARD',
  mapping: { protocol: 'S2S_CARD' },
  action: 'SALE',
  order: { id: 'order' },
  paymentMethod: { kind: 'card' },
  useId: null,
} as unknown as FirstStepInput

const defaults = {
  motoType: null,
  auth: false,
  channel: null,
  payeeCard: null,
  saveCard: false,
  payer: {},
  payee: {},
  payerIp: null,
  language: undefined,
  callbackUrl: null,
  payerReturn: null,
  payerPresent: true,
  threeDs: null,
  recurringInit: false,
  schedule: null,
  parameters: null,
  customData: null,
  requestId: undefined,
}

test('a member that was not sent gets its default, whether it is absent or undefined', () => {
  const absent = Object.fromEntries(Object.keys(defaults).map((name) => [name, undefined]))
  assert.deepEqual(buildFirstStep(least), { ...least, ...defaults })
  assert.deepEqual(buildFirstStep({ ...least, ...absent }), { ...least, ...defaults })
})

test('a member that was sent is kept, also one that is false', () => {
  const checkout = { session: null, paymentId: null, facts: {} }
  const sent = { motoType: 'phone_moto', auth: true, channel: 'web', payerPresent: false, saveCard: true, checkout }
  assert.deepEqual(buildFirstStep({ ...least, ...sent }), { ...least, ...defaults, ...sent })
})

test('a payer returns only to an address that was sent', () => {
  assert.equal(payerReturnTo(undefined, '_top'), null)
  assert.deepEqual(payerReturnTo('https://shop.example/', undefined), { url: 'https://shop.example/', target: null })
  assert.deepEqual(payerReturnTo('https://shop.example/', '_top'), { url: 'https://shop.example/', target: '_top' })
})
