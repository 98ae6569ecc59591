/** Whether a dispute is answered through its acquirer's API or by hand. Decision 0230. */
import type { DisputeTerms } from '../../connectors/disputes/dispute-answer.ts'
import { connectorById } from '../../connectors/registry.ts'
import type { DisputeRow } from '../../store/finance/disputes.ts'
import type { PanelContext } from '../panel-context.ts'

interface Answering {
  /** Of the acquirer. */
  readonly title: string
  /** Null if people answer in the acquirer's portal. */
  readonly terms: DisputeTerms | null
}

/** A dispute that the acquirer has not named, such as one that a person entered, cannot be answered through its API. */
export function findAnswering(
  { configuration }: Pick<PanelContext, 'configuration'>,
  { midId, caseReference }: Pick<DisputeRow, 'midId' | 'caseReference'>,
): Answering {
  const connector = connectorById(configuration.mid(midId)?.connector ?? '')
  const terms = caseReference === null ? null : (connector?.disputes ?? null)
  return { title: connector?.title ?? 'the acquirer', terms }
}
