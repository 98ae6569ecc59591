import assert from 'node:assert/strict'
import { test } from 'node:test'
import { orderWith } from '../../testing/contract-samples.ts'
import { configOf } from '../credentials.ts'
import { brandMethodOf } from './brand.ts'
import { withShortReferences } from './short-reference.ts'

const brandOrder = (code: string, identifier: string | null = null) =>
  orderWith({ card: null, brand: { code, kind: 'redirect', identifier, expiresAt: '2026-03-15T10:00:00.000Z' } })

test('a brand becomes the method of its name, and an acquirer without it takes nothing', () => {
  assert.deepEqual(brandMethodOf(brandOrder('ideal'), ['alipay', 'ideal']), { ideal: {} })
  assert.equal(brandMethodOf(brandOrder('eps'), ['alipay', 'ideal']), null)
  assert.equal(brandMethodOf(orderWith({}), ['ideal']), null)
})

test('an acquirer with a single method takes every brand for it', () => {
  assert.deepEqual(brandMethodOf(brandOrder('our-upi', 'john@bank'), ['upi']), {
    upiCollect: { vpaId: { value: 'john@bank' } },
  })
})

test('a short reference has twelve characters, begins with digits, and is the same for the same transaction', () => {
  const whole = '0199a1b2c3d47e5f8a6b000000000001'
  const other = '0199a1b2c3d47e5f8a6b000000000002'
  const { one, again, two, plain } = withShortReferences({ one: whole, again: whole, two: other, plain: 'ORDER-1' })
  assert.match(typeof one === 'string' ? one : '', /^[0-9]{4}[0-9A-Z]{8}$/)
  assert.equal(one, again)
  assert.notEqual(one, two)
  assert.equal(plain, 'ORDER-1')
})

test('credentials by currency stand where the package looks for them, and the currency itself does not', () => {
  const fields = [
    { name: 'currency', isSecret: false, path: [] },
    { name: 'apiKey', isSecret: true, path: ['authKeyMap', '{currency}', 'apiKey'] },
    { name: 'accountId', isSecret: true, path: ['authKeyMap', '{currency}', 'accountId'] },
  ]
  const config = configOf({ name: 'payload', fields }, { currency: 'USD', api_key: 'k', account_id: 'a' }, 'test')
  assert.deepEqual(config, {
    payload: { authKeyMap: { USD: { apiKey: { value: 'k' }, accountId: { value: 'a' } } } },
  })
})
