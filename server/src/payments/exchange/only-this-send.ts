/** What a refusal of one send leaves open about the transaction. */
import type { Outcome } from '../../connectors/connector.ts'

/** For sends of which an earlier one, or the acquirer by itself, may have executed the transaction. */
export function openIfOnlyThisSend(outcome: Outcome): Outcome {
  if (outcome.result !== 'not-executed' || !outcome.onlyThisSend) return outcome
  return { result: 'unknown', reason: outcome.reason, facts: outcome.facts }
}
