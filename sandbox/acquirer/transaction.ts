/** The acquirer's own words. It shares none with the gateway but those of its HTTP interface. */

export const firstSteps = ['sale', 'authorize', 'debit', 'credit', 'transfer'] as const
export const laterSteps = ['capture', 'refund', 'reverse', 'void'] as const
export type FirstStep = (typeof firstSteps)[number]
export type LaterStep = (typeof laterSteps)[number]
export type TransactionType = FirstStep | LaterStep

/** `redirect`: the payer has to come to our page, and nothing is decided before. `waiting`: taken, and finished without our caller's doing. */
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
  /** Minor units, as text because JSON has no whole numbers of this size; `0` when the payer decides how much. */
  readonly amount: string
  readonly openAmount?: true
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
  /** How the payer brings the money, where he does so in his own time. */
  readonly money?: MoneyDue
  /** Until when the payer may act; what he has not decided by then is declined. */
  readonly expiresAt?: number
  readonly brand?: string
  readonly wallet?: WalletRecord
  /** How long a hold lasts, when not as long as usual. */
  readonly holdMs?: number
}

/** Of a token only its hash: enough to prove that it came unchanged, and nothing that could be used. */
export interface WalletRecord {
  readonly name: string
  readonly tokenSha256: string | null
  readonly panType: string | null
  readonly dataType: string | null
  readonly cryptogramSent: boolean
  /** Both absent in records of earlier releases. */
  readonly merchantTokenSent?: boolean
  readonly eci?: string
}

export interface MoneyDue {
  readonly by: 'crypto' | 'voucher'
  readonly network: string | null
  /** As that of a redirect; the address that the money is sent to is made of it too. */
  readonly key: string
  /** Null when there is no browser to send back. */
  readonly returnUrl: string | null
  readonly merchant: string
}

export interface Redirect {
  /** 32 hexadecimal characters: who knows them can decide in the payer's place. */
  readonly key: string
  readonly returnUrl: string
  /** The merchant as the payer knows it; empty when the request did not say. */
  readonly merchant: string
}

export interface Decision {
  readonly state: 'approved' | 'declined'
  readonly reason: string | null
  readonly declineClass: DeclineClass | null
  /** Minor units that came, where the payer decides how much. */
  readonly received?: string
}

/** An undecided transaction came to its end, or the payer decided. */
export interface DecisionRecord {
  readonly kind: 'decision'
  readonly id: string
  readonly at: number
  /** What it became in the place of `becomes`: the payer said no, sent another amount, or let his time pass. */
  readonly instead?: Decision
}

/** A scenario made the acquirer execute again what it had executed already. */
interface RepeatRecord {
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

/** A hold has ended that was neither captured nor released. */
export interface LapseRecord {
  readonly kind: 'lapse'
  readonly id: string
  readonly at: number
}

interface ClockRecord {
  readonly kind: 'clock'
  readonly offsetMs: number
}

/** All that the book is made of. */
export type BookRecord = TransactionRecord | DecisionRecord | RepeatRecord | ChargebackRecord | LapseRecord
export type JournalRecord = BookRecord | ClockRecord

/** A transaction as it stands now. Load tests make millions of them, so it holds nothing that can be worked out. */
export interface Transaction {
  readonly record: TransactionRecord
  /** What an undecided one became. */
  decision: Decision | null
}

export const isFirstStep = (type: TransactionType): type is FirstStep => firstSteps.some((step) => step === type)

export const stateOf = ({ record, decision }: Transaction): State => decision?.state ?? record.state

export const reasonOf = ({ record, decision }: Transaction): string | null => decision?.reason ?? record.reason

/** What was asked for; once the payer has sent another amount, that. */
export const amountOf = ({ record, decision }: Transaction): bigint =>
  BigInt((decision?.state === 'approved' ? decision.received : undefined) ?? record.amount)

/** Nothing happens before the payer does something. */
export const awaitsPayer = ({ record, decision }: Transaction): boolean =>
  decision === null && (record.state === 'redirect' || (record.state === 'waiting' && record.money !== undefined))
