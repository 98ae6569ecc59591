/** The acquirer's own types; it shares with the gateway only those of its HTTP interface. */

export const firstSteps = ['sale', 'authorize', 'debit', 'credit', 'transfer'] as const
export const laterSteps = ['capture', 'refund', 'reverse', 'void'] as const
export type FirstStep = (typeof firstSteps)[number]
export type LaterStep = (typeof laterSteps)[number]
export type TransactionType = FirstStep | LaterStep

/** `redirect`: the payer must first visit our page. `waiting`: accepted, and completed later without another request. */
export type State = 'approved' | 'declined' | 'pending' | 'waiting' | 'redirect'
export type DeclineClass = 'soft' | 'hard' | 'authentication_required'

/** The journal's record of a request and its verdict, without card number and verification code. */
export interface TransactionRecord {
  readonly kind: 'transaction'
  /** Counts from 1 without gaps; all references are derived from it. */
  readonly number: number
  readonly id: string
  readonly type: TransactionType
  readonly mid: string
  readonly paymentId: string
  readonly orderId: string | null
  /** The first step of the charge that a later step works on. */
  readonly firstId: string | null
  /** Minor units, as text because JSON numbers are rounded; `0` if the payer decides the amount. */
  readonly amount: string
  readonly openAmount?: true
  readonly currency: string
  readonly card: string | null
  /** Salted hash of order and card, for rows that depend on earlier attempts of the same order. */
  readonly group: string | null
  /** Row of the trigger table. */
  readonly trigger: string
  readonly recurring: 'initial' | 'subsequent' | null
  readonly registersCard: boolean
  readonly codeSent: boolean
  /** Salted hash of everything that affects the money; the same key with another fingerprint is refused. */
  readonly fingerprint: string
  /** Milliseconds on the test clock. */
  readonly at: number
  readonly state: State
  readonly reason: string | null
  readonly declineClass: DeclineClass | null
  /** When an undecided transaction is decided, or an unseen one becomes visible. Null: at once, or never. */
  readonly decidesAt: number | null
  readonly becomes: Decision | null
  /** The page where the payer decides, and the return address; absent if the payer has nothing to decide there. */
  readonly redirect?: Redirect
  /** How the payer pays later; absent for other payments. */
  readonly money?: MoneyDue
  /** The end of the payer's time to act; an undecided transaction is declined then. */
  readonly expiresAt?: number
  readonly brand?: string
  /** Of the MID; absent if it has none, and for later steps. */
  readonly descriptor?: string
  readonly wallet?: WalletRecord
  /** The duration of a hold, if it is not the default. */
  readonly holdMs?: number
}

/** Only the token's hash, which shows that the token arrived unchanged and cannot be used. */
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
  /** The crypto currency to send; absent for a voucher, and for an order in money that names none. */
  readonly currency?: string
  /** Like the key of a redirect; the crypto address is derived from it too. */
  readonly key: string
  /** Null if there is no browser to redirect. */
  readonly returnUrl: string | null
  readonly merchant: string
}

export interface Redirect {
  /** 32 hexadecimal characters. A program that knows them can decide in the payer's place. */
  readonly key: string
  readonly returnUrl: string
  /** The merchant's name for the payer; empty if the request had none. */
  readonly merchant: string
}

export interface Decision {
  readonly state: 'approved' | 'declined'
  readonly reason: string | null
  readonly declineClass: DeclineClass | null
  /** The received amount in minor units, if the payer decides the amount. */
  readonly received?: string
}

/** An undecided transaction was decided, by time or by the payer. */
export interface DecisionRecord {
  readonly kind: 'decision'
  readonly id: string
  readonly at: number
  /** The outcome instead of `becomes`: the payer declined, sent another amount, or did not act in time. */
  readonly instead?: Decision
}

/** A scenario made the acquirer execute a transaction a second time. */
interface RepeatRecord {
  readonly kind: 'repeat'
  readonly id: string
  readonly at: number
}

export interface ChargebackRecord {
  readonly kind: 'chargeback'
  /** The disputed sale, debit, transfer or capture. */
  readonly id: string
  readonly at: number
  readonly reasonCode: string
}

/** A hold expired that was neither captured nor released. */
export interface LapseRecord {
  readonly kind: 'lapse'
  readonly id: string
  readonly at: number
}

interface ClockRecord {
  readonly kind: 'clock'
  readonly offsetMs: number
}

/** The records from which the book is built. */
export type BookRecord = TransactionRecord | DecisionRecord | RepeatRecord | ChargebackRecord | LapseRecord
export type JournalRecord = BookRecord | ClockRecord

/** The present state of a transaction. Load tests create millions, so it stores nothing that can be computed. */
export interface Transaction {
  readonly record: TransactionRecord
  /** The decision on an undecided transaction. */
  decision: Decision | null
}

export const isFirstStep = (type: TransactionType): type is FirstStep => firstSteps.some((step) => step === type)

export const stateOf = ({ record, decision }: Transaction): State => decision?.state ?? record.state

export const reasonOf = ({ record, decision }: Transaction): string | null => decision?.reason ?? record.reason

/** The requested amount, or the amount that the payer has sent instead. */
export const amountOf = ({ record, decision }: Transaction): bigint =>
  BigInt((decision?.state === 'approved' ? decision.received : undefined) ?? record.amount)

/** True if the transaction waits for an action of the payer. */
export const awaitsPayer = ({ record, decision }: Transaction): boolean =>
  decision === null && (record.state === 'redirect' || (record.state === 'waiting' && record.money !== undefined))
