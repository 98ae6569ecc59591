/**
 * Adyen: Checkout API v71, Disputes API v30 and Webhooks v1, by the documentation of November 2026.
 *
 * Captures, refunds and reversals are decided later: Adyen takes them, and a signed webhook says how they ended. There is nothing to ask, so
 * that an unknown outcome is resolved by sending the same request under the same idempotency key, and after the key's end by a technical cancel.
 */
import { dayMs } from '#domain/time.ts'
import { type CredentialsCheck, connector, type FollowUp, type Order, type Outcome } from '../connector.ts'
import { merchantReference } from '../merchant-reference.ts'
import { jsonBody, type Wire } from '../wire.ts'
import { toCompletedOutcome, toModificationOutcome, toPaymentOutcome, toUndoOutcome } from './answer.ts'
import { toCheck } from './check.ts'
import { type AdyenCredentials, adyenCredentials } from './credentials.ts'
import { disputes } from './disputes.ts'
import { readAdyenNotification } from './notification.ts'
import { captureOrRefundOf, detailsOf, paymentOf, reversalOf, technicalCancelOf } from './request.ts'
import { testCards } from './test-cards.ts'

type AdyenWire = Wire<AdyenCredentials>

export const adyen = connector({
  id: 'adyen',
  title: 'Adyen',
  credentials: adyenCredentials,
  hosts: ({ live_url_prefix: prefix, base_url: replaced }, mode) => {
    const disputesAt = (host: string): string => `https://${host}.adyen.com/ca/services/DisputeService/v30`
    if (mode === 'test' || replaced !== undefined)
      return { api: 'https://checkout-test.adyen.com/v71', disputes: disputesAt('ca-test') }
    if (prefix === undefined) throw new Error('A live MID of Adyen needs the live URL prefix.')
    return {
      api: `https://${prefix}-checkout-live.adyenpayments.com/checkout/v71`,
      disputes: disputesAt('ca-live'),
    }
  },
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
    'paymentMethod.number',
    'paymentMethod.cvc',
    'paymentMethod.applePayToken',
    'paymentMethod.googlePayToken',
    'mpiData.cavv',
    'mpiData.tokenAuthenticationVerificationValue',
    'details.redirectResult',
    'details.PaRes',
    // Evidence names payers.
    'defenseDocuments',
  ],
  recoveryWay: 'repeat',
  recovery: () => ({
    // "API idempotency": a key is valid for at least 7 days after its first use (31 in older editions of the page).
    idempotencyKey: { validForMs: 7 * dayMs },
    // Adyen advises its clients to wait up to 60 s for an answer.
    executesWithinMs: 60_000,
  }),
  sign: (_request, { api_key }) => ({ 'x-api-key': api_key }),
  disputes,
  reportsDecisions: true,
  notificationAnswer: { status: 200, contentType: 'text/plain; charset=utf-8', body: '[accepted]' },

  sale: (order, wire) => pay(order, wire, 'at-once'),
  authorize: (order, wire) => pay(order, wire, 'later'),
  capture: (followUp, wire) =>
    modify('captures', followUp, captureOrRefundOf(followUp, wire.credentials.merchant_account), wire),
  refund: (followUp, wire) =>
    modify('refunds', followUp, captureOrRefundOf(followUp, wire.credentials.merchant_account), wire),
  // Not `/cancels`: a sale that turned out late is reversed as well, and may be captured by then.
  reverse: (followUp, wire) =>
    modify('reversals', followUp, reversalOf(followUp, wire.credentials.merchant_account), wire),
  void: (followUp, wire) =>
    modify('reversals', followUp, reversalOf(followUp, wire.credentials.merchant_account), wire),
  status: async () => ({ result: 'cannot-be-asked' }),
  complete: async (payerReturn, wire) => {
    const body = detailsOf(payerReturn)
    // Whether the payer paid before leaving is reported by the webhook.
    if (!body)
      return { result: 'unknown', reason: 'The payer has not come back from the page of the acquirer.', facts: {} }
    const reply = await wire.post('/payments/details', jsonBody(body))
    return toCompletedOutcome(reply, { reference: merchantReference(payerReturn) })
  },
  undo: async (sent, wire) => {
    if (sent.operation !== 'sale' && sent.operation !== 'authorize')
      return { result: 'unknown', reason: 'The acquirer can undo only a sale or an authorisation.', facts: {} }
    const body = technicalCancelOf(sent, wire.credentials.merchant_account)
    return toUndoOutcome(await wire.post('/cancels', jsonBody(body)), { reference: body.reference })
  },
  readNotification: async (request, wire) => readAdyenNotification(request, wire.credentials),
  check: async (_nothing, wire): Promise<CredentialsCheck> =>
    toCheck(await wire.post('/paymentMethods', jsonBody({ merchantAccount: wire.credentials.merchant_account }))),
})

async function pay(order: Order, wire: AdyenWire, capture: 'at-once' | 'later'): Promise<Outcome> {
  const { merchant_account: merchantAccount } = wire.credentials
  const body = paymentOf(order, { merchantAccount, capture })
  if (!body) return notPossible
  const reply = await wire.post('/payments', jsonBody(body), { idempotencyKey: order.transactionId })
  return toPaymentOutcome(reply, { reference: body.reference })
}

async function modify(
  what: 'captures' | 'refunds' | 'reversals',
  { reference, transactionId }: FollowUp,
  body: { readonly reference: string } | null,
  wire: AdyenWire,
): Promise<Outcome> {
  if (!body || reference === null) return notPossible
  const path = `/payments/${encodeURIComponent(reference)}/${what}`
  const reply = await wire.post(path, jsonBody(body), { idempotencyKey: transactionId })
  return toModificationOutcome(reply, { reference: body.reference, paymentPspReference: reference })
}

const notPossible: Outcome = {
  result: 'not-executed',
  reason: 'The acquirer cannot take this payment method or this exact amount',
  facts: {},
}
