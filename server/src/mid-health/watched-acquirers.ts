/** Acquirers whose exchanges are counted in their MID's health. */
import type { Outcome } from '../connectors/connector.ts'
import type { Acquirer, Acquirers, Clock } from '../contracts/ports.ts'
import type { MidHealthTracker } from '../contracts/routing-ports.ts'

/**
 * Counted at the exchange and not where its outcome is written: later queries about a transaction must not count as further failures, and a
 * failed payer authentication says nothing about the acquirer.
 */
export const watchedAcquirers = (
  acquirers: Acquirers,
  midHealth: Pick<MidHealthTracker, 'probe' | 'recordExchange'>,
  clock: Clock,
): Acquirers => ({
  ...acquirers,
  find: async (midId) => watchAcquirer(await acquirers.find(midId), midId, midHealth, clock),
})

const watchAcquirer = (
  acquirer: Acquirer,
  midId: string,
  midHealth: Pick<MidHealthTracker, 'probe' | 'recordExchange'>,
  clock: Clock,
): Acquirer => ({
  ...acquirer,
  exchange: async (operation, call) => {
    const begunAt = clock.now()
    midHealth.probe(midId)
    const outcome = await acquirer.exchange(operation, call)
    midHealth.recordExchange(midId, { begunAt, failed: isTechnicalFailure(outcome) })
    return outcome
  },
})

/**
 * The acquirer was not reached, did not answer, or reports its own failure. An acquirer that accepted a request, gave it a reference and
 * has not decided yet is working.
 */
function isTechnicalFailure(outcome: Outcome): boolean {
  switch (outcome.result) {
    case 'not-executed':
      return true
    case 'unknown':
      return outcome.facts.reference === undefined
    case 'declined':
      return outcome.declineClass === 'technical'
    case 'approved':
    case 'waiting':
    case 'payer-step':
      return false
  }
}
