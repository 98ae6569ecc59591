/** Captures, refunds, releases and voids. Each names the transaction at CyberSource that it changes. */
import type { FollowUp, Outcome } from '../connector.ts'
import { notExecuted } from '../outcome.ts'
import { jsonBody, type WireReply } from '../wire.ts'
import { notPossible, refusalIn, toOutcome } from './answer.ts'
import type { CybersourceWire } from './credentials.ts'
import { captureOf, captureOrRefundOf, type ReleaseStep, reversalOf, voidOf } from './request.ts'

const noReference: Outcome = notExecuted('The acquirer’s reference of the payment is not known')

const pathOf = (what: 'payments' | 'captures', id: string, step: string): string =>
  `/pts/v2/${what}/${encodeURIComponent(id)}/${step}`

export async function capture(followUp: FollowUp, wire: CybersourceWire): Promise<Outcome> {
  const request = captureOf(followUp)
  if (!request) return notPossible
  if (followUp.reference === null) return noReference
  const reply = await wire.post(pathOf('payments', followUp.reference, 'captures'), jsonBody(request.body))
  return toOutcome('capture', reply, request)
}

/** A sale is refunded by its own id, a hold by the id of its capture. */
export async function refund(followUp: FollowUp, wire: CybersourceWire): Promise<Outcome> {
  const { captures, amountMinor, reference } = followUp
  const request = captureOrRefundOf(followUp)
  if (!request) return notPossible
  // CyberSource itself refuses what a capture has no more room for.
  const target = captures.findLast((one) => one.amountMinor >= amountMinor)
  if (captures.length > 0 && !target)
    return notExecuted('The amount is larger than each capture of the payment; refund it in parts')
  const id = target ? target.reference : reference
  if (id === null) return noReference
  const reply = await wire.post(pathOf(target ? 'captures' : 'payments', id, 'refunds'), jsonBody(request.body))
  return toOutcome('refund', reply, request)
}

/** The same day only: until CyberSource has sent the capture to the processor. */
export async function cancel(followUp: FollowUp, wire: CybersourceWire): Promise<Outcome> {
  const { captures, reference } = followUp
  if (captures.length > 1) return notExecuted('The payment was captured in parts; refund it instead')
  const id = captures.length === 1 ? (captures[0]?.reference ?? null) : reference
  if (id === null) return noReference
  const request = voidOf(followUp)
  const path = pathOf(captures.length === 1 ? 'captures' : 'payments', id, 'voids')
  const reply = await wire.post(path, jsonBody(request.body))
  return toOutcome('void', reply, request)
}

/**
 * Releases a hold. A sale whose outcome was found late is released as well, and its capture must be cancelled first: a void of a mere hold is
 * refused as not voidable, so that the order of the two requests leaves nothing captured.
 */
export async function release(followUp: FollowUp, wire: CybersourceWire): Promise<Outcome> {
  if (followUp.reference === null) return noReference
  return releaseById(followUp, followUp.reference, followUp.captures.length === 0, wire)
}

/** Requested again after a lost answer, since CyberSource executes it once: a hold that is gone is reported as reversed already. */
export async function releaseById(
  step: ReleaseStep,
  id: string,
  mayBeSale: boolean,
  wire: CybersourceWire,
): Promise<Outcome> {
  const reversal = reversalOf(step)
  if (!reversal) return notPossible
  const voided = mayBeSale ? await voidById(step, id, wire) : 'not-voidable'
  if (voided !== 'not-voidable') return voided
  const reply = await wire.post(pathOf('payments', id, 'reversals'), jsonBody(reversal.body))
  const wasReleased = refusalIn(reply)?.reason === 'AUTH_ALREADY_REVERSED'
  return wasReleased ? { result: 'approved', facts: {} } : toOutcome('reversal', reply, reversal)
}

/** Voids a payment by its own id, as a sale requires. */
export async function voidById(
  step: ReleaseStep,
  id: string,
  wire: CybersourceWire,
): Promise<Outcome | 'not-voidable'> {
  const request = voidOf(step)
  const reply = await wire.post(pathOf('payments', id, 'voids'), jsonBody(request.body))
  return isNotVoidable(reply) ? 'not-voidable' : toOutcome('void', reply, request)
}

export const isNotVoidable = (reply: WireReply): boolean => refusalIn(reply)?.reason === 'NOT_VOIDABLE'
