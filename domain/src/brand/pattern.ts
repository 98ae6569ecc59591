/**
 * Regular expressions that an operator writes into a brand and that run on merchants' input.
 *
 * A backtracking engine can run almost forever on a careless expression. Accepted expressions run in a time bounded by the length of
 * the value: no look-around, no back reference, no repeated group, at most one repetition without an upper bound, and few ways to
 * divide a value among the bounded ones. Chapter 20 §5.2.
 */

const lengthAtMost = 200
/** Combinations of optional parts, ranges and alternatives. Each may cost one pass over the value. */
const waysAtMost = 2000

/** True if the expression matches the value from its first character to its last. */
export const matches = (pattern: string, value: string): boolean => compile(pattern).test(value)

/** A sentence that says why an expression is refused, or null. */
export function patternFault(pattern: string): string | null {
  if (pattern.length > lengthAtMost) return `The pattern must have ${lengthAtMost} characters or less.`
  const parts = [...pattern.matchAll(part)].map(([text]) => text)
  const refused = refusals.find(([sign]) => parts.some((text) => sign.test(text)))
  if (refused) return refused[1]
  if (hasRepeatedGroup(parts)) return 'The pattern must not repeat a group.'
  if (parts.filter((text) => unboundedQuantifier.test(text)).length > 1)
    return 'The pattern must not have more than one *, + or {n,}; give the others an upper bound.'
  if (parts.reduce((ways, text) => ways * waysOf(text), 1) > waysAtMost)
    return `The ranges and alternatives of the pattern must not combine to more than ${waysAtMost} ways.`
  return isReadable(pattern) ? null : 'The pattern is not a regular expression.'
}

const compile = (pattern: string): RegExp => new RegExp(`^(?:${pattern})$`, 'u')

/** A character class, an escape, a quantifier with its laziness, the opening of a group, or a single character. */
const part = /\[(?:\\.|[^\]\\])*\]|\\[pPu]\{[^}]*\}|\\.|\(\?<?.?|(?:[*+?]|\{[0-9]+(?:,[0-9]*)?\})\??|./gsu
const quantifier = /^(?:[*+?]|\{[0-9]+(?:,[0-9]*)?\})\??$/
const unboundedQuantifier = /^(?:[*+]|\{[0-9]+,\})\??$/

// biome-ignore format: a table is read in columns.
const refusals: readonly (readonly [sign: RegExp, text: string])[] = [
  // part                why not
  [ /^\\[1-9k]/,         'The pattern must not refer back to a group.' ],
  [ /^\(\?<?[=!]/,       'The pattern must not look ahead or behind.' ],
  [ /^\(\?(?!:)/,        'The pattern must not name or flag a group; write (?:…).' ],
  [ /^\{[^}]*[0-9]{5}/,  'The pattern must not repeat anything 10000 times or more.' ],
]

/** `(…)?` is allowed, because it repeats nothing. */
const hasRepeatedGroup = (parts: readonly string[]): boolean =>
  parts.some((text, index) => text === ')' && repeats(parts[index + 1]))

const repeats = (next: string | undefined): boolean =>
  next !== undefined && quantifier.test(next) && !/^\?\??$/.test(next)

/** The number of ways in which a part can match. Parts without an upper bound are counted separately. */
function waysOf(text: string): number {
  if (text === '|' || /^\?\??$/.test(text)) return 2
  const [, low, high] = /^\{([0-9]+),([0-9]+)\}\??$/.exec(text) ?? []
  return low === undefined || high === undefined ? 1 : Number(high) - Number(low) + 1
}

/** Compiles the pattern without its wrapping group as well: inside a group, `a)(b` would compile. */
function isReadable(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u').source !== '' && compile(pattern).source !== ''
  } catch {
    return false
  }
}
