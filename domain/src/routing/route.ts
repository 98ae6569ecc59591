/**
 * Routing: which MIDs may take a payment, and in what order to try them. Chapter 50 §3.
 *
 * The candidates are sorted first. Then the filters of `filters.ts` drop candidates, one filter after the other, and each dropped candidate
 * is stored with its reason. If a filter drops every remaining MID,
 * the payment is refused with that filter's error; the limits have several errors, and the first MID's is used. The first MID left
 * is used; a cascade moves to the next only after a decline that the rules call soft.
 *
 * The order: the MID of the chain's first payment, then the MIDs a routing rule names, then the mapping's priority, then
 * Card-on-File MIDs when a card is to be saved, then a draw by weight. Card-on-File thus decides only among
 * mappings of equal priority, because the operator's own order takes precedence.
 *
 * What is deliberately not here:
 * - no look-ups: the caller passes mappings, health and the usage of limits;
 * - no evaluation of rules: the caller passes their decisions (chapter 50 §4, `evaluate.ts`);
 * - no regard to earlier attempts: a cascade follows the order that was stored with its first attempt;
 * - no refusals that come before routing: a wallet token with `auth=Y` on S2S CARD (chapter 10 §7.1.6),
 *   brands that are unknown or do not offer the action (chapter 20 §5.5).
 */
import { errors, type Refusal } from '../errors.ts'
import type { Candidate } from './candidate.ts'
import type { Choice, DroppedMid, WalletFlow } from './choice.ts'
import { exponentialDraw } from './draw.ts'
import { type Evaluation, maximumAttempts, noRules } from './evaluate.ts'
import { type Explanation, explainRoute } from './explanation.ts'
import { filters, flowOf, holdsOn, isRuled, type NeedWithRules } from './filters.ts'
import type { Need } from './need.ts'

export interface Routing {
  readonly ordered: readonly Choice[]
  readonly dropped: readonly DroppedMid[]
  /** Null exactly when a MID is left. */
  readonly refusal: Refusal | null
  /** The reason that a declining rule states, null if no rule declines; `ordered` then has the MIDs that would have taken the payment. */
  readonly declined: string | null
  readonly threeDs: 'require' | 'skip' | null
  /** How many of the MIDs a cascade may try, the first included. */
  readonly maximumAttempts: number
  readonly explanation: Explanation
}

/** `seed` is the payment's id, so that a replay gives the same draws. */
export function route(
  payment: Need,
  candidates: readonly Candidate[],
  seed: string,
  evaluated: Evaluation = noRules,
): Routing {
  const rules = candidates.some((candidate) => isRuled(candidate, payment)) ? evaluated : noRules
  // A reviewed payment is only authorised, whatever the merchant asked for.
  const need: NeedWithRules = { ...payment, rules, auth: payment.auth || isReviewable(payment, rules) }
  const isSale = !payment.auth
  let left = sortCandidates(need, candidates, seed)
  const dropped: DroppedMid[] = []
  for (const filter of filters) {
    const judged = left.map((candidate) => ({ candidate, fault: filter.fault(candidate, need) }))
    for (const { candidate, fault } of judged)
      if (fault)
        dropped.push({ midName: candidate.mid.name, filter: filter.number, name: filter.name, reason: fault.reason })
    left = judged.filter(({ fault }) => fault === null).map(({ candidate }) => candidate)
    if (left.length === 0)
      return result(need, seed, { left, dropped, refusal: judged[0]?.fault?.refusal ?? errors.noMid, isSale })
  }
  return result(need, seed, { left, dropped, refusal: null, isSale })
}

/** Only a sale can be held. A brand whose payer pays elsewhere is not reviewed: its acquirer holds nothing. */
const isReviewable = ({ kind, brand, amountMinor }: Need, { review }: Evaluation): boolean =>
  review !== null && kind === 'sale' && brand === null && amountMinor !== 0n

type WalletFlowChoice =
  | { readonly kind: 'ok'; readonly flow: WalletFlow; readonly ordered: readonly Choice[] }
  | { readonly kind: 'refused'; readonly refusal: Refusal }

/**
 * The MIDs that a wallet payment may use, and how they get the token. Card flow is preferred: with decrypted data if any MID takes it
 * (`decrypted`), else with the token unchanged (`passed_on`). Virtual flow is the last choice. Only decrypted data may cascade to a second
 * MID. Chapter 40 §9.
 */
