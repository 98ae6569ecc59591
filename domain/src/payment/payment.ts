/**
 * The words of a payment's life. Chapter 10 §5 and §6, chapter 20 §14 and §15, chapter 50 §1.
 *
 * A *payment* is what the merchant sees; a *transaction* is one exchange with an acquirer inside it. A *command* comes
 * from a merchant, an *event* from the acquirer, the payer or the passing of time.
 */

export const statuses = [
  'PREPARE',
  '3DS',
  'REDIRECT',
  'PENDING',
  'SETTLED',
  'REVERSAL',
  'REFUND',
  'VOID',
  'CHARGEBACK',
  'DECLINED',
] as const
export type Status = (typeof statuses)[number]

/** RECURRING_DEBIT makes a debit, RECURRING_SALE a sale; `credit` is a payout, `transfer` moves from card to card. */
export const kinds = ['sale', 'debit', 'credit', 'transfer'] as const
export type Kind = (typeof kinds)[number]

export const transactionTypes = [
  'SALE',
  'AUTH',
  '3DS',
  'REDIRECT',
  'CAPTURE',
  'REFUND',
  'REVERSAL',
  'VOID',
  'DEBIT',
  'CALC',
  'CREDIT',
  'TRANSFER',
  'RETRY',
  'CHARGEBACK',
] as const
export type TransactionType = (typeof transactionTypes)[number]

/**
 * Types that charge or pay out for the first time; a RETRY does it again. The acquirer knows the payment by such a one. A CALC
 * opens a debit too, but takes nothing: the DEBIT that completes it is the first step. Chapter 20 §12.
 */
export const firstStepTypes: readonly TransactionType[] = ['SALE', 'AUTH', 'DEBIT', 'CREDIT', 'TRANSFER', 'RETRY']

/** `sent` is ours alone: the wire shows a transaction that is still being sent as `undefined`. Chapter 10 §5.3. */
export const transactionStates = ['sent', 'success', 'fail', 'waiting', 'undefined'] as const
export type TransactionState = (typeof transactionStates)[number]

export const declineClasses = ['soft', 'hard', 'authentication_required', 'fraud', 'technical', 'unknown'] as const
export type DeclineClass = (typeof declineClasses)[number]

/** Chapter 10 §6.2: "hard" means hard or fraud, "soft" all the others. */
export const isSoft = (declineClass: DeclineClass): boolean => declineClass !== 'hard' && declineClass !== 'fraud'

/** All that the rules look at. Amounts are minor units of the payment's currency. */
export interface Payment {
  readonly status: Status
  readonly kind: Kind
  /** Made by RECURRING_SALE, RECURRING_DEBIT or a plan: only such a payment may be retried. */
  readonly recurring: boolean
  /**
   * The first step only holds the money: `auth=Y`, or a MID in DMS mode. PENDING of a payment that does not hold is one that
   * waits: for the payer's money, or for a payout to arrive. Chapter 20 §14.
   */
  readonly holds: boolean
  /** Of a debit with a commission the total, which is what the payer's account is debited with. Chapter 20 §12.2. */
  readonly amountMinor: bigint
  readonly authorisedMinor: bigint
  readonly capturedMinor: bigint
  readonly refundedMinor: bigint
  readonly chargedBackMinor: bigint
  /** The day of the sale, for a captured hold the day of the capture; null until money was taken. */
  readonly financialDay: string | null
  readonly declineClass: DeclineClass | null
  /** A transaction of the payment is sent, waiting or undefined. */
  readonly inFlight: boolean
}

/** What can still be given back to the payer. A chargeback has already taken its part. */
export const left = (payment: Payment): bigint => {
  const rest = payment.capturedMinor - payment.refundedMinor - payment.chargedBackMinor
  return rest > 0n ? rest : 0n
}

/** What a new payment is before its first step has an outcome. */
export const newPayment = (facts: {
  kind: Kind
  amountMinor: bigint
  holds: boolean
  recurring: boolean
}): Payment => ({
  ...facts,
  status: 'PREPARE',
  authorisedMinor: 0n,
  capturedMinor: 0n,
  refundedMinor: 0n,
  chargedBackMinor: 0n,
  financialDay: null,
  declineClass: null,
  inFlight: true,
})
