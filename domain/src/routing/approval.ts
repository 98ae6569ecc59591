/**
 * Approval rates from acquirers' recent answers, and the order of MIDs by these rates. Chapter 50 §4.
 *
 * A MID with few answers may be better than its observed rate, so sorting by observed rates is not enough. Thompson sampling draws
 * each MID's rate from the beta distribution of its answers and sorts by the draws: fewer answers spread the draws wider, so the MID
 * is tried more often. Epsilon-greedy sorts by the observed rates. Both send a share of the payments to a MID drawn evenly: without
 * this floor a MID whose rate recovers would never be noticed.
 */
import { betaDraw, drawsFrom, fraction } from './draw.ts'

/**
 * Counts of final answers: approvals, and declines that another MID might have approved. Hard declines and suspected fraud are not
 * counted, because they concern the card: any MID would have got them, and counting them would punish the MID that happens to get
 * the worse cards.
 */
export interface Tally {
  readonly approved: number
  readonly declined: number
}

/** Approval rates are compared within one cell, since a MID that is good for one network may be poor for another. */
export interface Cell {
  readonly network: string | null
  readonly country: string | null
  readonly currency: string
}

export interface ApprovalPreference {
  readonly method: 'thompson' | 'epsilon-greedy'
  readonly windowMinutes: number
  /** The share of payments that explores regardless of the rates, above 0 and at most 0.5. */
  readonly exploration: number
}

/** Ranks the better MIDs first. `seed` is the payment's id, so that a replay gives the same ranking. */
export function rankByApproval(
  midIds: readonly string[],
  tallyOf: (midId: string) => Tally,
  { method, exploration }: ApprovalPreference,
  seed: string,
): readonly string[] {
  const rated = midIds.map((midId) => ({ midId, rate: rateOf[method](tallyOf(midId), `${seed} ${midId}`) }))
  const ranked = rated.toSorted((a, b) => b.rate - a.rate || (a.midId < b.midId ? -1 : 1)).map(({ midId }) => midId)
  if (fraction(`${seed} explores`) >= exploration) return ranked

  const explored = ranked.toSorted()[Math.floor(fraction(`${seed} explored`) * ranked.length)]
  return explored === undefined ? ranked : [explored, ...ranked.filter((midId) => midId !== explored)]
}

/** Each MID starts with one approval and one decline, so that a MID without answers is rated neither good nor bad. */
const rateOf: Readonly<Record<ApprovalPreference['method'], (tally: Tally, seed: string) => number>> = {
  thompson: ({ approved, declined }, seed) => betaDraw(approved + 1, declined + 1, drawsFrom(seed)),
  'epsilon-greedy': ({ approved, declined }) => (approved + 1) / (approved + declined + 2),
}
