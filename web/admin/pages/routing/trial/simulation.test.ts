import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePaymentName } from './payment-name.ts'
import { emptySimulation, type SimulationInput, simulatedPaymentOf, typedFaults } from './simulation.ts'

const typedWith = (over: Partial<SimulationInput>): SimulationInput => ({
  ...emptySimulation,
  merchantId: 'm',
  mode: 'live',
  ...over,
})

test('an amount is sent in minor units of its currency', () => {
  assert.equal(simulatedPaymentOf(typedWith({ amount: '12.5', currency: 'eur' })).amountMinor, '1250')
  assert.equal(simulatedPaymentOf(typedWith({ amount: '1250', currency: 'JPY' })).amountMinor, '1250')
  assert.equal(
    typedFaults(typedWith({ amount: '1.234', currency: 'EUR' })).amount,
    'Enter a valid amount in this currency.',
  )
})

test('empty fields are left out of the payment', () => {
  const { bin, wallet, network, customData, seed } = simulatedPaymentOf(typedWith({ bin: ' ' }))
  assert.deepEqual([bin, wallet, network, customData, seed], [null, null, null, null, undefined])
})

test('custom data is one pair per line, and a value may contain an equals sign', () => {
  assert.deepEqual(simulatedPaymentOf(typedWith({ customData: 'tier=gold\n\n formula = a=b ' })).customData, {
    tier: 'gold',
    formula: 'a=b',
  })
})

test('a payment is recognised by its trans_id or by the address of its page', () => {
  const [merchantId, paymentId] = ['0199a0b0-0000-7000-8000-00000000000a', '0199a0b0-0000-7000-8000-00000000000b']
  assert.deepEqual(parsePaymentName(` ${paymentId.toUpperCase()} `), { merchantId: null, paymentId })
  const address = `https://pay.example.com/admin/merchants/${merchantId}/payments/${paymentId}?tab=routing`
  assert.deepEqual(parsePaymentName(address), { merchantId, paymentId })
  for (const other of ['', 'ORDER-1', `${paymentId}0`, `/merchants/${merchantId}`])
    assert.equal(parsePaymentName(other), null, other)
})
