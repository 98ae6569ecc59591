/** A callback is compared with the order that it is for. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { agreesWith, CallbackError, hashOf, verifyCallback } from '../src/index.ts'

const order = { amount: '500.00', currency: 'EUR' }
const checkout = { order_number: '7', order_amount: '500.00', order_currency: 'EUR', type: 'sale' }
const sale = { order_id: '7', action: 'SALE', amount: '500.00', currency: 'EUR' }

// biome-ignore format: a table is read in columns.
const callbacks: readonly (readonly [agrees: boolean, fields: Readonly<Record<string, string>>])[] = [
  [true,  checkout],
  [true,  { ...checkout, order_amount: '500' }],
  [true,  { ...checkout, order_amount: '0500.0' }],
  [false, { ...checkout, order_amount: '0.01' }],
  [false, { ...checkout, order_amount: '5000' }],
  [false, { ...checkout, order_amount: '500.001' }],
  [false, { ...checkout, order_currency: 'VND' }],
  [false, { ...checkout, type: 'refund', order_amount: '0.01' }],
  [true,  { order_number: '7', type: 'sale' }],
  [true,  sale],
  [false, { ...sale, amount: '0.01' }],
  [false, { ...sale, currency: 'VND' }],
  [true,  { ...sale, amount: '540.00', currency: 'USD', exchange_amount: '500.00', exchange_currency: 'EUR' }],
  [true,  { ...sale, action: 'CREDITVOID', amount: '1.00' }],
]
for (const [agrees, fields] of callbacks) {
  test(`${JSON.stringify(fields)} ${agrees ? 'is' : 'is not'} for the order`, () => {
    assert.equal(agreesWith({ fields }, order), agrees)
  })
}

test('a genuine callback of another amount is refused, if the receiver says what it expects', async () => {
  const fields = { ...checkout, id: 'p', order_amount: '0.01', order_description: 'Laptop', status: 'success' }
  const hash = await hashOf('checkout.callback', fields, { password: 'secret', digest: 'md5' })
  const received = { headers: {}, body: String(new URLSearchParams({ ...fields, hash })) }
  const receiver = { passwords: ['secret'] }
  const askedFor: string[] = []
  const find = (number: string) => {
    askedFor.push(number)
    return order
  }
  assert.equal((await verifyCallback(received, receiver)).fields['order_amount'], '0.01')
  for (const expected of [order, find, () => Promise.resolve(order)])
    await assert.rejects(verifyCallback(received, receiver, { expected }), CallbackError)
  assert.deepEqual(askedFor, ['7'])
  const { fields: read } = await verifyCallback(received, receiver, { expected: () => undefined })
  assert.equal(read['id'], 'p')
})
