/** The acquirer's own words. It shares none with the gateway but those of its HTTP interface. */

export const firstSteps = ['sale', 'authorize', 'debit', 'credit', 'transfer'] as const
export const laterSteps = ['capture', 'refund', 'reverse', 'void'] as const
export type FirstStep = (typeof firstSteps)[number]
export type LaterStep = (typeof laterSteps)[number]
export type TransactionType = FirstStep | LaterStep

/** `redirect`: the payer has to come to our page, and nothing is decided before. */
export type State = 'approved' | 'declined' | 'pending' | 'waiting' | 'redirect'
export type DeclineClass = 'soft' | 'hard' | 'authentication_required'

/** What the journal keeps of a request and its verdict: never a card number, never a verification code. */
export interface TransactionRecord {
  readonly kind: 'transaction'
  /** Counts from 1 without gaps; every reference derives from it. */
  readonly number: number
  readonly id: string
  readonly type: TransactionType
  readonly mid: string
  readonly paymentId: string
  readonly orderId: string | null
  /** The first step of the charge that a later step works on. */
  readonly firstId: string | null
  /** Minor units, as text because JSON has no whole numbers of this size. */
  readonly amount: string
  readonly currency: string
  readonly card: string | null
  /** Salted hash of order and card, for the rows that look at earlier attempts at the same order. */
  readonly group: string | null
  /** Row of the trigger table. */
  readonly trigger: string
  readonly recurring: 'initial' | 'subsequent' | null
  readonly registersCard: boolean
  readonly codeSent: boolean
  /** Salted hash of all that the money depends on: the same key with another one is refused. */
  readonly fingerprint: string
  /** Milliseconds on the test clock. */
  readonly at: number
  readonly state: State
  readonly reason: string | null
  readonly declineClass: DeclineClass | null
  /** When an undecided one is decided, or an unseen one is seen. Null: at once, or never. */
  readonly decidesAt: number | null
  readonly becomes: Decision | null
  /** Where the payer decides, and where the browser goes afterwards; present only where that is asked for. */
  readonly redirect?: Redirect
}

export interface Redirect {
  /** 32 hexadecimal characters: whoever knows them may decide. */
  readonly key: string
  readonly returnUrl: string
  /** The merchant as the payer knows it; empty when the request did not say. */
  readonly merchant: string
}

export interface Decision {
  readonly state: 'approved' | 'declined'
  readonly reason: string | null
  readonly declineClass: DeclineClass | null
}

/** An undecided transaction came to its end, or the payer decided. */
export interface DecisionRecord {
  readonly kind: 'decision'
  readonly id: string
  readonly at: number
  /** What it became in the place of `becomes`: the payer said no. */
  readonly instead?: Decision
}

/** A scenario made the acquirer execute again what it had executed already. */
export interface RepeatRecord {
  readonly kind: 'repeat'
  readonly id: string
  readonly at: number
}

export interface ChargebackRecord {
  readonly kind: 'chargeback'
  /** The sale, debit, transfer or capture whose money is taken back. */
  readonly id: string
  readonly at: number
  readonly reasonCode: string
}

export interface ClockRecord {
  readonly kind: 'clock'
  readonly offsetMs: number
}

export type JournalRecord = TransactionRecord | DecisionRecord | RepeatRecord | ChargebackRecord | ClockRecord

/** A transaction as it stands now. Load tests make millions of them, so it holds nothing that can be worked out. */
export interface Transaction {
  readonly record: TransactionRecord
  /** What an undecided one became. */
  decision: Decision | null
}

export const stateOf = ({ record, decision }: Transaction): State => decision?.state ?? record.state

export const reasonOf = ({ record, decision }: Transaction): string | null => decision?.reason ?? record.reason

export const amountOf = ({ record }: Transaction): bigint => BigInt(record.amount)
