/** `survivors.md`: mutants that no test notices, each with the reason why that is acceptable. */
import { readFileSync } from 'node:fs'
import type { Mutant } from './mutations.ts'

const page = new URL('./survivors.md', import.meta.url)

/** Identifies a mutant, wherever its line is. */
export const nameOf = ({ file, line, what }: Pick<Mutant, 'file' | 'line' | 'what'>): string =>
  `${file}: ${line}: ${what}`

export function readExplained(text: string = readFileSync(page, 'utf8')): ReadonlySet<string> {
  const rows = text.split('\n').flatMap((row) => {
    const cells = /^\| `(\S+)` \| `(.+)` \| `(.+)` \| (.+) \|$/.exec(row)?.slice(1)
    if (!cells) return []
    const [file = '', line = '', what = '', why = ''] = cells.map((cell) => cell.replaceAll('\\|', '|'))
    return why.trim() === '' ? [] : [nameOf({ file, line, what })]
  })
  return new Set(rows)
}

/** A row for the page, without its reason. */
export function rowOf({ file, line, what }: Mutant): string {
  const [a, b, c] = [file, line, what].map((text) => text.replaceAll('|', '\\|'))
  return `| \`${a}\` | \`${b}\` | \`${c}\` |  |`
}
