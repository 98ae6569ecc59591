/**
 * A payment takes its turn at the MIDs of a route's order. Chapter 50 §3, §4.
 *
 * The first in order takes it, unless other payments have used up a limit there since it was looked at; then the next one does. Where
 * a cascade would go on after a decline is kept with the payment, because a payer may come back to another process.
 */
import { errors, type Refusal } from '#domain/errors.ts'
import { limits } from '#domain/limits.ts'
import type { Choice, Dropped } from '#domain/routing/choice.ts'
import type { Stays } from '#domain/routing/ending.ts'
import type { Explanation } from '#domain/routing/explanation.ts'
import type { StoredFacts } from '../../contracts/records.ts'
import { RefusedError } from '../../contracts/refused-error.ts'
import type { ChosenMid } from './choose-mid.ts'
import { clashOf } from './limit-usage.ts'

export interface Placement {
  readonly choice: Choice
  readonly explanation: Explanation
  readonly cascade: Pick<StoredFacts, 'cascade'>
}

/**
 * `stays` says why a decline would not go on to another MID; null where it may. `make` answers what was written, or the limit that had
 * no room. Refused by the first limit when none has.
 */
export async function placePayment<T extends object>(
  chosen: ChosenMid,
  stays: Stays | null,
  make: (placement: Placement) => Promise<T | string>,
): Promise<T> {
  let { explanation } = chosen
  let refusal: Refusal | null = null
  for (const [index, choice] of chosen.ordered.entries()) {
    const cascade = cascadeFacts(chosen, chosen.ordered.slice(index + 1), stays)
    const made = await make({ choice, explanation, cascade })
    if (typeof made !== 'string') return made
    const clash = clashOf(made)
    if (!clash) throw new Error(`No payment was written: ${made}.`)
    refusal ??= clash.refusal
    explanation = without(explanation, {
      midName: choice.mid.name,
      filter: 8,
      name: 'limits',
      reason: clash.reason,
    })
  }
  // A MID before these may have been full already; its limit is the one to name.
  throw new RefusedError((await chosen.refusalNow?.()) ?? refusal ?? errors.noMid)
}

/** The explanation of a payment that did not go to this MID after all. */
export const without = (explanation: Explanation, dropped: Dropped): Explanation => ({
  ...explanation,
  ordered: explanation.ordered.filter(({ midName }) => midName !== dropped.midName),
  dropped: [...explanation.dropped, dropped],
})

/** Nothing is kept of what goes without saying: one MID, and as many attempts as usual. */
function cascadeFacts(
  { maximumAttempts: maximum }: Pick<ChosenMid, 'maximumAttempts'>,
  rest: readonly Choice[],
  stays: Stays | null,
): Pick<StoredFacts, 'cascade'> {
  if (stays) return { cascade: { maximum, left: [], stays } }
  if (rest.length === 0 && maximum === limits.cascade.attempts) return {}
  const left = rest.map(({ mid, mapping, holds }) => ({ midId: mid.id, mappingId: mapping.id, holds }))
  return { cascade: { maximum, left } }
}
