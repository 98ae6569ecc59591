// Compiled and not only run: the check of types fails when a request drifts from the package of Stripe.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type Stripe from 'stripe'
import { followUpWith, orderWith, type SampleInput } from '../testing/contract-samples.ts'
import { cancelOf, captureOf, paymentIntentOf, refundOf, setupIntentOf } from './request.ts'
import type { Source } from './source.ts'

type Cards = Stripe.PaymentMethodCreateParams.Card

/** Stripe enables these for an account on request and leaves them out of its package. */
interface OnRequest {
  readonly payment_method_data?: { readonly card?: Cards & { network_token?: object } }
  readonly payment_method_options: { readonly card?: { network_token?: object; mit_exemption?: object } }
}

const typeOf = <T>(value: T): T => value

const order = (changes: SampleInput) => orderWith({ registerCard: true, ...changes })
const { card } = order({})
assert.ok(card)
const source: Source = { kind: 'card', card, customer: 'cus_1' }

test('a charge and a verification have the fields of Stripe’s package', () => {
  const changes = { moto: true, recurringInit: true }
  const intent = typeOf<Stripe.PaymentIntentCreateParams & OnRequest>(
    paymentIntentOf(order(changes), { source, amount: 1000, captureMethod: 'manual' }),
  )
  const setup = typeOf<Stripe.SetupIntentCreateParams & OnRequest>(setupIntentOf(order(changes), source))
  assert.deepEqual([intent.amount, setup.usage], [1000, 'off_session'])
})

test('later steps have the fields of Stripe’s package', () => {
  const followUp = followUpWith({})
  const capture = typeOf<Stripe.PaymentIntentCaptureParams>(captureOf(followUp, 400))
  const refund = typeOf<Stripe.RefundCreateParams>(
    refundOf(followUp, { intent: 'pi_1', amount: 400, operation: 'void' }),
  )
  const cancel = typeOf<Stripe.PaymentIntentCancelParams>(cancelOf())
  assert.deepEqual(
    [capture.amount_to_capture, refund.amount, cancel.cancellation_reason],
    [400, 400, 'requested_by_customer'],
  )
})
