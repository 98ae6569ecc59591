/** Later steps at PayPal: on an authorisation, or on a capture. */
import type { Answer, FollowUp, Outcome, StatusQuery } from '../connector.ts'
import { merchantReference } from '../merchant-reference.ts'
import { notExecuted } from '../outcome.ts'
import { jsonBody, type WireReply } from '../wire.ts'
import { issueOf, type PaymentKind, toFailure, toPaymentOutcome, unknown, unreadable } from './answer.ts'
import type { PaypalWire } from './orders.ts'
import { fromCapture, fromRefund, headersOf } from './request.ts'
import { paymentSchema } from './resources.ts'

const noReference = notExecuted('The acquirer has no reference of this payment')

export async function capture(followUp: FollowUp, wire: PaypalWire): Promise<Outcome> {
  const request = fromCapture(followUp)
  if (!request.ok) return notExecuted(request.reason)
  if (followUp.reference === null) return noReference
  const path = `/v2/payments/authorizations/${encodeURIComponent(followUp.reference)}/capture`
  const reply = await wire.post(path, jsonBody(request.body), { headers: headersOf(followUp.transactionId) })
  return toPaymentOutcome('capture', reply, merchantReference(followUp))
}

/** PayPal refunds captures. A sale is one, and its reference is the capture's. */
export function refund(followUp: FollowUp, wire: PaypalWire): Promise<Outcome> {
  return refundCapture(followUp, followUp.captures.at(-1)?.reference ?? followUp.reference, wire)
}

async function refundCapture(followUp: FollowUp, captureId: string | null, wire: PaypalWire): Promise<Outcome> {
  const request = fromRefund(followUp)
  if (!request.ok) return notExecuted(request.reason)
  if (captureId === null) return noReference
  const path = `/v2/payments/captures/${encodeURIComponent(captureId)}/refund`
  const reply = await wire.post(path, jsonBody(request.body), { headers: headersOf(followUp.transactionId) })
  return toPaymentOutcome('refund', reply, merchantReference(followUp))
}

/** Releases a hold. A sale that was found executed too late is reversed as well: PayPal knows no such authorisation, and its capture is refunded. */
export async function reverse(followUp: FollowUp, wire: PaypalWire): Promise<Outcome> {
  const { reference } = followUp
  if (reference === null) return noReference
  const path = `/v2/payments/authorizations/${encodeURIComponent(reference)}/void`
  const reply = await wire.post(path, jsonBody({}), { headers: headersOf(followUp.transactionId) })
  if (reply.status === 404 && issueOf(reply) === 'INVALID_RESOURCE_ID') return refundCapture(followUp, reference, wire)
  return voidOutcome(reply, reference)
}

/** PayPal has no key for voids and needs none: a second one is told that the hold is released. */
function voidOutcome(reply: WireReply, reference: string): Outcome {
  const released: Outcome = { result: 'approved', facts: { reference } }
  if (reply.status === 204) return released
  if (reply.status === 422 && issueOf(reply) === 'PREVIOUSLY_VOIDED') return released
  if (reply.status !== 200) return toFailure(reply)
  const parsed = paymentSchema.safeParse(reply.json())
  if (!parsed.success || parsed.data.id !== reference) return unknown(unreadable)
  return parsed.data.status === 'VOIDED' ? released : unknown('The acquirer has not released the hold yet.')
}

const addresses: Readonly<Record<'capture' | 'refund' | 'reverse', readonly [PaymentKind, string]>> = {
  capture: ['capture', '/v2/payments/captures/'],
  refund: ['refund', '/v2/payments/refunds/'],
  // A void is decided at once. What is still open is the refund in its place.
  reverse: ['refund', '/v2/payments/refunds/'],
}

export async function askFollowUp(query: StatusQuery, wire: PaypalWire): Promise<Answer> {
  const { operation, reference } = query
  const isKnown = operation === 'capture' || operation === 'refund' || operation === 'reverse'
  if (!isKnown || reference === null) return { result: 'cannot-be-asked' }
  const [kind, address] = addresses[operation]
  const reply = await wire.get(address + encodeURIComponent(reference))
  if (reply.status !== 200) return unknown(`The acquirer answered ${reply.status}.`)
  return toPaymentOutcome(kind, reply, merchantReference(query))
}
