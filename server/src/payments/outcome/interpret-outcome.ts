/**
 * What the acquirer's word on a first step means for this payment: whether waiting is a status of its brand, whether the payer's
 * time is over, and how much really came. Chapter 20 §5.1 ("waiting", "expires_after"), §6.3, §6.6.
 */
import { mayWait } from '#domain/payment/decide.ts'
import { firstStepTypes } from '#domain/payment/payment.ts'
import type { Outcome } from '../../connectors/connector.ts'
import type { PaymentRecord, TransactionRecord } from '../../contracts/records.ts'

export interface InterpretedOutcome {
  readonly payment: PaymentRecord
  readonly transaction: TransactionRecord
  readonly outcome: Outcome
  /** What a person has to look at because of it. */
  readonly alert: string | null
}

/** Payment and transaction as they are before the outcome; where the payer decided how much, with what came. */
export function interpretOutcome(
  payment: PaymentRecord,
  transaction: TransactionRecord,
  outcome: Outcome,
  now: Date,
): InterpretedOutcome {
  const unchanged: InterpretedOutcome = { payment, transaction, outcome, alert: null }
  if (!firstStepTypes.includes(transaction.type)) {
    const isUnfinished = outcome.result === 'waiting' && !mayWait(transaction.type)
    return isUnfinished ? { ...unchanged, outcome: unfinished(outcome) } : unchanged
  }
  if (outcome.result === 'approved') return withReceived(unchanged, outcome)
  return { ...unchanged, outcome: ofBrand(payment, outcome, now) }
}

/** The end of the payer's time to act on a transaction; null where no brand gives one. */
export function payerHasUntil({ facts: { brand } }: PaymentRecord, { type }: TransactionRecord): Date | null {
  return brand && firstStepTypes.includes(type) ? new Date(brand.expiresAt) : null
}

export const expired: Outcome = { result: 'declined', reason: 'Expired', declineClass: 'hard', facts: {} }

function ofBrand(payment: PaymentRecord, outcome: Outcome, now: Date): Outcome {
  if (outcome.result !== 'waiting' && outcome.result !== 'payer-step') return outcome
  if (isOver(payment, now)) return { ...expired, facts: outcome.facts }
  if (outcome.result === 'payer-step' || payment.facts.brand?.waiting === 'pending') return outcome
  return unfinished(outcome)
}

const unfinished = ({ facts }: Outcome): Outcome => ({
  result: 'unknown',
  reason: 'The acquirer has not finished',
  facts,
})

/** A payout has no payer whose time could end: it is over when the acquirer says so. */
const isOver = ({ kind, facts: { brand } }: PaymentRecord, now: Date): boolean =>
  brand !== undefined && kind !== 'credit' && now >= new Date(brand.expiresAt)

/** Chapter 20 §6.6: what came counts unless it is less than was asked for. */
function withReceived(told: InterpretedOutcome, outcome: Extract<Outcome, { result: 'approved' }>): InterpretedOutcome {
  const { payment, transaction } = told
  const { facts } = outcome
  const { openAmount, ...known } = payment.facts
  if (payment.kind !== 'sale' || (facts.received === undefined && !openAmount)) return told
  if (facts.received === undefined) {
    return { ...told, outcome: { result: 'unknown', reason: 'The acquirer does not say how much came', facts } }
  }
  const amountMinor = BigInt(facts.received)
  if (amountMinor <= 0n || (!openAmount && amountMinor < transaction.amountMinor)) return mismatch(told, amountMinor)
  return {
    ...told,
    payment: { ...payment, amountMinor, facts: known },
    transaction: { ...transaction, amountMinor },
  }
}

function mismatch(told: InterpretedOutcome, amountMinor: bigint): InterpretedOutcome {
  const { payment, transaction, outcome } = told
  const { currency } = payment
  return {
    ...told,
    outcome: { result: 'declined', reason: 'Amount mismatch', declineClass: 'hard', facts: outcome.facts },
    alert: `${amountMinor} of ${transaction.amountMinor} minor units of ${currency} arrived, so the payment was declined. Return the received amount to the payer manually.`,
  }
}
