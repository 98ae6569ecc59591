/**
 * What acquirers answered lately, and how a preference for the better one orders MIDs. Chapter 50 §4.
 *
 * A MID that was seldom asked may be better than its few answers say, so that the best rate seen so far is no order by itself. Thompson
 * sampling draws each MID's rate from what its answers leave possible, and goes by the draws: the less is known of a MID, the wider
 * they spread and the more often it is tried. Epsilon-greedy goes by the rates themselves. Both send a share of the payments to
 * a MID drawn evenly, whatever is known: without that floor a MID whose rate recovers would never be found again.
 */
import { betaDraw, drawsFrom, fraction } from './draw.ts'

/**
 * Counts of final answers: what was approved, and what was declined for reasons that the choice of a MID may change. A hard decline and
 * a suspicion of fraud are about the card: any other MID would have been told the same, and counting them would punish whichever MID
 * happens to see the worse cards.
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
  /** The share of payments that explores whatever is known, above 0 and at most 0.5. */
  readonly exploration: number
}

export type Health = 'closed' | 'open' | 'half-open'

/** The better ones first, as far as that is known. `seed` is the payment's id, so that a replay ranks the same. */
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

/** Each begins as if one payment had been approved and one declined: a MID without answers is unknown, neither good nor bad. */
const rateOf: Readonly<Record<ApprovalPreference['method'], (tally: Tally, seed: string) => number>> = {
  thompson: ({ approved, declined }, seed) => betaDraw(approved + 1, declined + 1, drawsFrom(seed)),
  'epsilon-greedy': ({ approved, declined }) => (approved + 1) / (approved + declined + 2),
}
