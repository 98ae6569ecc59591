/** A merchant's callbacks in the order of writing, as the events feed reads them. */
import type { Mode } from '#domain/merchant.ts'

/** Behind a callback: the transaction that wrote it, and its identifier among those of the same transaction. */
export interface FeedPosition {
  readonly writtenIn: string
  readonly id: string
}

export interface FeedRow {
  readonly position: FeedPosition
  readonly id: string
  readonly paymentId: string
  readonly sequence: number
  readonly contentType: string
  readonly body: string
  readonly state: 'due' | 'delivered' | 'failed'
  readonly createdAt: Date
  readonly mode: Mode
}

export interface EventFeed {
  /** False in a distributed database: its servers count transactions each by itself, so that none knows which of all are still open. */
  isOffered(): Promise<boolean>
  /** Changes with every recovery after a restore, because positions of the lost history may be given to other callbacks. */
  readEpoch(): Promise<string>
  /** The position before the first callback with this identifier or a later one; null if there is none. */
  startAt(merchantId: string, oldestId: string): Promise<FeedPosition | null>
  /** Rows of both modes, at most `limit`. Never skips a row that is committed later. */
  listRowsAfter(merchantId: string, after: FeedPosition, limit: number): Promise<readonly FeedRow[]>
  /** The newest of these rows, in the order of writing: a reader that continues behind the last of them misses nothing either. */
  listLastRows(merchantId: string, after: FeedPosition, limit: number): Promise<readonly FeedRow[]>
}
