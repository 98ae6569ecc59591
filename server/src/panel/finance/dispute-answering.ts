/**
 * Whether a dispute is answered through its acquirer's API or by hand (decisions/disputes#answers), and who says how it ends
 * (decisions/disputes#decided-by-people).
 */
import type { EvidenceRules } from '#domain/dispute/evidence-rules.ts'
import { connectorById } from '../../connectors/registry.ts'
import type { DisputeRow } from '../../store/finance/disputes/disputes.ts'
import type { PanelContext } from '../panel-context.ts'

interface AnswerTerms {
  /** The limits of the dispute's card network. */
  readonly evidence: EvidenceRules
  readonly needsReason: boolean
}

interface Answering {
  /** The acquirer's name. */
  readonly title: string
  /** Null if people answer in the acquirer's portal. */
  readonly terms: AnswerTerms | null
  /** The acquirer's notifications say who wins. */
  readonly reportsDecisions: boolean
}

/** A dispute that the acquirer has not named, such as one that a person entered, cannot be answered through its API. */
export function findAnswering(
  { configuration }: Pick<PanelContext, 'configuration'>,
  { midId, caseReference, network }: Pick<DisputeRow, 'midId' | 'caseReference' | 'network'>,
): Answering {
  const connector = connectorById(configuration.mid(midId)?.connector ?? '')
  const offered = caseReference === null ? null : (connector?.disputes ?? null)
  const terms = offered && { evidence: offered.evidence(network), needsReason: offered.needsReason }
  return {
    title: connector?.title ?? 'the acquirer',
    terms,
    reportsDecisions: connector?.reportsDecisions ?? false,
  }
}
