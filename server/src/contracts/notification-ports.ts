/** Notifications of acquirers, stored before they are answered, and the events in them, entered by a worker. Chapter 60 §2. */
import type { AcquirerEvent } from '../connectors/connector.ts'

export interface ReceivedNotification {
  readonly midId: string
  /** The acquirer's id of it. */
  readonly id: string
  readonly receivedAt: Date
  readonly events: readonly AcquirerEvent[]
}

export interface AcquirerNotifications {
  /** The notification and its events together. One that was stored before, and an event that was, change nothing. */
  store(notification: ReceivedNotification): Promise<'stored' | 'known'>
  /** The payment of the MID that has a transaction of these names. */
  findReported(midId: string, names: ReportedNames): Promise<string | null>
  /** Files an event that came without a payment under the one that was found. */
  place(midId: string, event: Pick<AcquirerEvent, 'kind' | 'reference'>, paymentId: string): Promise<void>
  /** Counts one whose sender could not be verified. */
  countRefused(refusal: { readonly midId: string; readonly at: Date; readonly reason: string }): Promise<void>
}

/** How an acquirer names a transaction that it reports on. */
export interface ReportedNames {
  /** Ours: found while the transaction is open. */
  readonly transactionId: string | null
  readonly acquirerReference: string | null
}

/** An event that has not been entered yet. */
export interface DueEvent {
  readonly midId: string
  readonly event: AcquirerEvent
  readonly receivedAt: Date
  /** The number of tries so far, including this one. */
  readonly tries: number
  /** Whether it was deferred before, because our own record was not that far. */
  readonly isPostponed: boolean
}

export interface AcquirerEvents {
  claim(now: Date, limit: number, leaseSeconds: number): Promise<readonly DueEvent[]>
  recordEntered(due: DueEvent): Promise<void>
  postpone(due: DueEvent, dueAt: Date, note: string): Promise<void>
  fail(due: DueEvent, note: string): Promise<void>
}
