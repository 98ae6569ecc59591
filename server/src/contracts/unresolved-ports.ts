/** What is in doubt: transactions of which it is not known what became, or was believed too early, and cascades between two attempts. */
import type { CascadeEnd, Sending, TransactionRecord } from './records.ts'

/** Transactions whose outcome is open and whose acquirer is to be asked. */
export interface Unresolved {
  /** Those due at `now`, and at once those whose sending process has died; never those whose living sender may still be answered. */
  claim(now: Date, limit: number, leaseSeconds: number): Promise<readonly DoubtfulTransaction[]>
  /** `askAt` null gives up asking. */
  postpone(transaction: TransactionRecord, askAt: Date | null): Promise<void>
  /** Written before anything is sent again. False when another process has sent it since it was claimed. */
  beginSend(doubtful: DoubtfulTransaction, sending: Sending): Promise<boolean>
}

export interface DoubtfulTransaction {
  readonly transaction: TransactionRecord
  /** The process that sent it last, null while none has, and the database's mark of that send. */
  readonly lastSend: { readonly by: number | null; readonly mark: string | null }
  /** By the database's clock: how long the request may still be executed, and how long ago it was first sent. */
  readonly inFlightMs: number
  readonly sentMsAgo: number
}

/** Transactions that ended as never executed, and are asked about for some days in case they were. */
export interface TransactionWatches {
  claim(now: Date, limit: number, leaseSeconds: number): Promise<readonly WatchedTransaction[]>
  postpone(watched: WatchedTransaction, nextAt: Date): Promise<void>
  drop(watched: WatchedTransaction): Promise<void>
}

export interface WatchedTransaction {
  readonly merchantId: string
  readonly paymentId: string
  readonly transactionId: string
  /** How often it was asked about, this time included. */
  readonly asks: number
}

/** Cascades between two attempts, which end here when nobody goes on with them. */
export interface OpenCascades {
  /** Those whose time is over by the database's clock, and at once those whose process has died. */
  claim(limit: number, leaseSeconds: number): Promise<readonly OpenCascade[]>
  /** False when it went on, or was ended before. */
  end(end: CascadeEnd): Promise<boolean>
  drop(cascade: OpenCascade): Promise<void>
}

/** By the attempt that was declined. */
export interface OpenCascade {
  readonly merchantId: string
  readonly paymentId: string
}