export function chooseWalletFlow(choices: readonly Choice[]): WalletFlowChoice {
  const decrypted = choices.filter(({ flow }) => flow === 'decrypted')
  if (decrypted.length > 0) return { kind: 'ok', flow: 'decrypted', ordered: decrypted }
  const passedOn = choices.find(({ flow }) => flow === 'passed_on')
  if (passedOn) return { kind: 'ok', flow: 'passed_on', ordered: [passedOn] }
  const virtual = choices.find(({ capabilities }) => capabilities.passesTokens)
  if (virtual) return { kind: 'ok', flow: 'virtual', ordered: [virtual] }
  return { kind: 'refused', refusal: errors.walletNotSupported }
}

/** The sort key of a candidate: smaller goes first, compared number by number. */
function sortKeyOf(candidate: Candidate, need: NeedWithRules, seed: string): readonly number[] {
  const { mid, mapping } = candidate
  return [
    isOfChain(candidate, need) ? 0 : 1,
    positionOf(candidate, need),
    mapping.priority,
    need.preferCardOnFile && keepsCards(candidate) ? 0 : 1,
    weightedDraw(seed, mid.id, mapping.weight),
  ]
}

function sortCandidates(need: NeedWithRules, candidates: readonly Candidate[], seed: string): readonly Candidate[] {
  return candidates
    .map((candidate) => ({ candidate, key: sortKeyOf(candidate, need, seed) }))
    .sort((a, b) => compare(a.key, b.key) || (a.candidate.mid.name < b.candidate.mid.name ? -1 : 1))
    .map(({ candidate }) => candidate)
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (const [index, value] of a.entries()) {
    const other = b[index] ?? 0
    if (value !== other) return value < other ? -1 : 1
  }
  return 0
}

const isOfChain = ({ mid }: Candidate, need: Need): boolean => need.chainMidId === mid.id
const keepsCards = ({ mid, capabilities }: Candidate): boolean => mid.cardOnFileEnabled && capabilities.cardOnFile

/** Rules order wallet payments only with decrypted data (chapter 40 §9). */
function positionOf(candidate: Candidate, need: NeedWithRules): number {
  const position = need.rules.order?.mids.findIndex(({ midId }) => midId === candidate.mid.id) ?? -1
  return position === -1 || !isRuled(candidate, need) ? Number.MAX_SAFE_INTEGER : position
}

/** Decides among mappings of equal priority. */
const weightedDraw = (seed: string, midId: string, weight: number): number =>
  exponentialDraw(`${seed} ${midId}`, weight)

interface FilterResult extends Pick<Routing, 'dropped' | 'refusal'> {
  readonly left: readonly Candidate[]
  /** The merchant asked for the money, not for a hold. */
  readonly isSale: boolean
}

function result(need: NeedWithRules, seed: string, { left, dropped, refusal, isSale }: FilterResult): Routing {
  const ordered = left.map((candidate) => ({
    mid: candidate.mid,
    mapping: candidate.mapping,
    capabilities: candidate.capabilities,
    holds: holdsOn(candidate.mid, need),
    flow: flowOf(candidate, need),
  }))
  const reasons = left.map((candidate) => reasonOf(candidate, need, seed))
  return {
    ordered,
    dropped,
    refusal,
    declined: need.rules.decline?.reason ?? null,
    threeDs: need.rules.threeDs?.wish ?? null,
    maximumAttempts: maximumAttempts(need.rules),
    explanation: explainRoute({
      rules: need.rules,
      ordered,
      reasons,
      dropped,
      refusal,
      review: isReviewable(need, need.rules) && need.rules.review ? { ...need.rules.review, isSale } : null,
    }),
  }
}

function reasonOf(candidate: Candidate, need: NeedWithRules, seed: string): string {
  if (isOfChain(candidate, need)) return "The MID of the chain's first payment."
  const { order } = need.rules
  const ruled = isRuled(candidate, need) ? order?.mids.find(({ midId }) => midId === candidate.mid.id) : undefined
  if (order && ruled) return `By the rule "${order.rule.name}": ${ruled.says}.`
  const { priority, weight } = candidate.mapping
  const saves = need.preferCardOnFile && keepsCards(candidate) ? ', Card-on-File' : ''
  const draw = weight > 0 ? `, drawn at ${weightedDraw(seed, candidate.mid.id, weight).toFixed(4)}` : ''
  return `Priority ${priority}${saves}, weight ${weight}${draw}.`
}
