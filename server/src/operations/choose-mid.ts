/** Which MID takes a payment: gathers what routing needs and turns "none left" into its refusal. Chapter 50 §3. */
import { addDays, weekdayOf } from '#domain/day.ts'
import { errors } from '#domain/errors.ts'
import type { Limit, MerchantMapping, Mid } from '#domain/mid.ts'
import { type Candidate, type Choice, type Explanation, type Need, type Routing, route } from '#domain/routing/route.ts'
import { RefusedError } from '../refused-error.ts'
import type { Deps } from './deps.ts'
import { today } from './perform.ts'

export interface ChosenMid {
  readonly choice: Choice
  readonly explanation: Explanation
}

export async function chooseMid(deps: Deps, merchantId: string, need: Need, paymentId: string): Promise<ChosenMid> {
  const { ordered, refusal, explanation } = await midsInOrder(deps, merchantId, need, paymentId)
  const [choice] = ordered
  if (!choice) throw new RefusedError(refusal ?? errors.noMid)
  return { choice, explanation }
}

export async function midsInOrder(deps: Deps, merchantId: string, need: Need, paymentId: string): Promise<Routing> {
  const network = need.card?.network
  if (network && !deps.configuration.brandEnabled(network)) throw new RefusedError(errors.brandNotFound)

  const candidates = await Promise.all(
    deps.configuration.candidates(merchantId).map(({ mapping, mid }) => candidateOf(deps, mapping, mid)),
  )
  return route(need, candidates, paymentId)
}

async function candidateOf(deps: Deps, mapping: MerchantMapping, mid: Mid): Promise<Candidate> {
  return {
    mapping,
    mid,
    capabilities: deps.acquirers.capabilities(mid.connector),
    healthy: true,
    usage: hasLimits(mapping, mid) ? await usageOf(deps, mapping, mid) : null,
  }
}

const limiting = ({ amountMinor, count }: Limit): boolean => amountMinor !== null || count !== null

const hasLimits = (mapping: MerchantMapping, mid: Mid): boolean =>
  [mid.dayLimit, mid.monthLimit, mapping.dayLimit, mapping.weekLimit].some(limiting)

function usageOf(deps: Deps, mapping: MerchantMapping, mid: Mid) {
  const day = today(deps, mid)
  const week = addDays(day, 1 - weekdayOf(day))
  return deps.usage.of(mid.id, mapping.id, { day, month: `${day.slice(0, 7)}-01`, week })
}
