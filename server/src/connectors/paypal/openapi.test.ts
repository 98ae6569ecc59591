// The fixtures against PayPal's own documents, which lie beside the project where they are known.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readFixtures, stepsOf } from '../testing/contract-fixtures.ts'
import { jsonReply } from '../testing/json-reply.ts'
import { openApi } from '../testing/openapi.ts'
import { toPaymentOutcome } from './answer.ts'
import { paypal } from './index.ts'
import { readOrder } from './order-answer.ts'

const orders = openApi('paypal-checkout_orders_v2.json')
const payments = openApi('paypal-payments_payment_v2.json')
const reading = await readFixtures(paypal.credentials, new URL('./fixtures/', import.meta.url))
assert.ok(reading.ok)

const pathOf = (path: string): string =>
  path
    .replace(/^(\/v2\/checkout\/orders)\/[^/]+/, '$1/{id}')
    .replace(/^(\/v2\/payments\/authorizations)\/[^/]+/, '$1/{authorization_id}')
    .replace(/^(\/v2\/payments\/captures)\/[^/]+/, '$1/{capture_id}')

const skip = (orders === null || payments === null) && 'the OpenAPI documents are not beside the project'

describe('Orders v2 and Payments v2', { skip }, () => {
  for (const fixture of reading.fixtures.exchanges) {
    for (const { request } of stepsOf(fixture)) {
      // A question has no body, and neither has a void in the document.
      if (request.method === 'GET' || request.path.endsWith('/void')) continue
      const document = request.path.startsWith('/v2/checkout') ? orders : payments
      test(`${fixture.file}: the request to ${request.path} is valid`, () => {
        assert.deepEqual(document?.requestFaults(request.method, pathOf(request.path), request.body), [])
      })
    }
  }

  test('an order without an amount is not valid', () => {
    const body = { intent: 'CAPTURE', purchase_units: [{ custom_id: 'x' }] }
    assert.notDeepEqual(orders?.requestFaults('POST', '/v2/checkout/orders', body), [])
  })

  for (const { name, status, body } of orders?.exampleReplies('POST', '/v2/checkout/orders') ?? []) {
    test(`orders, example ${name}: is read, and asked about by its id where it is short`, () => {
      const read = readOrder(jsonReply(status, body), 'sale', 'ours')
      assert.equal(read.kind, 'outcome')
      const { outcome } = Object(read)
      assert.equal(outcome.result, 'unknown')
      assert.equal(
        outcome.facts.reference ?? 'of another',
        Object(body).purchase_units ? 'of another' : Object(body).id,
      )
    })
  }

  for (const [path, kind] of [
    ['/v2/payments/authorizations/{authorization_id}/capture', 'capture'],
    ['/v2/payments/captures/{capture_id}/refund', 'refund'],
  ] as const) {
    for (const { name, status, body } of payments?.exampleReplies('POST', path) ?? []) {
      test(`${path}, example ${name}: is read`, () => {
        const { invoice_id = 'ours' } = Object(body)
        const { result } = toPaymentOutcome(kind, jsonReply(status, body), invoice_id)
        if (status < 300) assert.match(result, /^(approved|waiting|unknown)$/)
        else assert.match(result, /^(declined|not-executed|unknown)$/)
      })
    }
  }
})
