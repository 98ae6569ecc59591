/**
 * Asks the acquirer about a transaction whose outcome is open. Chapter 10 §6.2, chapter 50 §5.
 *
 * The command is never sent again unless the acquirer says that it never arrived; then it goes out once more under the same
 * idempotency key. A first step that lies too far back is not sent again even so: nobody is waiting for that charge any more.
 */

import { isOvertaken } from '#domain/payment/overtaken.ts'
import { firstStepTypes } from '#domain/payment/payment.ts'
import type { Outcome } from '../connectors/connector.ts'
import type { Unresolved } from '../ports.ts'
import type { PaymentRecord, TransactionRecord } from '../records.ts'
import { charge, withoutPayer } from './charge.ts'
import type { Deps } from './deps.ts'
import { ask as askFollowUp } from './follow-up.ts'
import { heard, payerHasUntil } from './heard.ts'
import { settle } from './perform.ts'
import { statusAnswer } from './status-query.ts'
import { storedCharge } from './stored-charge.ts'
import { nextAsk } from './transaction.ts'

const neverSent: Outcome = { result: 'not-executed', reason: 'The payment never reached the acquirer', facts: {} }

/** A charge that never left us is carried out late only while the payer may still be waiting for it. */
const firstStepResendMs = 15 * 60_000

export async function reconcile(deps: Deps, unresolved: Unresolved, transaction: TransactionRecord): Promise<void> {
  const payment = await deps.payments.find(transaction.merchantId, transaction.paymentId)
  if (!payment || payment.openTransaction !== transaction.id) return unresolved.postpone(transaction, null)

  const answered = await outcomeOf(deps, payment, transaction)
  const { outcome } = heard(payment, transaction, answered, deps.clock.now())
  // Nothing that is still open can become of what was overtaken: it is asked about by plan, and a person is told at the end of it.
  const isNews = isFinal(outcome) || !isOvertaken(payment, transaction)
  const news = isNews && (outcome.result !== 'unknown' || transaction.state === 'sent')
  if (news && !(outcome.result === 'waiting' && transaction.state === 'waiting')) {
    const { payment: after } = await settle(deps, payment, transaction, answered, {
      ending: { reason: 'outcome-unknown' },
    })
    // No rule took the outcome, and a person was told; whoever asked again would only tell him again.
    if (isFinal(outcome) && after.openTransaction === transaction.id) await unresolved.postpone(transaction, null)
    return
  }
  const askAt = nextAsk(deps.clock.now(), transaction.asks, payerHasUntil(payment, transaction))
  await unresolved.postpone(transaction, askAt)
  if (askAt === null) await giveUp(deps, payment, transaction)
}

const isFinal = ({ result }: Outcome): boolean =>
  result === 'approved' || result === 'declined' || result === 'not-executed'

async function outcomeOf(deps: Deps, payment: PaymentRecord, transaction: TransactionRecord): Promise<Outcome> {
  // An authentication has no effect at the acquirer: interrupted, it is simply over.
  if (transaction.type === '3DS') return neverSent
  // Nobody but us calculates, and the commission stands in the payment already.
  if (transaction.type === 'CALC') return { result: 'approved', facts: {} }
  const answer = withoutPayer(payment, await statusAnswer(deps, payment, transaction))
  return answer.result === 'never-arrived' ? sendAgain(deps, payment, transaction) : answer
}

async function sendAgain(deps: Deps, payment: PaymentRecord, transaction: TransactionRecord): Promise<Outcome> {
  if (isOvertaken(payment, transaction)) return neverSent
  if (!firstStepTypes.includes(transaction.type)) return askFollowUp(deps, payment, transaction)
  // The proof of the payer's authentication was in memory only, and a charge without it is another charge.
  if (payment.status === '3DS' || payment.facts.threeDs !== undefined) return neverSent
  if (isPast(deps, payment, transaction)) return neverSent
  // Chapter 20 §10: a payout is sent to the provider once.
  if (payment.kind === 'credit' && payment.facts.brand) return neverSent
  const data = await storedCharge(deps, payment)
  return data ? charge(deps, payment, transaction, data) : neverSent
}

/** Nobody waits for a plan payment: it is due however late it is found. */
function isPast(deps: Deps, { planDate }: PaymentRecord, { type, createdAt }: TransactionRecord): boolean {
  if (planDate !== null && type !== 'RETRY') return false
  return deps.clock.now().getTime() - createdAt.getTime() > firstStepResendMs
}

async function giveUp(deps: Deps, payment: PaymentRecord, transaction: TransactionRecord): Promise<void> {
  await deps.alerts.raise({
    kind: 'outcome-unknown',
    merchantId: payment.merchantId,
    paymentId: payment.id,
    text: `The acquirer could not say what became of ${transaction.type} ${transaction.id}; it has to be decided by hand.`,
  })
}
