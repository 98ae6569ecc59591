/**
 * Statements that leave their columns to the table. While a release serves, the next one may add a column: `*` then answers another
 * row than the one that was prepared, and an insert without its list fills columns that it does not know.
 */
import { isTest, lineAt, type SourceFile } from './source-files.ts'
import { keepKinds, tokensOf } from './tokens.ts'

const openLists = [
  /\b(?:select|returning)\s+(?:distinct\s+)?(?:\w+\.)?\*/gi,
  /,\s*\w+\.\*(?=\s*(?:,|$|from\b|`))/gim,
  /\binsert\s+into\s+\w+\s+(?:as\s+\w+\s+)?(?:values|select)\b/gi,
]

const places = /^(?:server\/src|cli|campaigns|bench)\//

/** The places of a file, as `path:line: sentence`. Tests may ask for whatever there is. */
export function openColumns({ path, text }: SourceFile): readonly string[] {
  if (!places.test(path) || isTest(path)) return []
  const literals = keepKinds(tokensOf(text), 'literal')
  return openLists
    .flatMap((pattern) => [...literals.matchAll(pattern)])
    .map(({ 0: found, index }) => `${path}:${lineAt(text, index)}: "${found.trim()}"; name the columns, see columnsOf.`)
}
