/**
 * Settles outcomes: the last part of intent → request → outcome, for every operation.
 *
 * The intent is committed before the request is sent and the outcome after it, so that after a crash in between the reconciler finds the
 * intent. No database transaction is open during the request. An outcome that cannot be known is `unknown`: the reconciler asks again.
 */

import { limits } from '#domain/limits.ts'
import { type Conclusion, conclude, type Result } from '#domain/payment/decide.ts'
import { concludeLateReversal, reversesLateCharge } from '#domain/payment/late-success.ts'
import { concludeOvertaken } from '#domain/payment/overtaken.ts'
import { firstStepTypes } from '#domain/payment/payment.ts'
import type { Ending } from '#domain/routing/ending.ts'
import type { Outcome } from '../../connectors/connector.ts'
import type { PaymentRecord, Settlement, StoredFacts, TransactionRecord } from '../../contracts/records.ts'
import { writeCurrent } from '../../process/current-write.ts'
import { currentPayment } from '../exchange/current-payment.ts'
import { today } from '../exchange/today.ts'
import { atLatest, nextAsk } from '../exchange/transaction.ts'
import type { Deps } from '../request/deps.ts'
import { recountLimits } from '../routing/limit-usage.ts'
import { consequencesOf, noConsequences, withFirstDate } from './consequences.ts'
import { type InterpretedOutcome, interpretOutcome, payerHasUntil } from './interpret-outcome.ts'
import { reverseLateCharge, wasWrittenOff } from './late-success.ts'
import { stepOf, withRedirect } from './payer-redirect.ts'
import { countForHealth } from './tally.ts'
import { nextWatchAt, withDelayedRetry } from './watch-plan.ts'

/** A payment in its current state and the transaction just executed on it: the content of an answer. */
export interface PaymentWithTransaction {
  readonly payment: PaymentRecord
  readonly transaction: TransactionRecord
}

/** How the payment continues: with `goesOn` another attempt follows a declined first step; otherwise `ending` says why none does. */
interface SettleOptions {
  readonly goesOn?: boolean
  readonly ending?: Ending
  /** If the outcome stays open, the acquirer is queried again within this time. */
  readonly askWithinMs?: number | null
  /** The transaction is written off, and its acquirer is queried for some days in case it was executed after all. */
  readonly watched?: boolean
}

/** Writes the outcome of an open transaction with its ledger entries and its callback, by one statement. */
export async function settle(
  deps: Deps,
  open: PaymentWithTransaction,
  outcome: Outcome,
  after: SettleOptions = {},
): Promise<PaymentWithTransaction> {
  const { payment, transaction } = open
  const written = await writeCurrent({
    record: payment,
    write: (before) => {
      const isOver = before !== payment && before.openTransaction !== transaction.id
      return isOver
        ? acceptEarlierOutcome(deps, before, transaction, outcome)
        : writeOutcome(deps, { payment: before, transaction }, outcome, after)
    },
    read: () => currentPayment(deps, payment),
  })
  if (written) return written
  throw new Error(`The outcome of transaction ${transaction.id} could not be stored: the payment kept changing.`)
}

async function writeOutcome(
  deps: Deps,
  { payment: before, transaction }: PaymentWithTransaction,
  outcome: Outcome,
  after: SettleOptions,
): Promise<PaymentWithTransaction | null> {
  const interpreted = interpretOutcome(before, transaction, outcome, deps.clock.now())
  const conclusion = concludeOutcome(deps, interpreted)
  if (!conclusion) return alertTooLate(deps, before, transaction, outcome)

  const settlement = await settlementOf(deps, before, { interpreted, conclusion, follow: after })
  if ((await deps.payments.settle(settlement)) !== 'settled') return null
  deps.wake()
  countForHealth(deps, settlement)
  await raiseAlerts(deps, interpreted, settlement)
  return { payment: settlement.after, transaction: settlement.transaction }
}

/** Another process settled this transaction first, and its outcome stands. An executed charge that it wrote off is reversed. */
async function acceptEarlierOutcome(
  deps: Deps,
  payment: PaymentRecord,
  { id }: TransactionRecord,
  outcome: Outcome,
): Promise<PaymentWithTransaction> {
  const result = await readTransaction(deps, payment, { id })
  if (outcome.result === 'approved' && wasWrittenOff(result.transaction)) {
    await reverseLateCharge(deps, result.transaction, outcome.facts)
  }
  return result
}

