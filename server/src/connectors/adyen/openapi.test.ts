// The fixtures against Adyen's own documents, which lie beside the project where they are known.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readFixtures, stepsOf } from '../testing/contract-fixtures.ts'
import { jsonReply } from '../testing/json-reply.ts'
import { openApi } from '../testing/openapi.ts'
import { toModificationOutcome, toPaymentOutcome } from './answer.ts'
import { adyen } from './index.ts'
import { readAdyenNotification } from './notification.ts'

const checkout = openApi('adyen-checkout-v71.json')
const webhooks = openApi('adyen-webhooks-v1.json')
const reading = await readFixtures(adyen.credentials, new URL('./fixtures/', import.meta.url))
assert.ok(reading.ok)

const pathOf = (path: string): string =>
  path.replace(/^\/v71/, '').replace(/^\/payments\/REF-1\//, '/payments/{paymentPspReference}/')

describe('Checkout API v71', { skip: checkout === null && 'its OpenAPI document is not beside the project' }, () => {
  for (const fixture of reading.fixtures.exchanges) {
    for (const { request } of stepsOf(fixture)) {
      test(`${fixture.file}: the request is valid`, () => {
        assert.deepEqual(checkout?.requestFaults(request.method, pathOf(request.path), request.body), [])
      })
    }
  }

  test('a request with a field that the document does not have is not valid', () => {
    const body = { merchantAccount: 'A', amount: { currency: 'EUR', value: 1 }, unheardOf: true }
    assert.notDeepEqual(checkout?.requestFaults('POST', '/payments/{paymentPspReference}/captures', body), [])
  })

  const known: ReadonlySet<string> = new Set(['approved', 'declined', 'waiting', 'payer-step', 'not-executed'])

  for (const path of ['/payments', '/payments/details']) {
    for (const { name, status, body } of checkout?.exampleReplies('POST', path) ?? []) {
      test(`${path}, example ${name}: is read`, () => {
        // The examples name a reference that is no reference of ours.
        const example = { ...Object(body), merchantReference: 'ours' }
        const { result } = toPaymentOutcome(jsonReply(status, example), { reference: 'ours' })
        // Adyen's own errors, and the native authentication in an app, leave the outcome open.
        const isOpen = status >= 500 || /web|native/.test(name)
        assert.equal(known.has(result), !isOpen, result)
      })
    }
  }

  for (const what of ['captures', 'refunds', 'reversals']) {
    const path = `/payments/{paymentPspReference}/${what}`
    for (const { name, status, body } of checkout?.exampleReplies('POST', path) ?? []) {
      test(`${path}, example ${name}: is read`, () => {
        const { reference = '', paymentPspReference = null } = Object(body)
        const { result } = toModificationOutcome(jsonReply(status, body), { reference, paymentPspReference })
        assert.equal(result, status === 201 ? 'waiting' : status < 500 ? 'not-executed' : 'unknown')
      })
    }
  }
})

describe('Webhooks v1', { skip: webhooks === null && 'its OpenAPI document is not beside the project' }, () => {
  for (const [name, value] of webhooks?.examples('post-') ?? []) {
    test(`example ${name}: has no valid signature and is not believed`, () => {
      const body = Buffer.from(JSON.stringify(value))
      const request = { headers: {}, query: {}, body, receivedAt: new Date('2026-03-01T12:00:00Z') }
      const credentials = { merchant_account: 'A', api_key: 'k'.repeat(20), hmac_key: '0'.repeat(64) }
      assert.equal(readAdyenNotification(request, credentials).kind, 'unverified')
    })
  }
})
