/**
 * Unions that are told apart by a member's presence. With a literal tag the compiler reports a case that is not handled; with
 * `'member' in value` a new case is silently treated as one of the old ones.
 */
import { isTest, lineAt, type SourceFile } from './source-files.ts'

// Literals are dots in `code`. The code of a system error is no member of a union of ours.
const byPresence = /·+ in (?!error\b)[a-z]/g

/** As `path:line: sentence`. */
export function untaggedUnions({ path, code }: SourceFile): readonly string[] {
  if (isTest(path)) return []
  return [...code.matchAll(byPresence)].map(
    ({ index }) => `${path}:${lineAt(code, index)}: give the union a literal tag instead of looking for a member.`,
  )
}
