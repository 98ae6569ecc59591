// Stripe's own example objects, which lie beside the project. Without them the tests say so and are skipped.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { z } from 'zod'
import { jsonReply } from '../testing/json-reply.ts'
import { outcomeOf, toOutcome } from './answer.ts'
import { readDispute } from './dispute.ts'
import { attemptSchema, factsOf, readIntent } from './intent.ts'
import { readEvent } from './notification.ts'
import { readRefund } from './refund.ts'

const file = new URL('../../../../../shared/acquirers/stripe-fixtures3.json', import.meta.url)
const skip = existsSync(file) ? false : 'Stripe’s example objects are not here'

function examples(): Readonly<Record<string, unknown>> {
  return z.object({ resources: z.record(z.string(), z.unknown()) }).parse(JSON.parse(readFileSync(file, 'utf8')))
    .resources
}

test('every example intent, refund, charge, dispute and event of Stripe is read', { skip }, () => {
  const { payment_intent, setup_intent, refund, charge, dispute, event } = examples()
  const parts = [payment_intent, setup_intent].map(readIntent)
  for (const intent of parts) assert.equal(intent?.status, 'requires_payment_method')
  assert.equal(readRefund(refund)?.status, 'succeeded')
  assert.equal(attemptSchema.parse(charge).payment_method_details?.card?.country, 'US')
  assert.equal(readDispute(dispute)?.status, 'warning_needs_response')
  assert.equal(readEvent(Buffer.from(JSON.stringify(event)))?.type, 'plan.created')
})

test('the example charge within the example intent gives its facts', { skip }, () => {
  const { payment_intent, charge } = examples()
  const intent = readIntent(Object.assign({}, payment_intent, { latest_charge: charge, status: 'succeeded' }))
  assert.ok(intent)
  assert.deepEqual(factsOf(intent), {
    reference: 'pi_1PgafyB7WZ01zgkWSjxsAJo3',
    issuerCountry: 'US',
    extended: { cvv_result: 'M' },
  })
})

test('the example intent, which is not ours, decides nothing', { skip }, () => {
  const { payment_intent } = examples()
  const expected = { transactionId: 't', operation: 'sale' } as const
  assert.equal(toOutcome(jsonReply(200, payment_intent), expected).result, 'unknown')
  const ours = readIntent(Object.assign({}, payment_intent, { metadata: { transaction_id: 't' } }))
  assert.ok(ours)
  assert.equal(outcomeOf(ours, expected).result, 'declined')
})
