/** The callback outbox as the delivery worker sees it: due callbacks, and the result of each attempt. */
import type { Secret } from '#domain/secret.ts'

/** A callback claimed for delivery. */
export interface DueCallback {
  readonly merchantId: string
  readonly paymentId: string
  readonly sequence: number
  readonly id: string
  /** The stored form: a reference stands in place of credentials. */
  readonly url: string
  readonly contentType: string
  readonly body: string
  /** Attempts made before this one. */
  readonly attempts: number
  readonly retrySeconds: readonly number[]
  /** The protocol of the payment defines which answer acknowledges its callbacks. */
  readonly protocol: string
  /** No delivery to this address before this time; null if the address is not blocked. */
  readonly blockedUntil: Date | null
  /** True while timeouts of the address are being counted; the first success ends the count. */
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
  /** `counts` is false if the address was blocked: a deferred delivery does not use up an attempt. */
  | { readonly state: 'due'; readonly nextAt: Date; readonly counts: boolean }

/** The outbox. Callbacks are written together with the outcome that they report; this port only delivers them. */
export interface CallbackRows {
  /** Claims rows that are due at `now`: at most one per payment, and only its oldest undelivered one, so that callbacks arrive in order. */
  claim(now: Date, limit: number, leaseSeconds: number): Promise<readonly DueCallback[]>
  /**
   * Returns whether the payment has a next callback, which may be sent now. If other deliveries are under way, the result may wait some
   * milliseconds to be written with theirs.
   */
  settle(
    callback: DueCallback,
    attempt: CallbackAttempt | null,
    next: CallbackNext,
    othersUnderWay?: boolean,
  ): Promise<boolean>
  /**
   * Counts a timeout. Returns the end of the block if this timeout reached the threshold. A request that began before the address was
   * unblocked does not count.
   */
  countTimeout(url: string, now: Date, begunAt?: Date): Promise<Date | null>
  markReachable(url: string): Promise<void>
}

/**
 * Callback URLs that contain a user name and a password. The credentials are stored in one sealed row; every other row holds a reference to
 * it.
 */
export interface CallbackAddresses {
  /** The URL as it is stored. A URL without credentials is stored unchanged. */
  seal(merchantId: string, address: string): Promise<string>
  /** The URL as the merchant gave it. */
  open(merchantId: string, stored: string): Promise<Secret<string>>
}
