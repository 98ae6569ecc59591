/**
 * Chooses the MID of a payment: gathers the input of rules and filters, and refuses if no MID is left. Chapter 50 §3, §4.
 *
 * Rules, MIDs and MID health are in memory; only configured limits cost a database query.
 */
import { errors, type Refusal } from '#domain/errors.ts'
import type { MerchantMapping, Mid } from '#domain/mid.ts'
import type { Candidate } from '#domain/routing/candidate.ts'
import type { Choice } from '#domain/routing/choice.ts'
import { type Evaluation, evaluate, noRules, type RoutingWorld } from '#domain/routing/evaluate.ts'
import type { Need } from '#domain/routing/need.ts'
import { type Routing, route } from '#domain/routing/route.ts'
import { ruleInputsOf } from '#domain/routing/rule-inputs.ts'
import { RefusedError } from '../../contracts/refused-error.ts'
import type { Deps } from '../request/deps.ts'
import { readUsage } from './limit-usage.ts'
import { readRiskFindings } from './risk-findings.ts'

export interface ChosenMid
  extends Pick<Routing, 'ordered' | 'declined' | 'threeDs' | 'maximumAttempts' | 'explanation'> {
  /** The first in order. */
  readonly choice: Choice
  /** Routes again, for a payment that found every limit used up, and returns the present refusal; null if a MID is available. */
  findRefusalNow?(): Promise<Refusal | null>
}

/** The dependencies of routing alone, for simulations. */
export type RoutingDeps = Pick<
  Deps,
  'configuration' | 'midHealth' | 'issuers' | 'clock' | 'usage' | 'vault' | 'risk'
> & {
  readonly acquirers: Pick<Deps['acquirers'], 'capabilities'>
}

export async function chooseMid(deps: Deps, merchantId: string, need: Need, paymentId: string): Promise<ChosenMid> {
  const routing = await listMidsInOrder(deps, merchantId, need, paymentId)
  const [choice] = routing.ordered
  if (!choice) throw new RefusedError(routing.refusal ?? errors.noMid)
  deps.midHealth.probe(choice.mid.id)
  const findRefusalNow = async () =>
    (await listMidsInOrder(deps, merchantId, { ...need, isCounted: true }, paymentId)).refusal ?? null
  return { ...routing, choice, findRefusalNow }
}

export async function listMidsInOrder(deps: Deps, merchantId: string, need: Need, paymentId: string): Promise<Routing> {
  const network = need.card?.network
  if (network && !deps.configuration.brandEnabled(network)) throw new RefusedError(errors.brandNotFound)

  const candidates = await readCandidates(deps, merchantId, need.currency)
  return route(need, candidates, paymentId, await evaluateRules(deps, merchantId, need, paymentId))
}

async function evaluateRules(
  deps: RoutingDeps,
  merchantId: string,
  need: Need,
  paymentId: string,
): Promise<Evaluation> {
  const sets = deps.configuration.ruleSets(merchantId)
  // Chapter 40 §9: rules apply only to decrypted wallet tokens.
  if (sets.length === 0 || (need.wallet !== null && need.card === null)) return noRules
  const bin = need.card?.bin ?? null
  const issuer = bin === null ? null : deps.issuers.of(bin)
  const counts = need.isCounted !== true && need.recurring !== 'charge'
  const risk = await readRiskFindings(deps, { merchantId, need, issuerCountry: issuer?.country ?? null, sets, counts })
  const inputs = { ...ruleInputsOf(need, issuer, deps.clock.now()), risk }
  return evaluate(sets, inputs, worldOf(deps, merchantId), paymentId)
}

/** The current state of the MIDs that rule conditions may read. */
export function worldOf({ configuration, midHealth }: RoutingDeps, merchantId: string): RoutingWorld {
  return {
    candidates: configuration.candidates(merchantId).map(({ mid }) => mid),
    midId: (name) => configuration.midNamed(name)?.id ?? null,
    health: (midId) => midHealth.health(midId),
    tally: (...question) => midHealth.tally(...question),
  }
}

/** The MIDs of a merchant, with what is used of their limits in this currency. */
export function readCandidates(deps: RoutingDeps, merchantId: string, currency: string): Promise<readonly Candidate[]> {
  const linked = deps.configuration.candidates(merchantId)
  return Promise.all(linked.map((place) => readCandidate(deps, place, currency)))
}

async function readCandidate(
  deps: RoutingDeps,
  { mapping, mid }: { readonly mapping: MerchantMapping; readonly mid: Mid },
  currency: string,
): Promise<Candidate> {
  return {
    mapping,
    mid,
    capabilities: deps.acquirers.capabilities(mid.connector),
    healthy: deps.midHealth.admits(mid.id),
    usage: await readUsage(deps, { mapping, mid }, currency),
  }
}