export async function readTransaction(
  deps: Deps,
  payment: PaymentRecord,
  { id }: { readonly id: string },
): Promise<PaymentWithTransaction> {
  const transactions = await deps.payments.transactions(payment.merchantId, payment.id)
  const transaction = transactions.find((candidate) => candidate.id === id)
  if (!transaction) throw new Error(`Transaction ${id} was not found.`)
  return { payment, transaction }
}

function concludeOutcome(deps: Deps, { payment, transaction, outcome }: InterpretedOutcome): Conclusion | null {
  if (reversesLateCharge(payment, transaction.type)) return concludeLateReversal(payment, resultOf(outcome))
  const at = { today: today(deps, deps.configuration.mid(transaction.midId)) }
  const conclusion = conclude(payment, transaction, resultOf(outcome), {
    ...at,
    ...(outcome.result === 'declined' ? { declineClass: outcome.declineClass } : {}),
    ...(outcome.result === 'not-executed' ? { declineClass: 'technical' as const } : {}),
  })
  // Only for the open transaction: an outcome that arrives twice must not change anything again.
  if (conclusion || payment.openTransaction !== transaction.id) return conclusion
  return concludeOvertaken(payment, transaction, resultOf(outcome))
}

function resultOf(outcome: Outcome): Result {
  switch (outcome.result) {
    case 'approved':
      return 'ok'
    case 'declined':
    case 'not-executed':
      return 'fail'
    case 'waiting':
      return 'waiting'
    case 'unknown':
      return 'unknown'
    case 'payer-step':
      return outcome.step
  }
}

interface ConcludedOutcome {
  readonly interpreted: InterpretedOutcome
  readonly conclusion: Conclusion
  readonly follow: SettleOptions
}

async function settlementOf(
  deps: Deps,
  before: PaymentRecord,
  { interpreted: { payment, transaction, outcome }, conclusion, follow }: ConcludedOutcome,
): Promise<Settlement> {
  const at = deps.clock.now()
  const open = conclusion.payment.inFlight
  const ended = endTransaction(transaction, outcome, conclusion, at)
  const isFirst = firstStepTypes.includes(transaction.type)
  const goesOn = follow.goesOn === true && conclusion.payment.status === 'DECLINED'
  const { after, recount } = recountLimits(before, {
    ...payment,
    ...conclusion.payment,
    version: before.version + 1,
    cascading: goesOn ? 'continues' : payment.cascading,
    declineReason: reasonAfter(payment, ended, conclusion),
    reference: isFirst ? (ended.reference ?? payment.reference) : payment.reference,
    facts: {
      ...withoutUnknownEnding(payment.facts, outcome),
      ...(isFirst ? { acquirer: { ...payment.facts.acquirer, ...outcome.facts } } : {}),
      ...endingFacts({ payment, transaction, outcome }, conclusion, follow),
    },
    openTransaction: open ? transaction.id : null,
    updatedAt: at,
  })
  const isPaid = isFirst && ended.state === 'success'
  const step = stepOf(deps, after, ended, outcome)
  const following = goesOn ? noConsequences : await consequencesOf(deps, after, ended, at)
  const follows = follow.watched ? withDelayedRetry(following, at) : following
  const shown = step ? withRedirect(deps, after, step) : isPaid ? withFirstDate(after, follows) : after
  return {
    before,
    after: shown,
    transaction: ended,
    // No polling during a payer step: its return or expiry asks the acquirer.
    askAt:
      open && !step
        ? atLatest(nextAsk(at, transaction.asks, payerHasUntil(payment, transaction)), at, follow.askWithinMs)
        : null,
    entries: conclusion.entries,
    callback:
      isReported(payment, step, goesOn) && needsCallback(transaction, conclusion, payment)
        ? await deps.reporter.draft(shown, ended)
        : null,
    token: tokenOf(after, ended),
    step,
    continuation: goesOn ? { sentBy: deps.processNumber, inFlightMs: 2 * limits.acquirer.waitMs } : null,
    watchAt: follow.watched && !open ? nextWatchAt(at, 0) : null,
    recount,
    ...follows,
    at,
  }
}

/** After a success the cascade no longer ended for the reason `outcome-unknown`. */
function withoutUnknownEnding(facts: StoredFacts, { result }: Outcome): StoredFacts {
  if (result !== 'approved' || facts.cascadeEnd?.reason !== 'outcome-unknown') return facts
  const { cascadeEnd: _, ...known } = facts
  return known
}

