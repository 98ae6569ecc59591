/**
 * Routing rules evaluated for one payment: the decision and its reasons. Chapter 50 §4.
 *
 * The merchant's own set goes first, then the one of all merchants; within a set the rules go in their order. Each rule decides one
 * question, and of every question the first rule that matches decides:
 *
 * - the order of the MIDs: `use`, `split`, `prefer`;
 * - 3-D Secure: `require-3ds`, `skip-3ds`;
 * - the methods of the hosted page: `show-methods`, `hide-methods`;
 * - whether the payment is declined: `decline`;
 * - how many attempts a cascade has: the first matching rule that names a number, whatever its action.
 *
 * `exclude` has no first: what any matching rule excludes is excluded, because a MID that somebody ruled out must not come back through
 * another rule. A rule marked `final` ends the evaluation when it matches, so that an exception can stand above what it is one of.
 *
 * What is deliberately not here: no look-ups and no clock, the caller brings facts and MIDs' standing; no filters, a rule never gives a
 * payment to a MID that could not take it.
 */
import { limits } from '../limits.ts'
import { type Cell, rankByApproval, type Tally } from './approval.ts'
import { type Judged, judge, type MidWorld } from './conditions.ts'
import { exponentialDraw } from './draw.ts'
import type { Facts } from './facts.ts'
import type { Action, Rule, RuleSet } from './rule.ts'

export interface RuleReference {
  readonly set: 'merchant' | 'global'
  readonly version: number
  /** From 1. */
  readonly position: number
  readonly name: string
}

/** A rule that was looked at; of one that did not match the conditions up to the first that failed. */
export interface LookedAt {
  readonly rule: RuleReference
  readonly matched: boolean
  readonly action: Action['kind']
  readonly conditions: readonly Judged[]
}

interface RuledOrder {
  readonly rule: RuleReference
  /** The first is to be tried first. */
  readonly mids: readonly { readonly midId: string; readonly says: string }[]
  readonly only: boolean
}

export interface Evaluation {
  readonly order: RuledOrder | null
  /** By the MID's id. */
  readonly excluded: ReadonlyMap<string, RuleReference>
  readonly decline: { readonly rule: RuleReference; readonly reason: string } | null
  readonly threeDs: { readonly rule: RuleReference; readonly wish: 'require' | 'skip' } | null
  readonly methods: {
    readonly rule: RuleReference
    readonly action: 'show' | 'hide'
    readonly codes: readonly string[]
  } | null
  readonly attempts: { readonly rule: RuleReference; readonly maximum: number } | null
  readonly lookedAt: readonly LookedAt[]
}

export const noRules: Evaluation = {
  order: null,
  excluded: new Map(),
  decline: null,
  threeDs: null,
  methods: null,
  attempts: null,
  lookedAt: [],
}

export interface RoutingWorld extends MidWorld {
  /** Those that the merchant is mapped to. */
  readonly candidates: readonly { readonly id: string; readonly name: string }[]
}

/** `seed` is the payment's id, so that a replay draws the same. */
export function evaluate(sets: readonly RuleSet[], facts: Facts, world: RoutingWorld, seed: string): Evaluation {
  const rules = sets.flatMap(referenced)
  if (rules.length === 0) return noRules
  let evaluation = noRules
  const lookedAt: LookedAt[] = []
  for (const { reference, rule } of rules) {
    const looked = lookAt(reference, rule, { facts, world, seed })
    lookedAt.push(looked)
    if (!looked.matched) continue
    evaluation = withRule(evaluation, reference, rule, { facts, world, seed })
    if (rule.final) break
  }
  return { ...evaluation, lookedAt }
}

/** How many MIDs may be tried one after the other. */
export const maximumAttempts = ({ attempts }: Evaluation): number =>
  Math.min(attempts?.maximum ?? limits.cascade.attempts, limits.cascade.attemptsAtMost)

const referenced = ({ merchantId, version, rules }: RuleSet) =>
  rules.flatMap((rule, index) => {
    if (!rule.enabled) return []
    const set = merchantId === null ? 'global' : 'merchant'
    const reference: RuleReference = { set, version, position: index + 1, name: rule.name }
    return [{ reference, rule }]
  })

function lookAt(reference: RuleReference, rule: Rule, { facts, world, seed }: Circumstances): LookedAt {
  const conditions: Judged[] = []
  for (const condition of rule.conditions) {
    const judged = judge(condition, facts, world, seedOf(reference, seed))
    conditions.push(judged)
    if (!judged.holds) return { rule: reference, matched: false, action: rule.action.kind, conditions }
  }
  return { rule: reference, matched: true, action: rule.action.kind, conditions }
}

/** Rules draw for themselves: a payment in the tenth of one rule is in that of another no more often than any. */
const seedOf = ({ set, name }: RuleReference, seed: string): string => `${seed} ${set} ${name}`

interface Circumstances {
  readonly facts: Facts
  readonly world: RoutingWorld
  readonly seed: string
}

function withRule(before: Evaluation, reference: RuleReference, rule: Rule, at: Circumstances): Evaluation {
  const { maximumAttempts: maximum } = rule
  const attempts = before.attempts ?? (maximum === null ? null : { rule: reference, maximum })
  return { ...before, ...decided(before, reference, rule.action, at), attempts }
}

function decided(
  { order, excluded, decline, threeDs, methods }: Evaluation,
  rule: RuleReference,
  action: Action,
  at: Circumstances,
): Partial<Evaluation> {
  switch (action.kind) {
    case 'use':
    case 'split':
    case 'prefer':
      return { order: order ?? { rule, mids: ordered(action, rule, at), only: action.kind === 'use' && action.only } }
    case 'exclude':
      return { excluded: withExcluded(excluded, rule, action.mids, at.world) }
    case 'decline':
      return { decline: decline ?? { rule, reason: action.reason } }
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

/** A MID that is gone by now is passed over: rules are checked when they are published, and MIDs change afterwards. */
const idsOf = (names: readonly string[], world: MidWorld): readonly string[] =>
  names.map((name) => world.midId(name)).filter((id) => id !== null)

function ordered(
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
      return preferred(action, at)
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

function preferred(
  action: Extract<Action, { kind: 'prefer' }>,
  { facts, world, seed }: Circumstances,
): RuledOrder['mids'] {
  const midIds = action.mids.length === 0 ? world.candidates.map(({ id }) => id) : idsOf(action.mids, world)
  const cell = cellOf(facts)
  const tallies = new Map(midIds.map((midId) => [midId, world.tally(midId, cell, action.windowMinutes)]))
  const tallyOf = (midId: string): Tally => tallies.get(midId) ?? { approved: 0, declined: 0 }
  return rankByApproval(midIds, tallyOf, action, seed).map((midId) => ({ midId, says: rated(tallyOf(midId)) }))
}

const cellOf = ({ network, issuerCountry, currency }: Facts): Cell => ({
  network: network ?? null,
  country: issuerCountry ?? null,
  currency,
})

function rated({ approved, declined }: Tally): string {
  const answers = approved + declined
  if (answers === 0) return 'no answers yet'
  return `approval rate ${((approved * 100) / answers).toFixed(1)} % of ${answers} answers`
}
