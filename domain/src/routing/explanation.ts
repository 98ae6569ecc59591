/** Why a payment went where it went: what is stored with it, and the sentences that a person reads. Chapter 50 §3, rule 5. */
import type { Refusal } from '../errors.ts'
import { limits } from '../limits.ts'
import type { Choice, Dropped } from './choice.ts'
import { type Evaluation, type LookedAt, maximumAttempts, type RuleReference } from './evaluate.ts'

/** Holds nothing but JSON. What was added later is absent on older payments. */
export interface Explanation {
  readonly ordered: readonly { readonly midName: string; readonly holds: boolean; readonly reason: string }[]
  readonly dropped: readonly Dropped[]
  /** The rule that gave the order. */
  readonly rule: (Pick<RuleReference, 'name' | 'version'> & Partial<RuleReference>) | null
  readonly refusal: { readonly code: number; readonly message: string } | null
  /** Rules that were looked at, those that matched first; of many the first ones. */
  readonly rules?: readonly LookedAt[]
  /** How many more were looked at. */
  readonly rulesLeftOut?: number
  readonly declined?: { readonly rule: RuleReference; readonly reason: string } | null
  readonly threeDs?: { readonly rule: RuleReference; readonly wish: 'require' | 'skip' } | null
  readonly maximumAttempts?: number
  /** The attempt that is made once more at its MID, with 3-D Secure. */
  readonly repeats?: { readonly attempt: number }
}

interface Decided {
  readonly rules: Evaluation
  readonly ordered: readonly Pick<Choice, 'mid' | 'holds'>[]
  /** One per MID of `ordered`. */
  readonly reasons: readonly string[]
  readonly dropped: readonly Dropped[]
  readonly refusal: Refusal | null
}

export function explained({ rules, ordered, reasons, dropped, refusal }: Decided): Explanation {
  return {
    ordered: ordered.map(({ mid, holds }, index) => ({ midName: mid.name, holds, reason: reasons[index] ?? '' })),
    dropped,
    rule: rules.order?.rule ?? null,
    refusal: refusal && { code: refusal.code, message: refusal.message },
    ...(rules.lookedAt.length === 0 ? {} : traced(rules)),
  }
}

function traced(rules: Evaluation): Partial<Explanation> {
  const matched = rules.lookedAt.filter((one) => one.matched)
  const others = rules.lookedAt.filter((one) => !one.matched)
  const kept = [...matched, ...others].slice(0, limits.routing.rulesExplained)
  return {
    rules: kept,
    rulesLeftOut: rules.lookedAt.length - kept.length,
    declined: rules.decline,
    threeDs: rules.threeDs,
    maximumAttempts: maximumAttempts(rules),
  }
}

/** From the first question to the last: the rules, the MIDs that were left out, the order of the others. */
export function sentencesOf(explanation: Explanation): readonly string[] {
  const { ordered, dropped, refusal, rules = [], rulesLeftOut = 0, declined, threeDs, repeats } = explanation
  const { maximumAttempts } = explanation
  const [first, ...later] = ordered
  return [
    ...rules.map(ruleSentence),
    ...(rulesLeftOut > 0 ? [`${rulesLeftOut} more rules were checked; none of them applies.`] : []),
    ...(declined ? [`${named(declined.rule)} declines the payment: ${declined.reason}`] : []),
    ...(threeDs ? [`${named(threeDs.rule)} ${threeDs.wish === 'require' ? 'requires' : 'skips'} 3-D Secure.`] : []),
    ...leftOut(dropped),
    ...(first ? [`${first.midName} goes first. ${first.reason}`] : []),
    ...later.map(({ midName, reason }, index) => `${midName} would be number ${index + 2}. ${reason}`),
    ...(maximumAttempts === undefined || later.length === 0 ? [] : [attemptsSentence(maximumAttempts)]),
    ...(repeats ? [`Attempt ${repeats.attempt} was declined at this MID and is repeated with 3-D Secure.`] : []),
    ...(refusal ? [`No MID was left: ${refusal.code} ${refusal.message}`] : []),
  ]
}

/** MIDs that fell out for the same reason share a sentence: of a merchant with both sides half of them always do. */
const leftOut = (dropped: Explanation['dropped']): readonly string[] =>
  [...Map.groupBy(dropped, ({ reason }) => reason)].map(([reason, mids]) => {
    const names = mids.map(({ midName }) => midName)
    return `${names.join(', ')} ${names.length === 1 ? 'was' : 'were'} left out. ${reason}`
  })

const attemptsSentence = (attempts: number): string =>
  attempts === 1 ? 'Only the first MID may be tried.' : `Up to ${attempts} MIDs may be tried.`

function ruleSentence({ rule, matched, conditions }: LookedAt): string {
  if (!matched) return `${named(rule)} does not match. ${conditions.at(-1)?.says ?? ''}`.trimEnd()
  return [`${named(rule)} matches.`, ...conditions.map(({ says }) => says)].join(' ')
}

const named = ({ set, version, position, name }: RuleReference): string =>
  `Rule ${position} "${name}" of the ${set === 'global' ? 'rules for all merchants' : "merchant's rules"}, version ${version},`
