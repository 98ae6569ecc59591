/**
 * Asks the acquirer about a transaction whose outcome is open. Chapter 10 §6.2, chapter 50 §5.
 *
 * What follows when the acquirer has never heard of it is the rule of `domain/payment/resend.ts`: it is sent again only under a key that
 * the acquirer honours, or when it was never sent before; it is given up, and watched, only once its request cannot be executed any more.
 */

import { hasProof } from '#domain/payment/facts.ts'
import { isOvertaken } from '#domain/payment/overtaken.ts'
import { firstStepTypes } from '#domain/payment/payment.ts'
import { decideAfterUnknownRequest, isKeyHonoured, type UnknownRequest, unlessSent } from '#domain/payment/resend.ts'
import type { Outcome } from '../../connectors/connector.ts'
import type { DoubtfulTransaction, Unresolved } from '../../contracts/ports.ts'
import type { PaymentRecord, TransactionRecord } from '../../contracts/records.ts'
import { charge, withoutPayer } from '../exchange/charge.ts'
import { type Departure, departureTo } from '../exchange/sending.ts'
import { statusAnswer } from '../exchange/status-query.ts'
import { atLatest, nextAsk } from '../exchange/transaction.ts'
import { storedCharge } from '../methods/stored-charge.ts'
import { interpretOutcome, payerHasUntil } from '../outcome/interpret-outcome.ts'
import { settle } from '../outcome/perform.ts'
import type { Deps } from '../request/deps.ts'
import { ask as askFollowUp } from './follow-up.ts'

const neverSent: Outcome = { result: 'not-executed', reason: 'The payment never reached the acquirer', facts: {} }
const underWay: Outcome = { result: 'unknown', reason: 'The acquirer has not heard of the payment yet', facts: {} }

/** A charge that never left us is carried out late only while the payer may still be waiting for it. */
const firstStepResendMs = 15 * 60_000

/** What is known now, and what is to be done about what is not. */
interface Finding {
  readonly outcome: Outcome
  /** The question is asked again within this time, whatever the plan says. */
  readonly askWithinMs?: number | null
  readonly watched?: boolean
}

export async function reconcile(deps: Deps, unresolved: Unresolved, doubtful: DoubtfulTransaction): Promise<void> {
  const { transaction } = doubtful
  const payment = await deps.payments.find(transaction.merchantId, transaction.paymentId)
  if (!payment || payment.openTransaction !== transaction.id) return unresolved.postpone(transaction, null)

  const finding = await find(deps, unresolved, payment, doubtful)
  // Another process sends it at this moment, and settles it.
  if (!finding) return
  const { outcome } = interpretOutcome(payment, transaction, finding.outcome, deps.clock.now())
  // Nothing that is still open can become of what was overtaken: it is asked about by plan, and a person is told at the end of it.
  const isNews = isFinal(outcome) || !isOvertaken(payment, transaction)
  const news = isNews && (outcome.result !== 'unknown' || transaction.state === 'sent')
  const { askWithinMs = null, watched = false } = finding
  if (news && !(outcome.result === 'waiting' && transaction.state === 'waiting')) {
    const { payment: after } = await settle(deps, { payment, transaction }, finding.outcome, {
      ending: { reason: 'outcome-unknown' },
      askWithinMs,
      watched,
    })
    // No rule took the outcome, and a person was told; whoever asked again would only tell him again.
    if (isFinal(outcome) && after.openTransaction === transaction.id) await unresolved.postpone(transaction, null)
    return
  }
  const now = deps.clock.now()
  const askAt = atLatest(nextAsk(now, transaction.asks, payerHasUntil(payment, transaction)), now, askWithinMs)
  await unresolved.postpone(transaction, askAt)
  if (askAt === null) await giveUp(deps, payment, transaction)
}

const isFinal = ({ result }: Outcome): boolean =>
  result === 'approved' || result === 'declined' || result === 'not-executed'

