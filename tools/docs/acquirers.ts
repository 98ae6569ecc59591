/** What each acquirer can do, as a table. Chapter 60 §1.1. */
import { capabilityTable, recoveryTitles } from '#server/connectors/capability-table.ts'
import { connectors } from '#server/connectors/registry.ts'
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
