/** Routing for the questions of the command line: the rules, MIDs and MID health of the instance, without a payment. */
import { routingCapabilities } from '#server/connectors/acquirers.ts'
import { assembleMidHealth } from '#server/mid-health/assembly.ts'
import type { RoutingQuestionContext } from '#server/panel/setup/routing.ts'
import { replay, simulate } from '#server/payments/routing/simulate.ts'
import { loadConfiguration } from '#server/store/configuration/configuration.ts'
import { usageStore } from '#server/store/payments/usage.ts'
import { riskRecords } from '#server/store/risk/risk-records.ts'
import type { Instance } from '../kit/instance.ts'
import { requireMerchant } from '../kit/named.ts'

interface CommandRoutingContext extends RoutingQuestionContext, AsyncDisposable {}

export async function openRoutingContext(instance: Instance): Promise<CommandRoutingContext> {
  const { pool, vault, clock, ids, log, config } = instance
  const configuration = await loadConfiguration(pool, vault, log)
  // A question never opens a breaker, so there are no alerts to raise.
  const alerts = { raise: () => Promise.resolve() }
  const midHealth = await assembleMidHealth(instance, { configuration, alerts, countOpened: () => {} })
  const deps = {
    configuration,
    midHealth,
    clock,
    issuers: config.issuers,
    usage: usageStore(pool),
    vault,
    risk: riskRecords(pool),
    acquirers: { capabilities: routingCapabilities },
  }
  return {
    pool,
    vault,
    clock,
    ids,
    configuration,
    reports: { read: (work) => work(pool) },
    operations: {
      simulate: (payment, sets) => simulate(deps, payment, sets),
      replay: (stored, drafted) => replay(deps, stored, drafted),
    },
    [Symbol.asyncDispose]: () => midHealth.stop(),
  }
}

/** The rule set of one merchant, or without a name the set for all merchants. */
export async function requireRuleSet({ pool }: Instance, merchant: string | undefined): Promise<string> {
  return merchant === undefined ? 'global' : (await requireMerchant(pool, merchant)).id
}
