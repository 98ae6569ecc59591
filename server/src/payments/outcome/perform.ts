/**
 * Intent → ask → outcome, in one place for every operation.
 *
 * The intent is durable before the acquirer is asked, the outcome after, so that a crash in between leaves a row to ask about. No
 * database transaction is open while the acquirer thinks. What we cannot know is `unknown`, and the reconciler asks again.
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
import { recounted } from '../routing/limit-usage.ts'
import { consequencesOf, noConsequences, withFirstDate } from './consequences.ts'
import { type InterpretedOutcome, interpretOutcome, payerHasUntil } from './interpret-outcome.ts'
import { takeBack, wasWrittenOff } from './late-success.ts'
import { stepOf, withRedirect } from './sent-away.ts'
import { tally } from './tally.ts'
import { afterWatch, watchedAt } from './watch-plan.ts'

/** A payment as it stands and the transaction that was last carried out on it: all that an answer tells. */
export interface Performed {
  readonly payment: PaymentRecord
  readonly transaction: TransactionRecord
}

/** What follows if the first step is declined: another attempt, or none, and why. */
interface After {
  readonly goesOn?: boolean
  readonly ending?: Ending
  /** While the outcome stays open it is asked for after so long at the latest. */
  readonly askWithinMs?: number | null
  /** That nothing was executed is only what the acquirer knows so far. */
  readonly watched?: boolean
}

/** Writes what the acquirer said about an open transaction, the money it moved and the callback that tells it. */
export async function settle(deps: Deps, open: Performed, outcome: Outcome, after: After = {}): Promise<Performed> {
  const { payment, transaction } = open
  const written = await writeCurrent({
    record: payment,
    write: (before) => {
      const isOver = before !== payment && before.openTransaction !== transaction.id
      return isOver
        ? settledBefore(deps, before, transaction, outcome)
        : writeOutcome(deps, { payment: before, transaction }, outcome, after)
    },
    read: () => currentPayment(deps, payment),
  })
  if (written) return written
  throw new Error(`The outcome of transaction ${transaction.id} could not be written: the payment kept changing.`)
}

async function writeOutcome(
  deps: Deps,
  { payment: before, transaction }: Performed,
  outcome: Outcome,
  after: After,
): Promise<Performed | null> {
  const interpreted = interpretOutcome(before, transaction, outcome, deps.clock.now())
  const conclusion = concluded(deps, interpreted)
  if (!conclusion) return tooLate(deps, before, transaction, outcome)

  const settlement = await settlementOf(deps, before, interpreted, conclusion, after)
  if ((await deps.payments.settle(settlement)) !== 'settled') return null
  deps.wake()
  tally(deps, settlement)
  await alertOf(deps, interpreted, settlement)
  return { payment: settlement.after, transaction: settlement.transaction }
}

/** Another process settled this very transaction first. What it wrote stands; if it wrote the charge off, the charge is taken back. */
async function settledBefore(
  deps: Deps,
  payment: PaymentRecord,
  { id }: TransactionRecord,
  outcome: Outcome,
): Promise<Performed> {
  const performed = await asItStands(deps, payment, { id })
  if (outcome.result === 'approved' && wasWrittenOff(performed.transaction)) {
    await takeBack(deps, performed.transaction, outcome.facts)
  }
  return performed
}

export async function asItStands(
  deps: Deps,
  payment: PaymentRecord,
  { id }: { readonly id: string },
): Promise<Performed> {
  const transactions = await deps.payments.transactions(payment.merchantId, payment.id)
  const transaction = transactions.find((candidate) => candidate.id === id)
  if (!transaction) throw new Error(`Transaction ${id} has disappeared.`)
  return { payment, transaction }
}

