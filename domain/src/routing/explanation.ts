/** Why a payment went to its MID: the stored explanation and its sentences for people. Chapter 50 §3, rule 5. */
import type { Refusal } from '../errors.ts'
import { limits } from '../limits.ts'
import type { Choice, DroppedMid } from './choice.ts'
import { type EvaluatedRule, type Evaluation, maximumAttempts, type RuleReference } from './evaluate.ts'

/** JSON only, because it is stored. Optional members are absent on payments of older releases. */
export interface Explanation {
  readonly ordered: readonly { readonly midName: string; readonly holds: boolean; readonly reason: string }[]
  readonly dropped: readonly DroppedMid[]
  /** The rule that decided the order. */
  readonly rule: (Pick<RuleReference, 'name' | 'version'> & Partial<RuleReference>) | null
  readonly refusal: { readonly code: number; readonly message: string } | null
  /** Evaluated rules, matching ones first; limited in number. */
  readonly rules?: readonly EvaluatedRule[]
  /** How many more were evaluated. */
  readonly rulesLeftOut?: number
  readonly declined?: { readonly rule: RuleReference; readonly reason: string } | null
  /** The payment waits for a person. `isSale`: the merchant asked for the money, so that it is captured once accepted. */
  readonly review?: { readonly rule: RuleReference; readonly reason: string; readonly isSale: boolean }
  readonly threeDs?: { readonly rule: RuleReference; readonly wish: 'require' | 'skip' } | null
  /** What the hosted page offers. */
  readonly methods?: Evaluation['methods']
  readonly maximumAttempts?: number
  /** The attempt that this one repeats at the same MID, with 3-D Secure. */
  readonly repeats?: { readonly attempt: number }
}

interface RouteDecision {
  readonly rules: Evaluation
  readonly ordered: readonly Pick<Choice, 'mid' | 'holds'>[]
  /** One per MID of `ordered`. */
  readonly reasons: readonly string[]
  readonly dropped: readonly DroppedMid[]
  readonly refusal: Refusal | null
  readonly review: Explanation['review'] | null
}

export function explainRoute({ rules, ordered, reasons, dropped, refusal, review }: RouteDecision): Explanation {
  return {
    ordered: ordered.map(({ mid, holds }, index) => ({ midName: mid.name, holds, reason: reasons[index] ?? '' })),
    dropped,
    rule: rules.order?.rule ?? null,
    refusal: refusal && { code: refusal.code, message: refusal.message },
    ...(rules.lookedAt.length === 0 ? {} : ruleTrace(rules)),
    ...(review ? { review } : {}),
  }
}

function ruleTrace(rules: Evaluation): Partial<Explanation> {
  const matched = rules.lookedAt.filter((one) => one.matched)
  const others = rules.lookedAt.filter((one) => !one.matched)
  const explainedRules = [...matched, ...others].slice(0, limits.routing.rulesExplained)
  return {
    rules: explainedRules,
    rulesLeftOut: rules.lookedAt.length - explainedRules.length,
    declined: rules.decline,
    threeDs: rules.threeDs,
    ...(rules.methods ? { methods: rules.methods } : {}),
    maximumAttempts: maximumAttempts(rules),
  }
}

/** In this order: the rules, the dropped MIDs, the order of the others. */
export function sentencesOf(explanation: Explanation): readonly string[] {
  const { ordered, dropped, refusal, rules = [], rulesLeftOut = 0, declined, threeDs, repeats } = explanation
  const { methods, review } = explanation
  return [
    ...rules.map(ruleSentence),
    ...(rulesLeftOut > 0 ? [`${rulesLeftOut} more rules were checked; none of them applies.`] : []),
    ...(declined ? [`${ruleTitle(declined.rule)} declines the payment: ${declined.reason}`] : []),
    ...(review ? [`${ruleTitle(review.rule)} holds the payment for review: ${review.reason}`] : []),
    ...(threeDs ? [`${ruleTitle(threeDs.rule)} ${threeDs.wish === 'require' ? 'requires' : 'skips'} 3-D Secure.`] : []),
    ...(methods ? [methodsSentence(methods)] : []),
    ...droppedSentences(dropped),
    ...(declined ? declinedSentences(ordered) : orderSentences(explanation)),
    ...(repeats ? [`Attempt ${repeats.attempt} was declined at this MID and is repeated with 3-D Secure.`] : []),
    ...(refusal ? [`No MID was left: ${refusal.code} ${refusal.message}`] : []),
  ]
}

/** A declined payment goes to no MID; the first in order shows what the rule prevents. */
const declinedSentences = ([first]: Explanation['ordered']): readonly string[] => [
  `No acquirer is asked.${first ? ` Otherwise ${first.midName} would go first.` : ''}`,
]

function orderSentences({ ordered: [first, ...later], maximumAttempts }: Explanation): readonly string[] {
  return [
    ...(first ? [`${first.midName} goes first. ${first.reason}`] : []),
    ...later.map(({ midName, reason }, index) => `${midName} would be number ${index + 2}. ${reason}`),
    ...(maximumAttempts === undefined || later.length === 0 ? [] : [attemptsSentence(maximumAttempts)]),
  ]
}

const methodsSentence = ({ rule, action, codes }: NonNullable<Explanation['methods']>): string =>
  `${ruleTitle(rule)} ${action === 'show' ? 'shows only' : 'hides'} ${codes.join(', ')} on the hosted page.`

/** MIDs dropped for the same reason share a sentence: with live and test MIDs, half of them always have the same one. */
const droppedSentences = (dropped: Explanation['dropped']): readonly string[] =>
  [...Map.groupBy(dropped, ({ reason }) => reason)].map(([reason, mids]) => {
    const names = mids.map(({ midName }) => midName)
    return `${names.join(', ')} ${names.length === 1 ? 'was' : 'were'} left out. ${reason}`
  })

const attemptsSentence = (attempts: number): string =>
  attempts === 1 ? 'Only the first MID may be tried.' : `Up to ${attempts} MIDs may be tried.`

function ruleSentence({ rule, matched, conditions }: EvaluatedRule): string {
  if (!matched) return `${ruleTitle(rule)} does not match. ${conditions.at(-1)?.says ?? ''}`.trimEnd()
  return [`${ruleTitle(rule)} matches.`, ...conditions.map(({ says }) => says)].join(' ')
}

const ruleTitle = ({ set, version, position, name }: RuleReference): string =>
  `Rule ${position} "${name}" of the ${set === 'global' ? 'rules for all merchants' : "merchant's rules"}, version ${version},`
