/** The import rules by folder, for ARCHITECTURE.md. The table itself has the files and the reasons. */
import { posix } from 'node:path'
import { importTable } from '../tidy/import-table.ts'
import { code, table } from './markdown.ts'

export function importRules(): string {
  const folders = [...new Set(importTable.map(({ from }) => folderOf(from)))]
  return table(
    ['Folder', 'May import', 'Only types of'],
    folders.map((folder) => {
      const anything = targets(folder, 'anything')
      const types = targets(folder, 'types').filter((to) => !anything.includes(to))
      return [code(folder), listFolders(anything) || 'nothing', listFolders(types)]
    }),
  )
}

function targets(folder: string, what: 'anything' | 'types'): readonly string[] {
  const rules = importTable.filter((rule) => folderOf(rule.from) === folder && rule.what === what)
  return [...new Set(rules.map(({ to }) => folderOf(to)))].filter((to) => to !== folder)
}

const folderOf = (path: string): string => (posix.extname(path) === '' ? path : posix.dirname(path))

const listFolders = (folders: readonly string[]): string => folders.map((folder) => code(short(folder))).join(', ')

/** Most rows are of the server, so its prefix is left out. */
const short = (folder: string): string => folder.replace(/^server\/src\//, '').replace(/^domain\/src/, 'domain')
