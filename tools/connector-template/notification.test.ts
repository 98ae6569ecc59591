import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { readReport } from './notification.ts'

const credentials = { merchant_id: 'M-1', api_secret: 'secret-0123456789', webhook_secret: 'webhook-0123456789' }
const paymentId = '0199a1b2-c3d4-7e5f-8a6b-00000000000a'
const report = {
  id: 'N-1',
  type: 'charge.decided',
  merchant_reference: `${paymentId}.000000000001`,
  at: '2026-03-01T12:00:00Z',
}

function read(content: object, secret = credentials.webhook_secret) {
  const body = Buffer.from(JSON.stringify(content))
  const headers = { 'x-signature': createHmac('sha256', secret).update(body).digest('hex') }
  return readReport({ headers, query: {}, body, receivedAt: new Date('2026-03-01T12:00:01Z') }, credentials)
}

test('a genuine notification names the transaction that was decided', () => {
  const reading = read(report)
  assert.ok(reading.kind === 'verified')
  const [event] = reading.events
  assert.deepEqual(event?.kind === 'decided' && [event.paymentId, event.transactionId], [paymentId, '000000000001'])
})

test('a notification with a wrong signature, of another kind, or about a stranger’s payment changes nothing', () => {
  assert.equal(read(report, 'another-0123456789').kind, 'unverified')
  assert.equal(read({ ...report, type: 'charge.seen' }).kind, 'ignored')
  assert.equal(read({ ...report, merchant_reference: 'SHOP-7' }).kind, 'ignored')
  assert.equal(read({}).kind, 'unverified')
})
