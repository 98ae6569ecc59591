/** Who may import whom, as ARCHITECTURE.md prints it. */
import { importTable } from '../tidy/import-table.ts'
import { code, table } from './markdown.ts'

export function importRules(): string {
  const folders = [...new Set(importTable.map(({ from }) => from))]
  return table(
    ['Folder or file', 'May import', 'Only the types of'],
    folders.map((folder) => [code(folder), targets(folder, 'anything') || 'nothing', targets(folder, 'types')]),
  )
}

function targets(folder: string, what: 'anything' | 'types'): string {
  return importTable
    .filter((rule) => rule.from === folder && rule.to !== folder && rule.what === what)
    .map(({ to }) => code(to))
    .join(', ')
}
