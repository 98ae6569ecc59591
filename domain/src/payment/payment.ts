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

interface StatusTraits {
  /** Nothing is decided: an attempt is under way, or the payer is at a page. */
  readonly isOpen: boolean
  /** Something was held, taken or paid out, also if it was given back since. */
  readonly isPaid: boolean
  /** The order number and the session may be used by no other payment. */
  readonly takesOrder: boolean
  /** The payer's bank may take the money back. */
  readonly isDisputable: boolean
}

// A status that is added must say all of it: these decide about money. Chapter 10 §5.
// biome-ignore format: a table is read in columns.
const statusTable: Readonly<Record<Status, StatusTraits>> = {
  PREPARE:    { isOpen: true,   isPaid: false,  takesOrder: true,   isDisputable: false },
  '3DS':      { isOpen: true,   isPaid: false,  takesOrder: true,   isDisputable: false },
  REDIRECT:   { isOpen: true,   isPaid: false,  takesOrder: true,   isDisputable: false },
  PENDING:    { isOpen: false,  isPaid: true,   takesOrder: true,   isDisputable: false },
  SETTLED:    { isOpen: false,  isPaid: true,   takesOrder: true,   isDisputable: true  },
  REVERSAL:   { isOpen: false,  isPaid: true,   takesOrder: true,   isDisputable: false },
  REFUND:     { isOpen: false,  isPaid: true,   takesOrder: true,   isDisputable: true  },
  VOID:       { isOpen: false,  isPaid: true,   takesOrder: true,   isDisputable: false },
  CHARGEBACK: { isOpen: false,  isPaid: true,   takesOrder: true,   isDisputable: true  },
  DECLINED:   { isOpen: false,  isPaid: false,  takesOrder: false,  isDisputable: false },
}

export const openStatuses: readonly Status[] = statuses.filter((status) => statusTable[status].isOpen)
export const freeingStatuses: readonly Status[] = statuses.filter((status) => !statusTable[status].takesOrder)
export const isPaid = (status: Status): boolean => statusTable[status].isPaid
export const takesOrder = (status: Status): boolean => statusTable[status].takesOrder
export const isDisputable = (status: Status): boolean => statusTable[status].isDisputable

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

interface TypeTraits {
  /** Charges or pays out for the first time, or repeats one. The acquirer identifies the payment by this transaction. */
  readonly isFirstStep: boolean
  /** The payer acts, and no outcome of an acquirer is awaited. */
  readonly isPayerStep: boolean
  /** An approved one of an amount has ledger entries. */
  readonly isPosted: boolean
  /** A request leaves for the acquirer. */
  readonly isSent: boolean
  /** The acquirer pays or charges it: of a RETRY only what was captured at once, of a REVERSAL only a refund. */
  readonly isSettled: boolean | 'captured at once' | 'refund'
}

// A type that is added must say all of it. A CALC also opens a debit but moves no money: the DEBIT that completes it is the first step. Chapter 20 §12.
// biome-ignore format: a table is read in columns.
const typeTable: Readonly<Record<TransactionType, TypeTraits>> = {
  SALE:       { isFirstStep: true,   isPayerStep: false,  isPosted: true,   isSent: true,   isSettled: true },
  AUTH:       { isFirstStep: true,   isPayerStep: false,  isPosted: true,   isSent: true,   isSettled: false },
  '3DS':      { isFirstStep: false,  isPayerStep: true,   isPosted: false,  isSent: false,  isSettled: false },
  REDIRECT:   { isFirstStep: false,  isPayerStep: true,   isPosted: false,  isSent: true,   isSettled: false },
  CAPTURE:    { isFirstStep: false,  isPayerStep: false,  isPosted: true,   isSent: true,   isSettled: true },
  REFUND:     { isFirstStep: false,  isPayerStep: false,  isPosted: true,   isSent: true,   isSettled: true },
  REVERSAL:   { isFirstStep: false,  isPayerStep: false,  isPosted: true,   isSent: true,   isSettled: 'refund' },
  VOID:       { isFirstStep: false,  isPayerStep: false,  isPosted: true,   isSent: true,   isSettled: false },
  DEBIT:      { isFirstStep: true,   isPayerStep: false,  isPosted: true,   isSent: true,   isSettled: true },
  CALC:       { isFirstStep: false,  isPayerStep: false,  isPosted: false,  isSent: false,  isSettled: false },
  CREDIT:     { isFirstStep: true,   isPayerStep: false,  isPosted: true,   isSent: true,   isSettled: true },
  TRANSFER:   { isFirstStep: true,   isPayerStep: false,  isPosted: true,   isSent: true,   isSettled: false },
  RETRY:      { isFirstStep: true,   isPayerStep: false,  isPosted: true,   isSent: true,   isSettled: 'captured at once' },
  CHARGEBACK: { isFirstStep: false,  isPayerStep: false,  isPosted: true,   isSent: false,  isSettled: true },
}

const typesWith = (has: (traits: TypeTraits) => boolean): readonly TransactionType[] =>
  transactionTypes.filter((type) => has(typeTable[type]))

export const firstStepTypes = typesWith(({ isFirstStep }) => isFirstStep)
export const payerStepTypes = typesWith(({ isPayerStep }) => isPayerStep)
export const unpostedTypes = typesWith(({ isPosted }) => !isPosted)
export const settledTypes = (when: TypeTraits['isSettled']): readonly TransactionType[] =>
  typesWith(({ isSettled }) => isSettled === when)
export const isSent = (type: TransactionType): boolean => typeTable[type].isSent

/** `sent` is internal: the wire shows a transaction that is still being sent as `undefined`. Chapter 10 §5.3. */
export const transactionStates = ['sent', 'success', 'fail', 'waiting', 'undefined'] as const
export type TransactionState = (typeof transactionStates)[number]

const isStateOpen: Readonly<Record<TransactionState, boolean>> = {
  sent: true,
  success: false,
  fail: false,
  waiting: true,
  undefined: true,
}
/** Without a final outcome. */
export const openStates: readonly TransactionState[] = transactionStates.filter((state) => isStateOpen[state])

export const declineClasses = ['soft', 'hard', 'authentication_required', 'fraud', 'technical', 'unknown'] as const
export type DeclineClass = (typeof declineClasses)[number]

/** Of each class, whether it is soft in the sense of chapter 10 §6.2: the charge may be repeated, at another MID or later. A class that is added must say so. */
const softClasses: Readonly<Record<DeclineClass, boolean>> = {
  soft: true,
  hard: false,
  authentication_required: true,
  fraud: false,
  technical: true,
  unknown: true,
}
export const allowsRetry = (declineClass: DeclineClass): boolean => softClasses[declineClass]

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
