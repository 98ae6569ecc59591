/** What an outcome stores: the payment and its transaction afterwards, ledger entries, callback, saved card, and what follows. */
import { limits } from '#domain/limits.ts'
import type { Conclusion } from '#domain/payment/decide.ts'
import { reversesLateCharge } from '#domain/payment/late-success.ts'
import { firstStepTypes } from '#domain/payment/payment.ts'
import type { Ending } from '#domain/routing/ending.ts'
import type { Outcome } from '../../connectors/connector.ts'
import type { OutcomeRecord, PaymentRecord, StoredFacts, TransactionRecord } from '../../contracts/records.ts'
import { atLatest, nextAsk } from '../exchange/ask-times.ts'
import type { Deps } from '../request/deps.ts'
import { recountLimits } from '../routing/limit-usage.ts'
import { withCharges } from './charges.ts'
import { deriveConsequences, noConsequences, withFirstDate } from './consequences.ts'
import { type InterpretedOutcome, payerHasUntil } from './interpret-outcome.ts'
import { newPayerStep, withRedirect } from './payer-redirect.ts'
import { nextWatchAt, withDelayedRetry } from './watch-plan.ts'

/** How the payment continues: with `goesOn` another attempt follows a declined first step; otherwise `ending` says why none does. */
export interface SettleOptions {
  readonly goesOn?: boolean
  readonly ending?: Ending
  /** If the outcome stays open, the acquirer is queried again within this time. */
  readonly askWithinMs?: number | null
  /** The transaction is written off, and its acquirer is queried for some days in case it was executed after all. */
  readonly watched?: boolean
  /** The financial day of an execution that was found later, `YYYY-MM-DD`; default today. */
  readonly executedOn?: string
}

export interface ConcludedOutcome {
  readonly interpreted: InterpretedOutcome
  readonly conclusion: Conclusion
  readonly follow: SettleOptions
}

export async function composeOutcomeRecord(
  deps: Deps,
  before: PaymentRecord,
  { interpreted: { payment, transaction, outcome }, conclusion, follow }: ConcludedOutcome,
): Promise<OutcomeRecord> {
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
  const step = newPayerStep(deps, after, ended, outcome)
  const following = goesOn ? noConsequences : await deriveConsequences(deps, after, ended, at)
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
    entries: withCharges(deps, after, ended, { moved: conclusion.entries, at }),
    callback:
      isReported(payment, step, goesOn) && needsCallback(transaction, conclusion, payment)
        ? await deps.reporter.composeCallback(shown, ended)
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
const isReported = ({ attempt }: PaymentRecord, step: OutcomeRecord['step'], goesOn: boolean): boolean =>
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
function tokenOf(payment: PaymentRecord, transaction: TransactionRecord): OutcomeRecord['token'] {
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
