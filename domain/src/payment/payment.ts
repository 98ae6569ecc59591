/**
 * Statuses, kinds, transactions and amounts of a payment. Chapter 10 §5 and §6, chapter 20 §14 and §15, chapter 50 §1.
 *
 * A merchant sees a *payment*; a *transaction* is one exchange with an acquirer inside it. A *command* comes from a merchant,
 * an *event* from the acquirer, the payer or a timer.
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
 * Types that charge or pay out for the first time, and RETRY, which repeats one. The acquirer identifies the payment by this
 * transaction. A CALC also opens a debit but moves no money: the DEBIT that completes it is the first step. Chapter 20 §12.
 */
export const firstStepTypes: readonly TransactionType[] = ['SALE', 'AUTH', 'DEBIT', 'CREDIT', 'TRANSFER', 'RETRY']

/** `sent` is internal: the wire shows a transaction that is still being sent as `undefined`. Chapter 10 §5.3. */
export const transactionStates = ['sent', 'success', 'fail', 'waiting', 'undefined'] as const
export type TransactionState = (typeof transactionStates)[number]

export const declineClasses = ['soft', 'hard', 'authentication_required', 'fraud', 'technical', 'unknown'] as const
export type DeclineClass = (typeof declineClasses)[number]

/** True if the class is soft in the sense of chapter 10 §6.2: any but hard and fraud. */
export const allowsRetry = (declineClass: DeclineClass): boolean => declineClass !== 'hard' && declineClass !== 'fraud'

/** The attributes that the rules read. Amounts are minor units of the payment's currency. */
export interface Payment {
  readonly status: Status
  readonly kind: Kind
  /** Made by RECURRING_SALE, RECURRING_DEBIT or a plan: only such a payment may be retried. */
  readonly recurring: boolean
  /**
   * The first step only holds the money: `auth=Y`, or a MID in DMS mode. A payment in PENDING that does not hold waits for the
   * payer's money, or for a payout to arrive. Chapter 20 §14.
   */
  readonly holds: boolean
  /** For a debit with a commission the total that the payer's account is debited with. Chapter 20 §12.2. */
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

/** The amount that can still be returned to the payer. Chargebacks are deducted, because the payer already has that money. */
export const returnableMinorOf = (payment: Payment): bigint => {
  const rest = payment.capturedMinor - payment.refundedMinor - payment.chargedBackMinor
  return rest > 0n ? rest : 0n
}

/** A new payment, before the outcome of its first step. */
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
