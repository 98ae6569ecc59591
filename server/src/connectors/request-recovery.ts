/**
 * How an unknown outcome is resolved first. `lookup`: the acquirer is asked by our transaction id. `repeat`: the same request under the same
 * idempotency key returns the first result. `reverse`: the transaction is reversed by our id until the acquirer acknowledges. `by-hand`: an
 * operator decides.
 */
export type RecoveryWay = 'lookup' | 'repeat' | 'reverse' | 'by-hand'

/** What a request may still do after we have stopped waiting for its answer. Chapter 60 §3. */
export interface RequestRecovery {
  readonly way: RecoveryWay
  /**
   * For how long, since the first use of its idempotency key, a request has one effect however often it is sent under that key. Null
   * where the acquirer has no such keys or does not keep to them: then nothing is ever sent twice. `followUpsValidForMs` where the keys of
   * captures, refunds and reversals are valid for another time than those of charges.
   */
  readonly idempotencyKey: { readonly validForMs: number; readonly followUpsValidForMs?: number } | null
  /** The longest time between the moment a request leaves us and its execution: lines, proxies and queues on the way included. */
  readonly executesWithinMs: number
  /**
   * The age of a transaction from which `status` decides its outcome in every case. Absent where it does so as soon as the request can no longer be
   * executed.
   */
  readonly decidesAfterMs?: number
}
