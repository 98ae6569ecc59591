/** What routing asks about MIDs besides their configuration. Chapter 50 §4. */
import type { Cell, Health, Tally } from '#domain/routing/approval.ts'

/**
 * How MIDs stand: whether their acquirers work, and what they answered lately. All of it is in memory, so that a payment is routed
 * without waiting for anybody; what processes learn they share with each other about once a second.
 */
export interface MidStandings {
  health(midId: string): Health
  /** Whether a payment may be sent there now. Asking changes nothing: a half-open MID has its probe once `probe` said so. */
  admits(midId: string): boolean
  /** Answers of the last minutes, of one cell or of all. */
  tally(midId: string, cell: Cell | null, windowMinutes: number): Tally
  /** A payment goes to this MID: of a half-open one it is the probe, and nobody else is admitted for a while. */
  probe(midId: string): void
  /** How an exchange with the MID's acquirer ended. */
  exchanged(midId: string, exchange: { readonly begunAt: Date; readonly failed: boolean }): void
  /** What a first step came to in the end. */
  heard(midId: string, cell: Cell, answer: keyof Tally): void
}