/** Why the cascade of a first step ends. An unknown outcome is a reason only if a further attempt would have been possible. */
function endingFacts(
  { payment, transaction, outcome }: Omit<InterpretedOutcome, 'alert'>,
  { payment: { status } }: Conclusion,
  { ending }: SettleOptions,
): Pick<StoredFacts, 'cascadeEnd'> {
  const { attempt, facts } = payment
  if (!firstStepTypes.includes(transaction.type) && transaction.type !== '3DS') return {}
  if (status === 'DECLINED') return ending ? { cascadeEnd: ending } : {}
  const isWaitedFor = attempt > 1 || (facts.cascade?.left.length ?? 0) > 0
  return outcome.result === 'unknown' && isWaitedFor ? { cascadeEnd: { reason: 'outcome-unknown' } } : {}
}

/** Chapter 10 §6.2: of a cascade, only the final attempt is called back, and the first one if it needs a payer redirect. */
const isReported = ({ attempt }: PaymentRecord, step: Settlement['step'], goesOn: boolean): boolean =>
  !goesOn && (attempt === 1 || step === null)

/** No callback for a status query that changed nothing, nor for the reversal of a late charge that was never reported to the merchant. */
const needsCallback = (transaction: TransactionRecord, { state }: Conclusion, payment: PaymentRecord): boolean =>
  (transaction.state === 'sent' || state !== transaction.state) && !reversesLateCharge(payment, transaction.type)

function reasonAfter(before: PaymentRecord, ended: TransactionRecord, { payment }: Conclusion): string | null {
  if (payment.status !== 'DECLINED') return null
  return reversesLateCharge(before, ended.type) ? before.declineReason : (ended.declineReason ?? before.declineReason)
}

const reasonOf = (outcome: Outcome): string | null =>
  outcome.result === 'declined' || outcome.result === 'not-executed' ? outcome.reason : null

function endTransaction(
  transaction: TransactionRecord,
  outcome: Outcome,
  { state, payment }: Conclusion,
  at: Date,
): TransactionRecord {
  const failed = state === 'fail'
  return {
    ...transaction,
    state,
    reference: outcome.facts.reference ?? transaction.reference,
    facts: { ...transaction.facts, ...outcome.facts },
    declineReason: failed ? reasonOf(outcome) : null,
    declineClass: failed && outcome.result === 'declined' ? outcome.declineClass : failed ? 'technical' : null,
    endedAt: payment.inFlight ? null : at,
  }
}

/** A card is saved only after its payment succeeded; on a Card-on-File MID together with the acquirer's reference. */
function tokenOf(payment: PaymentRecord, transaction: TransactionRecord): Settlement['token'] {
  const { issuedToken } = payment.facts
  if (!issuedToken || !payment.cardId || transaction.state !== 'success' || !firstStepTypes.includes(transaction.type))
    return null
  const registered = transaction.facts.storedCredential
  return {
    merchantId: payment.merchantId,
    token: issuedToken,
    cardId: payment.cardId,
    mode: payment.mode,
    firstName: payment.payer['first_name'] ?? null,
    lastName: payment.payer['last_name'] ?? null,
    credentials: registered ? { [transaction.midId]: registered } : {},
  }
}

async function raiseAlerts(
  deps: Deps,
  interpreted: InterpretedOutcome,
  { after, transaction }: Settlement,
): Promise<void> {
  const failed = reversesLateCharge(interpreted.payment, transaction.type) && transaction.state === 'fail'
  const lost = `The late charge could not be reversed (${transaction.declineReason}). Refund it manually at the acquirer.`
  const text = failed ? lost : interpreted.alert
  if (text !== null) await raiseAlert(deps, failed ? 'late-success' : 'amount-mismatch', after, text)
}

/** The payment's status no longer allows this outcome, so an operator has to look at it. */
async function alertTooLate(
  deps: Deps,
  payment: PaymentRecord,
  transaction: TransactionRecord,
  outcome: Outcome,
): Promise<PaymentWithTransaction> {
  const result = await acceptEarlierOutcome(deps, payment, transaction, outcome)
  if (outcome.result === 'approved' && wasWrittenOff(result.transaction)) return result
  const text = `The outcome "${outcome.result}" of ${transaction.type} ${transaction.id} arrived for a payment in status ${payment.status}.`
  await raiseAlert(deps, 'late-outcome', payment, text)
  return result
}

const raiseAlert = (
  deps: Deps,
  kind: string,
  { merchantId, id: paymentId }: PaymentRecord,
  text: string,
): Promise<void> => deps.alerts.raise({ kind, merchantId, paymentId, text })
