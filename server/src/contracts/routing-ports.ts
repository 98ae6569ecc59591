/** What routing needs to know about MIDs besides their configuration. Chapter 50 §4. */
import type { Cell, Tally } from '#domain/routing/approval.ts'
import type { BreakerState } from '#domain/routing/breaker.ts'

/**
 * MID health: whether the acquirers work, and their recent answers. It is read from memory, so that routing never waits; processes exchange
 * their counts about once a second.
 */
export interface MidHealthTracker {
  health(midId: string): BreakerState
  /** Whether a payment may be sent to the MID now. This changes nothing: a half-open MID uses its probe only when `probe` is called. */
  admits(midId: string): boolean
  /** Answers of the last minutes, for one cell or for all. */
  tally(midId: string, cell: Cell | null, windowMinutes: number): Tally
  /** Records that a payment goes to this MID. If the MID is half-open, this payment is its probe, and no other is admitted for a while. */
  probe(midId: string): void
  /** Records how an exchange with the MID's acquirer ended. */
  recordExchange(midId: string, exchange: { readonly begunAt: Date; readonly failed: boolean }): void
  /** Records the final answer to a first step. */
  record(midId: string, cell: Cell, answer: keyof Tally): void
}
