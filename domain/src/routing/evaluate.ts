/**
 * Routing rules evaluated for one payment: the decision and its reasons. Chapter 50 §4.
 *
 * The merchant's own set is evaluated first, then the set for all merchants; within a set the rules are evaluated in their order. Each rule
 * decides one question, and the first matching rule of a question decides it:
 *
 * - the order of the MIDs: `use`, `split`, `prefer`;
 * - 3-D Secure: `require-3ds`, `skip-3ds`;
 * - the methods of the hosted page: `show-methods`, `hide-methods`;
 * - whether the payment is declined: `decline`;
 * - whether it is held until a person has looked at it: `review`;
 * - how many attempts a cascade has: the first matching rule that names a number, whatever its action.
 *
 * All matching `exclude` rules apply together, because another rule must not bring an excluded MID back. A rule marked
 * `final` ends the evaluation when it matches, so that an exception can stand above the general rules.
 *
 * What is deliberately not here: no look-ups and no clock, because the caller passes inputs and MID health; no filters, because a rule
 * never gives a payment to a MID that cannot take it.
 */
import { limits } from '../limits.ts'
import { type Cell, rankByApproval, type Tally } from './approval.ts'
import { type Judgement, judge, type MidWorld } from './conditions.ts'
import { exponentialDraw } from './draw.ts'
import type { Action, Rule, RuleSet } from './rule.ts'
import type { RuleInputs } from './rule-inputs.ts'

export interface RuleReference {
  readonly set: 'merchant' | 'global'
  readonly version: number
  /** From 1. */
  readonly position: number
  readonly name: string
}

/** An evaluated rule; if it did not match, with its conditions up to the first that failed. */
export interface EvaluatedRule {
  readonly rule: RuleReference
  readonly matched: boolean
  readonly action: Action['kind']
  readonly conditions: readonly Judgement[]
}

interface RuledOrder {
  readonly rule: RuleReference
  /** In the order in which they are tried. */
  readonly mids: readonly { readonly midId: string; readonly says: string }[]
  readonly only: boolean
}

export interface Evaluation {
  readonly order: RuledOrder | null
  /** By the MID's id. */
  readonly excluded: ReadonlyMap<string, RuleReference>
  readonly decline: { readonly rule: RuleReference; readonly reason: string } | null
  readonly review: { readonly rule: RuleReference; readonly reason: string } | null
  readonly threeDs: { readonly rule: RuleReference; readonly wish: 'require' | 'skip' } | null
  readonly methods: {
    readonly rule: RuleReference
    readonly action: 'show' | 'hide'
    readonly codes: readonly string[]
  } | null
  readonly attempts: { readonly rule: RuleReference; readonly maximum: number } | null
  readonly lookedAt: readonly EvaluatedRule[]
}

export const noRules: Evaluation = {
  order: null,
  excluded: new Map(),
  decline: null,
  review: null,
  threeDs: null,
  methods: null,
  attempts: null,
  lookedAt: [],
}

export interface RoutingWorld extends MidWorld {
  /** The MIDs that the merchant is mapped to. */
  readonly candidates: readonly { readonly id: string; readonly name: string }[]
}

/** `seed` is the payment's id, so that a replay gives the same draws. */
export function evaluate(sets: readonly RuleSet[], inputs: RuleInputs, world: RoutingWorld, seed: string): Evaluation {
  const rules = sets.flatMap(enabledRulesOf)
  if (rules.length === 0) return noRules
  let evaluation = noRules
  const lookedAt: EvaluatedRule[] = []
  for (const { reference, rule } of rules) {
    const looked = lookAt(reference, rule, { inputs, world, seed })
    lookedAt.push(looked)
    if (!looked.matched) continue
    evaluation = withRule(evaluation, reference, rule, { inputs, world, seed })
    if (rule.final) break
  }
  return { ...evaluation, lookedAt }
}

/** How many MIDs may be tried one after the other. */
export const maximumAttempts = ({ attempts }: Evaluation): number =>
  Math.min(attempts?.maximum ?? limits.cascade.attempts, limits.cascade.attemptsAtMost)

const enabledRulesOf = ({ merchantId, version, rules }: RuleSet) =>
  rules.flatMap((rule, index) => {
    if (!rule.enabled) return []
    const set = merchantId === null ? 'global' : 'merchant'
    const reference: RuleReference = { set, version, position: index + 1, name: rule.name }
    return [{ reference, rule }]
  })

function lookAt(reference: RuleReference, rule: Rule, { inputs, world, seed }: Circumstances): EvaluatedRule {
  const conditions: Judgement[] = []
  for (const condition of rule.conditions) {
    const judged = judge(condition, inputs, world, { seed: seedOf(reference, seed), set: reference.set })
    conditions.push(judged)
    if (!judged.holds) return { rule: reference, matched: false, action: rule.action.kind, conditions }
  }
  return { rule: reference, matched: true, action: rule.action.kind, conditions }
}

