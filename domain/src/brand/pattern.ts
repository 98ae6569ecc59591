/**
 * Regular expressions that an operator writes into a brand, and that run on what merchants send.
 *
 * A backtracking engine can take forever over a careless expression, so that only those are taken whose time is bounded by the
 * length of the value: no look-around, no reference back, no repeated group, at most one repetition without an upper bound, and few
 * ways to divide a value among the bounded ones. Chapter 20 §5.2.
 */

const lengthAtMost = 200
/** Ways in which optional parts, ranges and alternatives can be combined. Each may cost one walk over the value. */
const waysAtMost = 2000

/** Whether the expression matches the value from its first character to its last. */
export const matches = (pattern: string, value: string): boolean => compiled(pattern).test(value)

/** What keeps an expression from being taken, as a sentence. */
export function patternFault(pattern: string): string | null {
  if (pattern.length > lengthAtMost) return `The pattern must have ${lengthAtMost} characters or less.`
  const parts = [...pattern.matchAll(part)].map(([text]) => text)
  const refused = refusals.find(([sign]) => parts.some((text) => sign.test(text)))
  if (refused) return refused[1]
  if (hasRepeatedGroup(parts)) return 'The pattern must not repeat a group.'
  if (parts.filter((text) => unbounded.test(text)).length > 1)
    return 'The pattern must not have more than one *, + or {n,}; give the others an upper bound.'
  if (parts.reduce((ways, text) => ways * waysOf(text), 1) > waysAtMost)
    return `The ranges and alternatives of the pattern must not combine to more than ${waysAtMost} ways.`
  return isReadable(pattern) ? null : 'The pattern is not a regular expression.'
}

const compiled = (pattern: string): RegExp => new RegExp(`^(?:${pattern})$`, 'u')

/** A character class, an escape, a quantifier with its laziness, the opening of a group, or a single character. */
const part = /\[(?:\\.|[^\]\\])*\]|\\[pPu]\{[^}]*\}|\\.|\(\?<?.?|(?:[*+?]|\{[0-9]+(?:,[0-9]*)?\})\??|./gsu
const quantifier = /^(?:[*+?]|\{[0-9]+(?:,[0-9]*)?\})\??$/
const unbounded = /^(?:[*+]|\{[0-9]+,\})\??$/

// biome-ignore format: a table is read in columns.
const refusals: readonly (readonly [sign: RegExp, text: string])[] = [
  // part                why not
  [ /^\\[1-9k]/,         'The pattern must not refer back to a group.' ],
  [ /^\(\?<?[=!]/,       'The pattern must not look ahead or behind.' ],
  [ /^\(\?(?!:)/,        'The pattern must not name or flag a group; write (?:…).' ],
  [ /^\{[^}]*[0-9]{5}/,  'The pattern must not repeat anything 10000 times or more.' ],
]

/** `(…)?` is a choice and no repetition. */
const hasRepeatedGroup = (parts: readonly string[]): boolean =>
  parts.some((text, index) => text === ')' && repeats(parts[index + 1]))

const repeats = (next: string | undefined): boolean =>
  next !== undefined && quantifier.test(next) && !/^\?\??$/.test(next)

/** How many ways a part can be taken; what has no upper bound is counted on its own. */
function waysOf(text: string): number {
  if (text === '|' || /^\?\??$/.test(text)) return 2
  const [, low, high] = /^\{([0-9]+),([0-9]+)\}\??$/.exec(text) ?? []
  return low === undefined || high === undefined ? 1 : Number(high) - Number(low) + 1
}

/** On its own, too: wrapped in a group, `a)(b` would pass. */
function isReadable(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u').source !== '' && compiled(pattern).source !== ''
  } catch {
    return false
  }
}
