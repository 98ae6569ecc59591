/** Sales, authorisations and payouts. */
import type { Order, Outcome } from '../connector.ts'
import { jsonBody, WireFault } from '../wire.ts'
import {
  type CybersourceAnswer,
  notPossible,
  outcomeOf,
  readAnswer,
  refusalIn,
  toDecline,
  toOutcome,
  unknown,
} from './answer.ts'
import type { CybersourceWire } from './credentials.ts'
import { creditOf, paymentOf, reversalOf } from './request.ts'

export async function pay(order: Order, wire: CybersourceWire, isCaptured: boolean): Promise<Outcome> {
  const request = paymentOf(order, isCaptured)
  if (!request) return notPossible
  const reading = readAnswer(await wire.post('/pts/v2/payments', jsonBody(request.body)), request)
  if (reading.kind === 'outcome') return reading.outcome
  const { answer } = reading
  return isHeldBack(answer) ? releaseHold(order, answer, wire) : outcomeOf('payment', answer, request)
}

/**
 * The issuer approved and CyberSource did not: its own rules about address, verification code or risk. A sale is not captured then. A person
 * could still release it in the Business Center, but no payer waits for that.
 */
const isHeldBack = ({ status, errorInformation }: CybersourceAnswer): boolean =>
  (status === 'AUTHORIZED_PENDING_REVIEW' && errorInformation?.reason !== 'CONTACT_PROCESSOR') ||
  status === 'AUTHORIZED_RISK_DECLINED'

/** The payer's money must not stay on hold for a payment that is declined. If the release fails, nothing is decided yet. */
async function releaseHold(order: Order, answer: CybersourceAnswer, wire: CybersourceWire): Promise<Outcome> {
  const { amountMinor } = order
  // A verified card holds nothing.
  const reversal = amountMinor ? reversalOf({ ...order, amountMinor }) : null
  if (!reversal) return toDecline(answer)
  const reply = await wire
    .post(`/pts/v2/payments/${answer.id}/reversals`, jsonBody(reversal.body))
    // The fault of the release must not reach the caller, who would take it for a fault of the payment, which was executed.
    .catch((fault: unknown) => {
      if (fault instanceof WireFault && !fault.isBug) return null
      throw fault
    })
  const isReleased =
    reply !== null &&
    (toOutcome('reversal', reply, reversal).result === 'approved' ||
      refusalIn(reply)?.reason === 'AUTH_ALREADY_REVERSED')
  return isReleased ? toDecline(answer) : unknown('The acquirer holds the payment back.')
}

export async function payOut(order: Order, wire: CybersourceWire): Promise<Outcome> {
  const request = creditOf(order)
  if (!request) return notPossible
  return toOutcome('credit', await wire.post('/pts/v2/credits', jsonBody(request.body)), request)
}
