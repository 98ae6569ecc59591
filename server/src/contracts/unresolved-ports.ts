/** Transactions whose outcome is unknown or may have been decided too early, and cascades between two attempts. */
import type { CascadeEnd, Sending, TransactionRecord } from './records.ts'

/** Transactions without an outcome, about which the acquirer is to be queried. */
export interface UnresolvedTransactions {
  /**
   * Those due at `now`, and at once those whose sending process has died; never those whose sender is alive and may still get an answer.
   */
  claim(now: Date, limit: number, leaseSeconds: number): Promise<readonly UnresolvedTransaction[]>
  postpone(transaction: TransactionRecord, askAt: Date): Promise<void>
  /** The transaction stays open and is not queried any more. */
  stopAsking(transaction: TransactionRecord): Promise<void>
  /** Written before a request is sent again. False if another process has sent it since it was claimed. */
  beginSend(claimed: UnresolvedTransaction, sending: Sending): Promise<boolean>
}

export interface UnresolvedTransaction {
  readonly transaction: TransactionRecord
  /** The process that sent it last (null if none has), and the database's version mark of that send. */
  readonly lastSend: { readonly by: number | null; readonly mark: string | null }
  /** How much longer the request may be executed and how long ago it was first sent, by the database's clock. */
  readonly inFlightMs: number
  readonly sentMsAgo: number
}

/** Transactions that ended as never executed. Their acquirer is queried for some days in case they were executed after all. */
export interface TransactionWatches {
  claim(now: Date, limit: number, leaseSeconds: number): Promise<readonly WatchedTransaction[]>
  postpone(watched: WatchedTransaction, nextAt: Date): Promise<void>
  drop(watched: WatchedTransaction): Promise<void>
}

export interface WatchedTransaction {
  readonly merchantId: string
  readonly paymentId: string
  readonly transactionId: string
  /** The number of queries so far, including this one. */
  readonly asks: number
}

/** Cascades between two attempts. They are ended here if no process continues them. */
export interface OpenCascades {
  /** Those past their deadline by the database's clock, and at once those whose process has died. */
  claim(limit: number, leaseSeconds: number): Promise<readonly OpenCascade[]>
  /** False if the cascade has continued, or was ended before. */
  end(end: CascadeEnd): Promise<boolean>
  drop(cascade: OpenCascade): Promise<void>
}

/** Identified by the declined attempt. */
export interface OpenCascade {
  readonly merchantId: string
  readonly paymentId: string
}
