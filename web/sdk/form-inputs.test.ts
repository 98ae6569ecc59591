import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inputIds, isValidInput, paymentPart, type Rules, type TypedInputs } from './form-inputs.ts'

const rules: Rules = { method: null, savedCard: null, moto: false, today: '2026-11-15', atPay: true }
const typed: TypedInputs = {
  payer_card: '4111 1111 1111 1111',
  payer_cvv: '123',
  payer_expiryDate: '01/38',
  payer_name: 'Jane Roe',
}
const wrongIn = (values: TypedInputs, with_: Partial<Rules> = {}) =>
  inputIds.filter((id) => !isValidInput(id, values, { ...rules, ...with_ }))

test('four inputs are required, the others may be missing or empty', () => {
  assert.deepEqual(wrongIn(typed), [])
  assert.deepEqual(wrongIn({ ...typed, payer_email: '', payer_zip: '' }), [])
  assert.deepEqual(wrongIn({}), ['payer_card', 'payer_cvv', 'payer_expiryDate', 'payer_name'])
})

test('each input is validated by the rules of the hosted page (Chapter 30 §7.3)', () => {
  const wrong: TypedInputs = {
    payer_card: '4111 1111 1111 1112',
    payer_cvv: '12',
    payer_expiryDate: '10/26',
    payer_name: 'Jane 2',
    payer_email: 'jane',
    payer_phone: 'call me',
    payer_phone_country_code: 'x',
    payer_zip: '12345678901',
    payer_city: 'x'.repeat(41),
    payer_state: 'x'.repeat(33),
    payer_address: 'x'.repeat(256),
    payer_country: 'Germany',
  }
  assert.deepEqual(wrongIn(wrong), inputIds)
})

test('an optional input is required if the method asks for it', () => {
  const email = { name: 'customer.email', required: true, type: 'email' }
  const method = { fields: [email], networks: [] } as unknown as NonNullable<Rules['method']>
  assert.deepEqual(wrongIn(typed, { method }), ['payer_email'])
})

test('a state is required only in a country that has states', () => {
  const fields = ['country', 'state'].map((name) => ({ name: `billing_address.${name}`, required: true, type: name }))
  const method = { fields, networks: [] } as unknown as NonNullable<Rules['method']>
  assert.deepEqual(wrongIn({ ...typed, payer_country: 'DE' }, { method }), [])
  assert.deepEqual(wrongIn({ ...typed, payer_country: 'US' }, { method }), ['payer_state'])
  const [, state] = fields
  const countrySent = { fields: [state], networks: [] } as unknown as NonNullable<Rules['method']>
  assert.deepEqual(wrongIn(typed, { method: countrySent }), ['payer_state'])
})

test('with a MOTO value the security code may be empty', () => {
  assert.deepEqual(wrongIn({ ...typed, payer_cvv: '' }, { moto: true }), [])
})

test('a saved card needs only its security code', () => {
  const savedCard = { asksCode: true, brand: 'amex' }
  assert.deepEqual(wrongIn({ payer_cvv: '1234' }, { savedCard }), [])
  assert.deepEqual(wrongIn({ payer_cvv: '123' }, { savedCard }), ['payer_cvv'])
  assert.deepEqual(wrongIn({}, { savedCard: { ...savedCard, asksCode: false } }), [])
})

test('the input is sent under the names of the service', () => {
  assert.deepEqual(
    paymentPart({ ...typed, payer_email: 'jane@example.com', payer_country: 'DE', payer_city: '' }, ''),
    {
      card: { number: '4111111111111111', expiry: '01/2038', cvv: '123' },
      customer: { name: 'Jane Roe', email: 'jane@example.com' },
      billing_address: { country: 'DE' },
    },
  )
})

test('the active card token takes precedence over a typed card', () => {
  const { card, card_token: saved, cvv } = paymentPart(typed, 'token-1')
  assert.deepEqual([card, saved, cvv], [undefined, 'token-1', '123'])
})
