/** The outbox as its engine sees it: callbacks that are due, and what came of an attempt. */
import type { Secret } from '#domain/secret.ts'

/** A callback claimed for delivery. */
export interface DueCallback {
  readonly merchantId: string
  readonly paymentId: string
  readonly sequence: number
  readonly id: string
  /** As it is stored: a reference in place of credentials. */
  readonly url: string
  readonly contentType: string
  readonly body: string
  /** Attempts made before this one. */
  readonly attempts: number
  readonly retrySeconds: readonly number[]
  /** The protocol of the payment decides what acknowledges its callbacks. */
  readonly protocol: string
  /** Nothing goes to its address before this; null when it may go. */
  readonly blockedUntil: Date | null
  /** Whether timeouts of its address are being counted, which a success ends. */
  readonly timedOut: boolean
}

export interface CallbackAttempt {
  readonly at: Date
  readonly durationMs: number
  readonly httpStatus: number | null
  /** The first part of the answer's body. */
  readonly answer: string | null
  readonly fault: string | null
  readonly acknowledged: boolean
}

export type CallbackNext =
  | { readonly state: 'delivered' }
  | { readonly state: 'failed' }
  /** `counts` is false when the address was blocked: a deferred delivery uses up no attempt. */
  | { readonly state: 'due'; readonly nextAt: Date; readonly counts: boolean }

/** The outbox. Rows are written together with the outcome they tell; this port only delivers them. */
export interface CallbackRows {
  /** Claims rows that are due at `now`, at most one per payment and only the oldest undelivered one of it. */
  claim(now: Date, limit: number, leaseSeconds: number): Promise<readonly DueCallback[]>
  settle(callback: DueCallback, attempt: CallbackAttempt | null, next: CallbackNext): Promise<void>
  /**
   * Counts a timeout; returns the end of the block when this one was one too many. A request that began before the address was unblocked
   * does not count.
   */
  timedOut(url: string, now: Date, begunAt?: Date): Promise<Date | null>
  reachable(url: string): Promise<void>
}

/** Addresses of callbacks with a name and a password in them, which no other row than their own holds. */
export interface CallbackAddresses {
  /** The address as it is stored. One without credentials stays as it is. */
  seal(merchantId: string, address: string): Promise<string>
  /** The address as it was given, from what was stored. */
  open(merchantId: string, stored: string): Promise<Secret<string>>
}
