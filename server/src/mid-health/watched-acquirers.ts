/** Acquirers whose exchanges tell how their MID stands. */
import type { Outcome } from '../connectors/connector.ts'
import type { Acquirer, Acquirers, Clock } from '../contracts/ports.ts'
import type { MidStandings } from '../contracts/routing-ports.ts'

/**
 * At the exchange and not where its outcome is written: later questions about one transaction must not count as further failures,
 * and a payer who could not be authenticated says nothing about the acquirer.
 */
export const watchedAcquirers = (
  acquirers: Acquirers,
  standings: Pick<MidStandings, 'probe' | 'exchanged'>,
  clock: Clock,
): Acquirers => ({
  ...acquirers,
  of: async (midId) => watched(await acquirers.of(midId), midId, standings, clock),
})

const watched = (
  acquirer: Acquirer,
  midId: string,
  standings: Pick<MidStandings, 'probe' | 'exchanged'>,
  clock: Clock,
): Acquirer => ({
  ...acquirer,
  exchange: async (operation, call, sendBy) => {
    const begunAt = clock.now()
    standings.probe(midId)
    const outcome = await acquirer.exchange(operation, call, sendBy)
    standings.exchanged(midId, { begunAt, failed: isTechnicalFailure(outcome) })
    return outcome
  },
})

/**
 * It was not reached, did not answer, or says itself that it failed. An acquirer that took a request, gave it a reference and has
 * not decided yet works: it is the decision that takes its time.
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
