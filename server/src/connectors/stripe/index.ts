/**
 * Stripe: PaymentIntents, SetupIntents and Refunds of the API version 2026-10-28.endive, by the documentation of November 2026
 * (https://docs.stripe.com/api).
 *
 * An intent is made and confirmed by one request with the card's number. Its metadata hold our ids, which notifications and lists return.
 */
import { dayMs } from '#domain/time.ts'
import { connector, type Order, type Outcome, type PayerReturn } from '../connector.ts'
import { notExecuted } from '../outcome.ts'
import { formBody } from '../wire.ts'
import { outcomeOf, toOutcome } from './answer.ts'
import { checkCredentials } from './check.ts'
import { credentials, type StripeWire } from './credentials.ts'
import { toStripeAmount } from './currencies.ts'
import { disputes } from './dispute-answers.ts'
import { listEffects } from './effects.ts'
import { unknown } from './failure.ts'
import { capture, refund, release } from './follow-up.ts'
import { fetchIntent, lookUp } from './lookup.ts'
import { readNotification } from './notification.ts'
import { paymentIntentOf, setupIntentOf } from './request.ts'
import { prepareSource } from './source.ts'
import { testCards } from './test-cards.ts'

const apiVersion = '2026-10-28.endive'

export const stripe = connector({
  id: 'stripe',
  title: 'Stripe',
  credentials,
  hosts: () => ({ api: 'https://api.stripe.com', files: 'https://files.stripe.com' }),
  testCards,
  supports: {
    cardFlow: true,
    acceptsDecrypted: true,
    passesTokens: true,
    emv: false,
    partialCapture: true,
    partialRefund: true,
    moto: true,
    zeroAmount: true,
    recurring: true,
    cardOnFile: true,
    ownThreeDs: true,
    externalThreeDs: true,
    ipv6: true,
  },
  secretFields: [
    'payment_method_data.card.number',
    'payment_method_data.card.cvc',
    'payment_method_data.card.network_token.number',
    'payment_method_options.card.network_token.cryptogram',
    'payment_method_options.card.three_d_secure.cryptogram',
    'pk_token',
    // The payer's browser can confirm the payment with it.
    'client_secret',
    'data.client_secret',
    'error.payment_intent.client_secret',
    'error.setup_intent.client_secret',
  ],
  sign: (_request, { secret_key, account_id }) => ({
    authorization: `Bearer ${secret_key}`,
    'stripe-version': apiVersion,
    ...(account_id && { 'stripe-account': account_id }),
  }),
  disputes,
  reportsDecisions: true,
  recoveryWay: 'lookup',
  recovery: () => ({
    // Keys may be removed once they are 24 hours old: https://docs.stripe.com/api/idempotent_requests.
    idempotencyKey: { validForMs: dayMs },
    // Stripe's own libraries wait 80 seconds for an answer.
    executesWithinMs: 90_000,
  }),

  sale: (order, wire) => charge('sale', order, wire),
  authorize: (order, wire) => charge('authorize', order, wire),
  capture,
  refund,
  reverse: (followUp, wire) => release('reverse', followUp, wire),
  void: (followUp, wire) => release('void', followUp, wire),
  status: lookUp,
  complete: completeStep,
  readNotification,
  check: (_nothing, wire) => checkCredentials(wire),
  effects: listEffects,
})

async function charge(operation: 'sale' | 'authorize', order: Order, wire: StripeWire): Promise<Outcome> {
  const { transactionId, amountMinor, currency } = order
  const amount = amountMinor === null ? null : toStripeAmount(amountMinor, currency)
  if (amount === null) return notExecuted('The acquirer cannot be asked for exactly this amount')
  const prepared = await prepareSource(order, wire)
  if (prepared.kind === 'refused') return prepared.outcome
  const { source } = prepared
  const captureMethod = operation === 'sale' ? 'automatic' : 'manual'
  const reply = await (amount === 0
    ? wire.post('/v1/setup_intents', formBody(setupIntentOf(order, source)), { idempotencyKey: transactionId })
    : wire.post('/v1/payment_intents', formBody(paymentIntentOf(order, { source, amount, captureMethod })), {
        idempotencyKey: transactionId,
      }))
  return toOutcome(reply, { transactionId, operation })
}

/** Stripe goes on by itself after the payer's authentication; what the browser brought back proves nothing. */
async function completeStep(payerReturn: PayerReturn, wire: StripeWire): Promise<Outcome> {
  const { state, reference, transactionId, operation } = payerReturn
  const id = typeof state.intent === 'string' ? state.intent : reference
  if (id === null) return unknown('The acquirer’s reference of the payment is not known.')
  const fetched = await fetchIntent(id, wire)
  if (fetched.kind === 'unknown') return fetched.outcome
  return outcomeOf(fetched.intent, { transactionId, operation: operation === 'authorize' ? 'authorize' : 'sale' })
}
