import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bodyOf, copyOf, emptyFee, emptyList, faultsOf } from './typed-list.ts'
import { emptyRule } from './typed-rule.ts'

const rule = {
  kinds: ['sale' as const, 'refund' as const],
  midIds: ['1', '2'],
  networks: ['visa', 'mastercard'],
  regions: ['domestic' as const, 'regional' as const],
  currency: 'EUR',
  fromMinor: '100',
  toMinor: null,
  fixedMinor: '25',
  share: 12_500,
  minimumMinor: '0',
}
const monthly = [
  { currency: 'EUR', amountMinor: '1000' },
  { currency: 'JPY', amountMinor: '1000' },
]
const list = {
  id: 'a',
  validFrom: '2026-01-01',
  validTo: '2026-12-31',
  country: 'DE',
  region: ['FR', 'IT'],
  rules: [rule, { ...rule, currency: null, fromMinor: null, fixedMinor: '0' }],
  monthly,
  reserve: { share: 50_000, days: 180 },
  madeBy: 'ann@example.com',
  madeAt: '2025-12-01T00:00:00Z',
}

test('a copy has everything except the days', () => {
  const { country, region, rules, reserve } = list
  const days = { validFrom: '2027-01-01', validTo: '2027-12-31' }
  assert.deepEqual(bodyOf({ ...copyOf(list), ...days }), { ...days, country, region, rules, monthly, reserve })
  assert.equal(faultsOf(copyOf(list)).validFrom, 'Enter the first day.')
})

test('a list without an end, monthly fee and reserve has none', () => {
  const { validTo, monthly: fees, reserve } = bodyOf({ ...emptyList, validFrom: '2027-01-01', country: 'de' })
  assert.deepEqual([validTo, fees, reserve], [null, [], null])
})

test('an end before the first day, a wrong monthly fee, and two in one currency are refused', () => {
  const faults = (changes: object) => faultsOf({ ...emptyList, validFrom: '2027-01-02', country: 'DE', ...changes })
  assert.match(faults({ validTo: '2027-01-01' }).validTo ?? '', /not before the first one/)
  assert.equal(faults({ validTo: '2027-01-02' }).validTo, null)
  const fee = (amount: string, currency = 'EUR') => ({ ...emptyFee, amount, currency })
  assert.equal(faults({ monthly: [fee('1.999')] }).monthly, '1.999 is not an amount in EUR.')
  assert.equal(faults({ monthly: [fee('1.00'), fee('2.00', 'eur')] }).monthly, 'Enter one monthly fee in EUR.')
  assert.equal(faults({ monthly: [fee('1.00'), fee('')] }).monthly, null)
  assert.match(faults({ rules: [{ ...emptyRule, fixed: '1' }] }).rules ?? '', /Rule 1: enter the currency/)
})