function concluded(deps: Deps, { payment, transaction, outcome }: InterpretedOutcome): Conclusion | null {
  if (reversesLateCharge(payment, transaction.type)) return concludeLateReversal(payment, resultOf(outcome))
  const at = { today: today(deps, deps.configuration.mid(transaction.midId)) }
  const conclusion = conclude(payment, transaction, resultOf(outcome), {
    ...at,
    ...(outcome.result === 'declined' ? { declineClass: outcome.declineClass } : {}),
    ...(outcome.result === 'not-executed' ? { declineClass: 'technical' as const } : {}),
  })
  // Only what is still open: an outcome that is heard twice changes nothing of the first.
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

async function settlementOf(
  deps: Deps,
  before: PaymentRecord,
  { payment, transaction, outcome }: InterpretedOutcome,
  conclusion: Conclusion,
  follow: After,
): Promise<Settlement> {
  const at = deps.clock.now()
  const open = conclusion.payment.inFlight
  const ended = endedBy(transaction, outcome, conclusion, at)
  const isFirst = firstStepTypes.includes(transaction.type)
  const goesOn = follow.goesOn === true && conclusion.payment.status === 'DECLINED'
  const { after, recount } = recounted(before, {
    ...payment,
    ...conclusion.payment,
    version: before.version + 1,
    cascading: goesOn ? 'continues' : payment.cascading,
    declineReason: reasonAfter(payment, ended, conclusion),
    reference: isFirst ? (ended.reference ?? payment.reference) : payment.reference,
    facts: {
      ...withoutDoubt(payment.facts, outcome),
      ...(isFirst ? { acquirer: { ...payment.facts.acquirer, ...outcome.facts } } : {}),
      ...endOf({ payment, transaction, outcome }, conclusion, follow),
    },
    openTransaction: open ? transaction.id : null,
    updatedAt: at,
  })
  const isPaid = isFirst && ended.state === 'success'
  const step = stepOf(deps, after, ended, outcome)
  const following = goesOn ? noConsequences : await consequencesOf(deps, after, ended, at)
  const follows = follow.watched ? afterWatch(following, at) : following
  const shown = step ? withRedirect(deps, after, step) : isPaid ? withFirstDate(after, follows) : after
  return {
    before,
    after: shown,
    transaction: ended,
    // Nobody asks the acquirer while the payer is away: the step's own end sees to that.
    askAt:
      open && !step
        ? atLatest(nextAsk(at, transaction.asks, payerHasUntil(payment, transaction)), at, follow.askWithinMs)
        : null,
    entries: conclusion.entries,
    callback:
      isReported(payment, step, goesOn) && isNews(transaction, conclusion, payment)
        ? await deps.reporter.draft(shown, ended)
        : null,
    token: tokenOf(after, ended),
    step,
    goesOn: goesOn ? { sentBy: deps.processNumber, inFlightMs: 2 * limits.acquirer.waitMs } : null,
    watchAt: follow.watched && !open ? watchedAt(at, 0) : null,
    recount,
    ...follows,
    at,
  }
}

/** That the outcome was not known kept a cascade from going on; once it is known to be a success, nothing has to be explained. */
function withoutDoubt(facts: StoredFacts, { result }: Outcome): StoredFacts {
  if (result !== 'approved' || facts.cascadeEnd?.reason !== 'outcome-unknown') return facts
  const { cascadeEnd: _, ...known } = facts
  return known
}

/** Why nothing follows, of a first step alone; while the outcome is open only where it keeps a cascade from going on. */
function endOf(
  { payment, transaction, outcome }: Omit<InterpretedOutcome, 'alert'>,
  { payment: { status } }: Conclusion,
  { ending }: After,
): Pick<StoredFacts, 'cascadeEnd'> {
  const { attempt, facts } = payment
  if (!firstStepTypes.includes(transaction.type) && transaction.type !== '3DS') return {}
  if (status === 'DECLINED') return ending ? { cascadeEnd: ending } : {}
  const isWaitedFor = attempt > 1 || (facts.cascade?.left.length ?? 0) > 0
  return outcome.result === 'unknown' && isWaitedFor ? { cascadeEnd: { reason: 'outcome-unknown' } } : {}
}

/** Chapter 10 §6.2: of a cascade the first attempt is told when it needs a payer redirect, and otherwise only the final one. */
const isReported = ({ attempt }: PaymentRecord, step: Settlement['step'], goesOn: boolean): boolean =>
  !goesOn && (attempt === 1 || step === null)

/** Asking again without news is no event, and of a charge that was never told as made nobody is told that it was taken back. */
const isNews = (transaction: TransactionRecord, { state }: Conclusion, payment: PaymentRecord): boolean =>
  (transaction.state === 'sent' || state !== transaction.state) && !reversesLateCharge(payment, transaction.type)

function reasonAfter(before: PaymentRecord, ended: TransactionRecord, { payment }: Conclusion): string | null {
  if (payment.status !== 'DECLINED') return null
  return reversesLateCharge(before, ended.type) ? before.declineReason : (ended.declineReason ?? before.declineReason)
}

function endedBy(
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
    declineReason: failed && 'reason' in outcome ? outcome.reason : null,
    declineClass: failed && outcome.result === 'declined' ? outcome.declineClass : failed ? 'technical' : null,
    endedAt: payment.inFlight ? null : at,
  }
}

/** A card is saved only once its payment succeeded; on a Card-on-File MID together with the acquirer's own reference. */
function tokenOf(payment: PaymentRecord, transaction: TransactionRecord): Settlement['token'] {
  const { issuedToken } = payment.facts
  if (!issuedToken || !payment.cardId || transaction.state !== 'success' || !firstStepTypes.includes(transaction.type))
    return null
  const registered = transaction.facts.storedCredential
  return {
    merchantId: payment.merchantId,
    token: issuedToken,
    cardId: payment.cardId,
    test: payment.test,
    firstName: payment.payer['first_name'] ?? null,
    lastName: payment.payer['last_name'] ?? null,
    credentials: registered ? { [transaction.midId]: registered } : {},
  }
}

async function alertOf(deps: Deps, told: InterpretedOutcome, { after, transaction }: Settlement): Promise<void> {
  const failed = reversesLateCharge(told.payment, transaction.type) && transaction.state === 'fail'
  const lost = `The late charge could not be reversed (${transaction.declineReason}). Refund it manually at the acquirer.`
  const text = failed ? lost : told.alert
  if (text !== null) await raise(deps, failed ? 'late-success' : 'amount-mismatch', after, text)
}

/** No rule takes the outcome in this status any more: a person has to look. */
async function tooLate(
  deps: Deps,
  payment: PaymentRecord,
  transaction: TransactionRecord,
  outcome: Outcome,
): Promise<Performed> {
  const performed = await settledBefore(deps, payment, transaction, outcome)
  if (outcome.result === 'approved' && wasWrittenOff(performed.transaction)) return performed
  const text = `The outcome "${outcome.result}" of ${transaction.type} ${transaction.id} arrived for a payment in status ${payment.status}.`
  await raise(deps, 'late-outcome', payment, text)
  return performed
}

const raise = (deps: Deps, kind: string, { merchantId, id: paymentId }: PaymentRecord, text: string): Promise<void> =>
  deps.alerts.raise({ kind, merchantId, paymentId, text })
