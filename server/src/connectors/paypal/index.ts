/**
 * PayPal: cards (advanced card payments) and PayPal accounts.
 *
 * Follows Orders v2 (document 2.13), Payments v2 (2.5), Disputes v1 (1.10) and Webhooks v1 (1.11) read in November 2026.
 */
import { dayMs, hourMs } from '#domain/time.ts'
import { connector } from '../connector.ts'
import { accessToken, check } from './access.ts'
import { credentials } from './credentials.ts'
import { disputes } from './disputes.ts'
import { askFollowUp, capture, refund, reverse } from './follow-ups.ts'
import { readNotification } from './notification.ts'
import { askOrder, begin, complete, firstStepOf } from './orders.ts'
import { testCards } from './test-cards.ts'

export const paypal = connector({
  id: 'paypal',
  title: 'PayPal',
  credentials,
  hosts: (_credentials, mode) =>
    mode === 'live'
      ? { api: 'https://api-m.paypal.com', certificates: 'https://api.paypal.com' }
      : { api: 'https://api-m.sandbox.paypal.com', certificates: 'https://api.sandbox.paypal.com' },
  testCards,
  supports: {
    cardFlow: false,
    acceptsDecrypted: false,
    passesTokens: false,
    emv: false,
    partialCapture: true,
    partialRefund: true,
    moto: false,
    zeroAmount: false,
    recurring: true,
    cardOnFile: true,
    ownThreeDs: true,
    externalThreeDs: false,
    ipv6: false,
  },
  secretFields: ['payment_source.card.number', 'payment_source.card.security_code', 'payment_source.card.vault_id'],
  disputes,
  reportsDecisions: true,
  recoveryWay: 'repeat',
  recovery: () => ({
    // "PayPal-Request-Id" in the documents: Orders v2 keeps keys for 6 hours, Payments v2 for 45 days.
    idempotencyKey: { validForMs: 6 * hourMs, followUpsValidForMs: 45 * dayMs },
    // PayPal executes before it answers; the rest is for the line to it.
    executesWithinMs: 60_000,
  }),
  accessToken,

  sale: (order, wire) => begin('sale', order, wire),
  authorize: (order, wire) => begin('authorize', order, wire),
  capture,
  refund,
  reverse,
  complete,
  status: (query, wire) => {
    const step = firstStepOf(query)
    return step ? askOrder(query, step, wire) : askFollowUp(query, wire)
  },
  readNotification,
  check,
})