async function find(
  deps: Deps,
  unresolved: Unresolved,
  payment: PaymentRecord,
  doubtful: DoubtfulTransaction,
): Promise<Finding | null> {
  const { transaction } = doubtful
  // An authentication has no effect at the acquirer: interrupted, it is simply over.
  if (transaction.type === '3DS') return { outcome: neverSent }
  // Nobody but us calculates, and the commission stands in the payment already.
  if (transaction.type === 'CALC') return { outcome: { result: 'approved', facts: {} } }
  const answer = withoutPayer(payment, await statusAnswer(deps, payment, transaction))
  return answer.result === 'never-arrived'
    ? afterNeverArrived(deps, unresolved, payment, doubtful)
    : { outcome: answer }
}

/** Null when another process was quicker to send it. */
async function afterNeverArrived(
  deps: Deps,
  unresolved: Unresolved,
  payment: PaymentRecord,
  doubtful: DoubtfulTransaction,
): Promise<Finding | null> {
  const facts = await factsOf(deps, doubtful)
  const send = await sendable(deps, payment, doubtful)
  switch (send ? decideAfterUnknownRequest(facts) : unlessSent(facts)) {
    case 'send': {
      const departure = await departureTo(deps, doubtful.transaction.midId)
      return send && (await unresolved.beginSend(doubtful, departure)) ? { outcome: await send(departure) } : null
    }
    case 'drop':
      return { outcome: neverSent }
    case 'ask-again':
      return { outcome: underWay, askWithinMs: facts.mayStillExecute ? doubtful.inFlightMs : null }
    case 'give-up':
      return { outcome: neverSent, watched: true }
  }
}

async function factsOf(
  deps: Deps,
  { transaction, lastSend, inFlightMs, sentMsAgo }: DoubtfulTransaction,
): Promise<UnknownRequest> {
  const { recovery } = await deps.acquirers.of(transaction.midId)
  return {
    wasSent: lastSend.by !== null,
    wasAcknowledged: transaction.state === 'waiting' || transaction.reference !== null,
    mayStillExecute: inFlightMs > 0,
    keyHonoured: isKeyHonoured(recovery.idempotencyKey, sentMsAgo),
  }
}

type Send = (departure: Departure) => Promise<Outcome>

/** How it is sent; null when it may not be, or cannot be any more. */
async function sendable(
  deps: Deps,
  payment: PaymentRecord,
  { transaction, sentMsAgo }: DoubtfulTransaction,
): Promise<Send | null> {
  if (isOvertaken(payment, transaction)) return null
  if (!firstStepTypes.includes(transaction.type))
    return (departure) => askFollowUp(deps, { payment, transaction, departure })
  // The proof of the payer's authentication was in memory only, and a charge without it is another charge.
  if (payment.status === '3DS' || hasProof(payment.facts.threeDs)) return null
  if (isPast(payment, transaction, sentMsAgo)) return null
  // Chapter 20 §10: a payout is sent to the provider once.
  if (payment.kind === 'credit' && payment.facts.brand) return null
  const data = await storedCharge(deps, payment)
  return data && ((departure) => charge(deps, { payment, transaction, departure }, data))
}

/** Nobody waits for a plan payment: it is due however late it is found. */
const isPast = ({ planDate }: PaymentRecord, { type }: TransactionRecord, sentMsAgo: number): boolean =>
  planDate !== null && type !== 'RETRY' ? false : sentMsAgo > firstStepResendMs

async function giveUp(deps: Deps, payment: PaymentRecord, transaction: TransactionRecord): Promise<void> {
  await deps.alerts.raise({
    kind: 'outcome-unknown',
    merchantId: payment.merchantId,
    paymentId: payment.id,
    text: `The acquirer does not report the outcome of ${transaction.type} ${transaction.id}. Clarify it with the acquirer and decide it manually.`,
  })
}
