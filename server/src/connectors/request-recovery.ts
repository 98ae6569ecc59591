/** What a request may still do after we have stopped waiting for its answer. Chapter 60 §3. */
export interface RequestRecovery {
  /**
   * Since its first use, for how long the same request under the same idempotency key has one effect however often it is sent. Null
   * where the acquirer has no such keys or does not keep to them: then nothing is ever sent twice.
   */
  readonly idempotencyKey: { readonly validForMs: number } | null
  /** The longest time between the moment a request leaves us and its execution: lines, proxies and queues on the way included. */
  readonly executesWithinMs: number
}
