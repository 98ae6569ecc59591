/**
 * Routing without a payment: simulates a hypothetical payment, and replays stored payments under other rules. Nothing is written.
 * Chapter 50 §3, rule 5.
 *
 * A stored payment is replayed with the current MIDs, all of them healthy and no limit used: the replay shows the effect of the rules, not
 * the state of the acquirers on that day.
 */
import { routingOf } from '#domain/brand/brand.ts'
import { networkOf } from '#domain/card.ts'
import type { Mode, Protocol } from '#domain/merchant.ts'
import type { Wallet } from '#domain/mid.ts'
import type { Kind } from '#domain/payment/payment.ts'
import { assuranceOf } from '#domain/routing/assurance.ts'
import { evaluate } from '#domain/routing/evaluate.ts'
import type { Explanation } from '#domain/routing/explanation.ts'
import type { Need } from '#domain/routing/need.ts'
import { chooseWalletFlow, type Routing, route } from '#domain/routing/route.ts'
import type { RuleSet } from '#domain/routing/rule.ts'
import { type RiskFindings, type RuleInputs, ruleInputsOf } from '#domain/routing/rule-inputs.ts'
import type { JsonObject, PaymentRecord } from '../../contracts/records.ts'
import { type RoutingDeps, readCandidates, worldOf } from './choose-mid.ts'
import { readRiskFindings } from './risk-findings.ts'

export interface HypotheticalPayment {
  readonly merchantId: string
  readonly mode: Mode
  readonly protocol: Protocol
  readonly kind: Kind
  readonly auth: boolean
  readonly recurring: Need['recurring']
  readonly initiator: Need['initiator']
  readonly channel: string | null
  readonly currency: string
  readonly amountMinor: bigint
  /** The first six to eight digits of a card; null for a payment without one. */
  readonly bin: string | null
  /** These override the values derived from the number and the issuer table. */
  readonly network: string | null
  readonly issuerCountry: string | null
  readonly funding: string | null
  readonly panType: 'DPAN' | 'FPAN' | null
  readonly wallet: Wallet | null
  /** The code of the catalogue. */
  readonly brand: string | null
  readonly payerCountry: string | null
  readonly motoType: string | null
  readonly customData: JsonObject | null
  /** Conditions on risk lists and velocity use it; nothing is counted. */
  readonly payerEmail?: string | null
  readonly payerIp?: string | null
  readonly payerPhone?: string | null
  readonly saveCard: boolean
  readonly at: Date | null
  /** Seed of weighted draws; a real payment uses its id. */
  readonly seed: string
}

export interface Decision {
  readonly result: 'routed' | 'declined' | 'refused'
  /** The MID that would be asked first; null unless it is routed. */
  readonly midName: string | null
  readonly threeDs: 'require' | 'skip' | null
  readonly maximumAttempts: number
  readonly explanation: Explanation
}

/** `sets` replaces the published rule sets. */
export async function simulate(
  deps: RoutingDeps,
  hypothetical: HypotheticalPayment,
  sets: readonly RuleSet[] = deps.configuration.ruleSets(hypothetical.merchantId),
): Promise<Decision> {
  const need = needOfHypothetical(deps, hypothetical)
  const bin = need.card?.bin ?? null
  const known = ruleInputsOf(need, bin === null ? null : deps.issuers.of(bin), hypothetical.at ?? deps.clock.now())
  const issuerCountry = hypothetical.issuerCountry ?? known.issuerCountry
  const { merchantId } = hypothetical
  const riskQuestion = { merchantId, need, issuerCountry: issuerCountry ?? null, sets, counts: false }
  const inputs: RuleInputs = {
    ...known,
    risk: await readRiskFindings(deps, riskQuestion),
    issuerCountry,
    funding: hypothetical.funding ?? known.funding,
  }
  const rules = evaluate(sets, inputs, worldOf(deps, hypothetical.merchantId), hypothetical.seed)
  const candidates = await readCandidates(deps, hypothetical.merchantId, need.currency)
  return decisionOf(route(need, candidates, hypothetical.seed, rules))
}

function needOfHypothetical({ configuration }: RoutingDeps, hypothetical: HypotheticalPayment): Need {
  const brand = hypothetical.brand === null ? null : configuration.brand(hypothetical.brand)
  const network = hypothetical.network ?? (hypothetical.bin === null ? null : (networkOf(hypothetical.bin) ?? null))
  const hasCard = hypothetical.bin !== null || hypothetical.network !== null
  return {
    ...hypothetical,
    channelId: hypothetical.channel,
    wallet: hypothetical.wallet && { name: hypothetical.wallet, usable: true, key: true },
    methods: [],
    brand: brand && routingOf(brand),
    card: hasCard ? { network, bin: hypothetical.bin, panType: hypothetical.panType } : null,
    preferCardOnFile: hypothetical.saveCard,
    chainMidId: null,
  }
}