/** Each rule draws independently: a payment in the 10 % share of one rule is not more likely to be in that of another. */
const seedOf = ({ set, name }: RuleReference, seed: string): string => `${seed} ${set} ${name}`

interface Circumstances {
  readonly inputs: RuleInputs
  readonly world: RoutingWorld
  readonly seed: string
}

function withRule(before: Evaluation, reference: RuleReference, rule: Rule, at: Circumstances): Evaluation {
  const { maximumAttempts: maximum } = rule
  const attempts = before.attempts ?? (maximum === null ? null : { rule: reference, maximum })
  return { ...before, ...applyAction(before, reference, rule.action, at), attempts }
}

function applyAction(
  { order, excluded, decline, review, threeDs, methods }: Evaluation,
  rule: RuleReference,
  action: Action,
  at: Circumstances,
): Partial<Evaluation> {
  switch (action.kind) {
    case 'use':
    case 'split':
    case 'prefer':
      return { order: order ?? { rule, mids: orderMids(action, rule, at), only: action.kind === 'use' && action.only } }
    case 'exclude':
      return { excluded: withExcluded(excluded, rule, action.mids, at.world) }
    case 'decline':
      return { decline: decline ?? { rule, reason: action.reason } }
    case 'review':
      return { review: review ?? { rule, reason: action.reason } }
    case 'require-3ds':
      return { threeDs: threeDs ?? { rule, wish: 'require' } }
    case 'skip-3ds':
      return { threeDs: threeDs ?? { rule, wish: 'skip' } }
    case 'show-methods':
      return { methods: methods ?? { rule, action: 'show', codes: action.methods } }
    case 'hide-methods':
      return { methods: methods ?? { rule, action: 'hide', codes: action.methods } }
  }
}

function withExcluded(
  before: ReadonlyMap<string, RuleReference>,
  rule: RuleReference,
  names: readonly string[],
  world: MidWorld,
): ReadonlyMap<string, RuleReference> {
  const added = idsOf(names, world).map((id) => [id, rule] as const)
  return new Map([...added, ...before])
}

/** Skips names without a MID: rules are checked when they are published, and MIDs may be removed afterwards. */
const idsOf = (names: readonly string[], world: MidWorld): readonly string[] =>
  names.map((name) => world.midId(name)).filter((id) => id !== null)

function orderMids(
  action: Extract<Action, { kind: 'use' | 'split' | 'prefer' }>,
  rule: RuleReference,
  at: Circumstances,
): RuledOrder['mids'] {
  switch (action.kind) {
    case 'use':
      return idsOf(action.mids, at.world).map((midId, index) => ({ midId, says: `number ${index + 1} of its list` }))
    case 'split':
      return split(action.shares, rule, at)
    case 'prefer':
      return orderByApproval(action, at)
  }
}

function split(
  shares: Extract<Action, { kind: 'split' }>['shares'],
  rule: RuleReference,
  { world, seed }: Circumstances,
): RuledOrder['mids'] {
  const total = shares.reduce((sum, { weight }) => sum + weight, 0)
  return shares
    .flatMap(({ mid, weight }) => idsOf([mid], world).map((midId) => ({ midId, weight })))
    .map((one) => ({ ...one, draw: exponentialDraw(`${seedOf(rule, seed)} ${one.midId}`, one.weight) }))
    .toSorted((a, b) => a.draw - b.draw)
    .map(({ midId, weight, draw }) => ({
      midId,
      says: `weight ${weight} of ${total}, drawn at ${draw.toFixed(4)}`,
    }))
}

function orderByApproval(
  action: Extract<Action, { kind: 'prefer' }>,
  { inputs, world, seed }: Circumstances,
): RuledOrder['mids'] {
  const midIds = action.mids.length === 0 ? world.candidates.map(({ id }) => id) : idsOf(action.mids, world)
  const cell = cellOf(inputs)
  const tallies = new Map(midIds.map((midId) => [midId, world.tally(midId, cell, action.windowMinutes)]))
  const tallyOf = (midId: string): Tally => tallies.get(midId) ?? { approved: 0, declined: 0 }
  return rankByApproval(midIds, tallyOf, action, seed).map((midId) => ({ midId, says: rateSentence(tallyOf(midId)) }))
}

const cellOf = ({ network, issuerCountry, currency }: RuleInputs): Cell => ({
  network: network ?? null,
  country: issuerCountry ?? null,
  currency,
})

function rateSentence({ approved, declined }: Tally): string {
  const answers = approved + declined
  if (answers === 0) return 'no answers yet'
  return `approval rate ${((approved * 100) / answers).toFixed(1)} % of ${answers} answers`
}
