/**
 * Interprets the acquirer's outcome for this payment: whether its brand may wait, whether the payer's time is over, and how much was
 * received. Chapter 20 §5.1 ("waiting", "expires_after"), §6.3, §6.6.
 */
import { cancelledByPayer } from '#domain/checkout/session.ts'
import { mayWait } from '#domain/payment/decide.ts'
import { firstStepTypes } from '#domain/payment/payment.ts'
import type { Answer, Outcome } from '../../connectors/connector.ts'
import type { PaymentRecord, TransactionRecord } from '../../contracts/records.ts'

export interface InterpretedOutcome {
  readonly payment: PaymentRecord
  readonly transaction: TransactionRecord
  readonly outcome: Outcome
  /** Text of the alert to raise. */
  readonly alert: string | null
}

/** Payment and transaction are those before the outcome; only an amount that the payer decided is replaced. */
export function interpretOutcome(
  payment: PaymentRecord,
  transaction: TransactionRecord,
  outcome: Outcome,
  now: Date,
): InterpretedOutcome {
  const unchanged: InterpretedOutcome = { payment, transaction, outcome, alert: null }
  if (!firstStepTypes.includes(transaction.type)) {
    const isUnfinished = outcome.result === 'waiting' && !mayWait(transaction.type)
    return isUnfinished ? { ...unchanged, outcome: asUnknown(outcome) } : unchanged
  }
  if (outcome.result === 'approved') return withReceived(unchanged, outcome)
  return { ...unchanged, outcome: interpretForBrand(payment, outcome, now) }
}

/** The end of the payer's time to act; null unless the brand limits it. */
export function payerHasUntil({ facts: { brand } }: PaymentRecord, { type }: TransactionRecord): Date | null {
  return brand && firstStepTypes.includes(type) ? new Date(brand.expiresAt) : null
}

export const expiredOutcome: Outcome = { result: 'declined', reason: 'Expired', declineClass: 'hard', facts: {} }

/** The payer gave up before confirming. */
export const cancelledOutcome: Outcome = {
  result: 'declined',
  reason: cancelledByPayer,
  declineClass: 'hard',
  facts: {},
}

function interpretForBrand(payment: PaymentRecord, outcome: Outcome, now: Date): Outcome {
  if (outcome.result !== 'waiting' && outcome.result !== 'payer-step') return outcome
  if (isPayerTimeOver(payment, now)) return { ...expiredOutcome, facts: outcome.facts }
  if (outcome.result === 'payer-step' || payment.facts.brand?.waiting === 'pending') return outcome
  return asUnknown(outcome)
}

const asUnknown = ({ facts }: Outcome): Outcome => ({
  result: 'unknown',
  reason: 'The acquirer has not finished',
  facts,
})

/** A payout has no payer, so only the acquirer ends it. */
const isPayerTimeOver = ({ kind, facts: { brand } }: PaymentRecord, now: Date): boolean =>
  brand !== undefined && kind !== 'credit' && now >= new Date(brand.expiresAt)

/** Chapter 20 §6.6: the received amount counts unless it is less than the ordered amount. */
function withReceived(
  interpreted: InterpretedOutcome,
  outcome: Extract<Outcome, { result: 'approved' }>,
): InterpretedOutcome {
  const { payment, transaction } = interpreted
  const { facts } = outcome
  const { openAmount, ...known } = payment.facts
  if (payment.kind !== 'sale' || (facts.received === undefined && !openAmount)) return interpreted
  if (facts.received === undefined) {
    return { ...interpreted, outcome: { result: 'unknown', reason: 'The acquirer does not say how much came', facts } }
  }
  const amountMinor = BigInt(facts.received)
  if (amountMinor <= 0n || (!openAmount && amountMinor < transaction.amountMinor))
    return declineMismatch(interpreted, amountMinor)
  return {
    ...interpreted,
    payment: { ...payment, amountMinor, facts: known },
    transaction: { ...transaction, amountMinor },
  }
}

function declineMismatch(interpreted: InterpretedOutcome, amountMinor: bigint): InterpretedOutcome {
  const { payment, transaction, outcome } = interpreted
  const { currency } = payment
  return {
    ...interpreted,
    outcome: { result: 'declined', reason: 'Amount mismatch', declineClass: 'hard', facts: outcome.facts },
    alert: `${amountMinor} of ${transaction.amountMinor} minor units of ${currency} arrived, so the payment was declined. Return the received amount to the payer manually.`,
  }
}

type Decided = Extract<Answer, { readonly result: 'approved' | 'declined' }>

/** The acquirer has said whether it executed the transaction, so that asking again would change nothing. */
export function isDecided(answer: Answer): answer is Decided {
  switch (answer.result) {
    case 'approved':
    case 'declined':
      return true
    case 'waiting':
    case 'payer-step':
    case 'unknown':
    case 'not-executed':
    case 'never-arrived':
    case 'cannot-be-asked':
      return false
  }
}