function decisionOf({ ordered, refusal, declined, threeDs, maximumAttempts, explanation }: Routing): Decision {
  const common = { threeDs, maximumAttempts, explanation }
  if (refusal) return { result: 'refused', midName: null, ...common }
  if (declined !== null) return { result: 'declined', midName: null, ...common }
  return { result: 'routed', midName: ordered[0]?.mid.name ?? null, ...common }
}

export interface PaymentReplay {
  readonly payment: PaymentRecord
  /** The MID that took the payment; null if it was deleted since. */
  readonly wentTo: string | null
  /** The decisions under the published rules and under the draft. */
  readonly published: Decision
  readonly drafted: Decision
}

export interface StoredPayment {
  readonly payment: PaymentRecord
  /** The MID of the chain's first payment. */
  readonly chainMidId: string | null
  /** Undefined if no rule asks for it. */
  readonly risk?: RiskFindings | undefined
}

/** `drafted` replaces the published set of the same merchant, or the set for all merchants. */
export function replay(
  deps: RoutingDeps,
  stored: readonly StoredPayment[],
  drafted: RuleSet,
): readonly PaymentReplay[] {
  return stored.map((one) => {
    const { payment } = one
    const published = deps.configuration.ruleSets(payment.merchantId)
    const need = needOfStored(deps, payment, one.chainMidId)
    return {
      payment,
      wentTo: originalMidName(deps, payment),
      published: decideAgain(deps, one, need, published),
      drafted: decideAgain(deps, one, need, withDraft(published, drafted)),
    }
  })
}

/** The merchant's own set takes precedence over the set for all merchants. */
export function withDraft(published: readonly RuleSet[], drafted: RuleSet): readonly RuleSet[] {
  const others = published.filter(({ merchantId }) => merchantId !== drafted.merchantId)
  return drafted.merchantId === null ? [...others, drafted] : [drafted, ...others]
}

function decideAgain(
  deps: RoutingDeps,
  { payment, risk }: StoredPayment,
  need: Need,
  sets: readonly RuleSet[],
): Decision {
  const { merchantId, id, createdAt, facts } = payment
  const candidates = deps.configuration.candidates(merchantId).map(({ mapping, mid }) => ({
    mapping,
    mid,
    capabilities: deps.acquirers.capabilities(mid.connector),
    healthy: true,
    usage: null,
  }))
  const bin = need.card?.bin ?? null
  const issuer = facts.issuer ?? (bin === null ? null : deps.issuers.of(bin))
  const inputs = { ...ruleInputsOf(need, issuer, createdAt), risk }
  const rules = evaluate(sets, inputs, worldOf(deps, merchantId), id)
  const routing = route(need, candidates, id, rules)
  if (need.wallet === null || routing.refusal) return decisionOf(routing)
  const decided = chooseWalletFlow(routing.ordered)
  return decided.kind === 'refused'
    ? decisionOf({ ...routing, ordered: [], refusal: decided.refusal })
    : decisionOf({ ...routing, ordered: decided.ordered })
}

/** From the explanation rather than `midId`, because a RETRY may have changed the MID. */
const originalMidName = ({ configuration }: RoutingDeps, { routing, midId }: PaymentRecord): string | null =>
  routing?.ordered[0]?.midName ?? (midId === null ? null : (configuration.mid(midId)?.name ?? null))

function needOfStored({ configuration }: RoutingDeps, payment: PaymentRecord, chainMidId: string | null): Need {
  const { facts, midId, pan10 } = payment
  const { motoType = null, wallet, brand: paid } = facts
  const brand = paid ? configuration.brand(paid.code) : null
  // A MID in DMS mode turns a plain sale into a hold that the merchant did not request.
  const isDms = midId !== null && configuration.mid(midId)?.paymentMode === 'DMS'
  return {
    mode: payment.mode,
    channelId: payment.channel,
    protocol: payment.protocol,
    kind: payment.kind,
    auth: payment.holds && !isDms,
    recurring: payment.recurring ? 'charge' : facts.recurringInit ? 'init' : 'none',
    wallet: wallet ? { name: wallet.name, usable: true, key: wallet.flow !== 'virtual' } : null,
    methods: [],
    brand: brand && routingOf(brand),
    card: pan10 === null ? null : cardOf(facts, pan10),
    currency: payment.currency,
    amountMinor: facts.openAmount ? null : payment.amountMinor,
    preferCardOnFile: facts.issuedToken !== undefined || payment.cardSource === 'token',
    chainMidId,
    initiator: facts.payerPresent === false ? 'merchant' : 'cardholder',
    payerCountry: payment.payer['country'] ?? null,
    motoType,
    customData: payment.customData,
  }
}

/** Only the first six digits are stored outside the vault. */
const cardOf = (facts: PaymentRecord['facts'], pan10: string): NonNullable<Need['card']> => ({
  network: facts.network ?? networkOf(pan10) ?? null,
  bin: pan10.slice(0, 6),
  panType: facts.wallet?.panType ?? null,
  assurance: assuranceOf(facts.wallet?.assurance),
})
