/**
 * Checkout.com: Payments API of the current platform (API reference 3.0.0), by the documentation of November 2026.
 *
 * Captures, refunds and reversals are taken with 202 and decided later; the list of a payment's actions tells how. An unknown outcome is
 * looked up by Checkout.com's id, or by our reference, which every request carries.
 */

import { z } from 'zod'
import { hourMs } from '#domain/time.ts'
import type { AccessToken } from '../access-token.ts'
import { connector, type FollowUp, type Order, type Outcome } from '../connector.ts'
import { notExecuted, refusedSend } from '../outcome.ts'
import { formBody, jsonBody, type Wire, WireFault } from '../wire.ts'
import { toActionOutcome, toPaymentOutcome, toRefusal } from './answer.ts'
import { checkCredentials } from './check.ts'
import { type CheckoutCredentials, checkoutCredentials, checkoutHosts, usesAccessKey } from './credentials.ts'
import { disputes } from './disputes.ts'
import { findOutcome, findRefusedReversal, settledMs } from './lookup.ts'
import { readCheckoutNotification } from './notification.ts'
import { captureOrRefundOf, paymentOf, payoutOf, type Request, reversalOf } from './request.ts'
import { tokenRequestOf, tokenSourceOf } from './source.ts'
import { testCards } from './test-cards.ts'

type CheckoutWire = Wire<CheckoutCredentials>

const tokenSchema = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() })

const accessToken: AccessToken<CheckoutCredentials> = {
  isUsed: usesAccessKey,
  request: ({ access_key_id: id, access_key_secret: secret }) => ({
    method: 'POST',
    path: '/connect/token',
    host: 'access',
    body: formBody({ grant_type: 'client_credentials', client_id: id, client_secret: secret }),
  }),
  read: (reply) => {
    const parsed = reply.status === 200 ? tokenSchema.safeParse(reply.json()).data : undefined
    return parsed ? { token: parsed.access_token, validForMs: parsed.expires_in * 1000 } : null
  },
  headers: (token) => ({ authorization: `Bearer ${token}` }),
}

export const checkout = connector({
  id: 'checkout',
  title: 'Checkout.com',
  credentials: checkoutCredentials,
  hosts: checkoutHosts,
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
    'source.number',
    'source.cvv',
    'source.token',
    'source.cryptogram',
    'destination.number',
    '3ds.cryptogram',
    'token_data',
  ],
  disputes,
  reportsDecisions: true,
  recoveryWay: 'lookup',
  recovery: () => ({
    // "Idempotency" (January 2026): a key expires after 24 hours in both environments. One hour is kept back for clocks that differ.
    idempotencyKey: { validForMs: 23 * hourMs },
    // Its page advises to wait 30 s before a repetition; the lists may lag behind, so that four times as much is allowed.
    executesWithinMs: settledMs,
  }),
  accessToken,
  sign: ({ url }, credentials) => {
    if (usesAccessKey(credentials)) return {}
    // Tokens are made with the public key, since a browser may make them.
    const key = url.pathname.endsWith('/tokens') ? credentials.public_key : credentials.secret_key
    return { authorization: `Bearer ${key}` }
  },

  sale: (order, wire) => pay(order, wire, true),
  authorize: (order, wire) => pay(order, wire, false),
  credit: async (order, wire) => {
    if (wire.credentials.currency_account_id === undefined)
      return notExecuted('The MID has no currency account for payouts')
    return sendPayment(order, payoutOf(order, wire.credentials), wire)
  },
  capture: (followUp, wire) => act('captures', followUp, captureOrRefundOf(followUp), wire),
  refund: (followUp, wire) => act('refunds', followUp, captureOrRefundOf(followUp), wire),
  // Not `/voids`: a sale that turned out late is reversed as well, and Checkout.com has captured it by then.
  reverse: (followUp, wire) => act('reversals', followUp, reversalOf(followUp), wire),
  void: (followUp, wire) => act('reversals', followUp, reversalOf(followUp), wire),
  // Also when the payer is back from 3-D Secure: Checkout.com has then decided by itself, and needs nothing of what the browser brings.
  status: findOutcome,
  readNotification: async (request, wire) => readCheckoutNotification(request, wire.credentials),
  check: async (_nothing, wire) => checkCredentials(wire),
})

async function pay(order: Order, wire: CheckoutWire, isCaptured: boolean): Promise<Outcome> {
  const { credentials } = wire
  if (!order.wallet?.token) return sendPayment(order, paymentOf(order, { credentials, isCaptured }), wire)
  const tokenisation = await requestToken(order, wire)
  if (tokenisation.kind === 'refused') return tokenisation.outcome
  const source = tokenSourceOf(order, tokenisation.token, tokenisation.format)
  return sendPayment(order, paymentOf(order, { credentials, isCaptured, source }), wire)
}

async function sendPayment(order: Order, request: Request | null, wire: CheckoutWire): Promise<Outcome> {
  if (!request) return notPossible
  const reply = await wire.post('/payments', jsonBody(request.body), keyOf(order))
  return toPaymentOutcome(reply, request)
}

async function act(
  what: 'captures' | 'refunds' | 'reversals',
  followUp: FollowUp,
  request: Request | null,
  wire: CheckoutWire,
): Promise<Outcome> {
  if (!request || followUp.reference === null) return notPossible
  const path = `/payments/${encodeURIComponent(followUp.reference)}/${what}`
  const reply = await wire.post(path, jsonBody(request.body), keyOf(followUp))
  const isOpen = reply.status === 403 && what === 'reversals'
  return isOpen ? findRefusedReversal(followUp, followUp.reference, wire) : toActionOutcome(reply, request)
}

const keyOf = ({ transactionId }: { readonly transactionId: string }) => ({
  headers: { 'cko-idempotency-key': transactionId },
})

const issuedSchema = z.object({ token: z.string().min(1).max(200), token_format: z.string().optional() })

type Tokenisation =
  | { readonly kind: 'issued'; readonly token: string; readonly format: string | null }
  | { readonly kind: 'refused'; readonly outcome: Outcome }

/** A wallet's token becomes one of Checkout.com first. Nothing is charged by that: whatever goes wrong, the payment has not left. */
async function requestToken(order: Order, wire: CheckoutWire): Promise<Tokenisation> {
  const body = order.wallet && tokenRequestOf(order.wallet)
  if (!body) return { kind: 'refused', outcome: notPossible }
  if (!usesAccessKey(wire.credentials) && wire.credentials.public_key === undefined)
    return { kind: 'refused', outcome: notExecuted('The MID has no public key, which wallet tokens need') }
  const reply = await wire.post('/tokens', jsonBody(body)).catch((cause: unknown) => {
    const isBug = !(cause instanceof WireFault) || cause.isBug
    throw new WireFault('The acquirer made no token of the wallet’s token.', { sent: false, isBug, cause })
  })
  const issued = reply.status === 201 ? issuedSchema.safeParse(reply.json()).data : undefined
  if (issued) return { kind: 'issued', token: issued.token, format: issued.token_format ?? null }
  const refusal = toRefusal(reply, refusedSend('The acquirer refused the credentials'))
  const isKnown = refusal.result === 'not-executed'
  return {
    kind: 'refused',
    outcome: isKnown ? refusal : notExecuted('The acquirer made no token of the wallet’s token'),
  }
}

const notPossible: Outcome = notExecuted('The acquirer cannot take this payment method or this exact amount')
