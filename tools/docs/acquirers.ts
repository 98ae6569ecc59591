/** What each acquirer can do, and what it takes as evidence, as tables. Chapter 60 §1.1, decisions/disputes#limits-of-evidence. */
import { acceptedEvidence, type EvidenceRules, pagesText } from '#domain/dispute/evidence-rules.ts'
import { networkName } from '#domain/network-names.ts'
import { capabilityTable, recoveryTitles } from '#server/connectors/capability-table.ts'
import { listEvidenceRules } from '#server/connectors/disputes/evidence-limits.ts'
import { connectorById, connectors } from '#server/connectors/registry.ts'
import { code, table } from './markdown.ts'

export function acquirerCapabilityTable(): string {
  const acquirers = connectors.filter(({ id }) => id !== 'sandbox')
  const columns = acquirers.map(capabilityTable)
  const [first = []] = columns
  return table(
    ['', ...acquirers.map(({ id }) => code(id))],
    [
      ...first.map(({ title }, row) => [title, ...columns.map((column) => (column[row]?.isOffered ? 'yes' : '–'))]),
      ['An unknown outcome is', ...acquirers.map(({ recoveryWay }) => recoveryTitles[recoveryWay])],
    ],
  )
}

/** In disputes of each card network. */
export const evidenceLimitTable = (): string =>
  table(
    ['Acquirer', 'Card network', 'PDF', 'PNG', 'JPEG', 'In all', 'Pages'],
    listEvidenceRules().flatMap(([acquirer, rules]) =>
      rules.map((one) => [
        connectorById(acquirer)?.title ?? acquirer,
        one.network === null ? (rules.length === 1 ? 'all' : 'others') : networkName(one.network),
        ...sizesOf(one),
        inAllOf(one),
        one.pages === null ? '–' : pagesText(one.pages),
      ]),
    ),
  )

function sizesOf(rules: EvidenceRules): readonly string[] {
  const { types } = acceptedEvidence(rules)
  return (['application/pdf', 'image/png', 'image/jpeg'] as const).map((one) => {
    const taken = types.find(({ type }) => type === one)
    return taken ? `${taken.megabytes} MB` : 'no'
  })
}

function inAllOf({ megabytesTogether, filesAtMost, isOnePerKind }: EvidenceRules): string {
  const parts = [
    ...(megabytesTogether === null ? [] : [`${Math.min(megabytesTogether, 25)} MB`]),
    ...(filesAtMost === null ? [] : [`${filesAtMost} files`]),
    ...(isOnePerKind ? ['one of each kind'] : []),
  ]
  return parts.length > 0 ? parts.join(', ') : '–'
}
