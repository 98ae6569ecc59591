/**
 * Writes the payment for the first MID in routing order whose limits have room. Chapter 50 §3, §4.
 *
 * Concurrent payments may use up a limit after routing read it; then the next MID is tried. The MIDs left for a cascade are stored with
 * the payment, because the payer may return to another process.
 */
import { errors, type Refusal } from '#domain/errors.ts'
import { limits } from '#domain/limits.ts'
import type { Choice, DroppedMid } from '#domain/routing/choice.ts'
import type { NoCascadeReason } from '#domain/routing/ending.ts'
import type { Explanation } from '#domain/routing/explanation.ts'
import { limitsFilter } from '#domain/routing/filters.ts'
import type { LimitClash } from '../../contracts/ports.ts'
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
 * `noCascadeBecause` is null if a decline may cascade to another MID. `write` returns the written payment, or the limit without room. If no
 * MID has room, the payment is refused with the first exceeded limit.
 */
export async function placePayment<T extends object>(
  chosen: ChosenMid,
  noCascadeBecause: NoCascadeReason | null,
  write: (placement: Placement) => Promise<T | LimitClash>,
): Promise<T> {
  let { explanation } = chosen
  let refusal: Refusal | null = null
  for (const [index, choice] of chosen.ordered.entries()) {
    const cascade = cascadeFacts(chosen, chosen.ordered.slice(index + 1), noCascadeBecause)
    const result = await write({ choice, explanation, cascade })
    if (typeof result === 'object') return result
    const clash = clashOf(result)
    refusal ??= clash.refusal
    explanation = withDropped(explanation, {
      midName: choice.mid.name,
      filter: limitsFilter.number,
      name: limitsFilter.name,
      reason: clash.reason,
    })
  }
  // Routing may have dropped an earlier MID for its limits already; that limit is the one to report.
  throw new RefusedError((await chosen.findRefusalNow?.()) ?? refusal ?? errors.noMid)
}

/** Moves a MID from the ordered to the dropped ones, with the reason. */
export const withDropped = (explanation: Explanation, dropped: DroppedMid): Explanation => ({
  ...explanation,
  ordered: explanation.ordered.filter(({ midName }) => midName !== dropped.midName),
  dropped: [...explanation.dropped, dropped],
})

/** Nothing is stored for the default: no further MID and the usual number of attempts. */
function cascadeFacts(
  { maximumAttempts: maximum }: Pick<ChosenMid, 'maximumAttempts'>,
  rest: readonly Choice[],
  noCascadeBecause: NoCascadeReason | null,
): Pick<StoredFacts, 'cascade'> {
  if (noCascadeBecause) return { cascade: { maximum, left: [], stays: noCascadeBecause } }
  if (rest.length === 0 && maximum === limits.cascade.attempts) return {}
  const left = rest.map(({ mid, mapping, holds }) => ({ midId: mid.id, mappingId: mapping.id, holds }))
  return { cascade: { maximum, left } }
}
