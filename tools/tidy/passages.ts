/**
 * The passages of a file: stretches of text that are read as one. A comment is one, also over several lines; so is a quoted text, a
 * paragraph, an item of a list, a row of a table. What is said in one passage does not carry over into the next.
 */
import { lineAt } from './source-files.ts'
import { type Token, tokensOf } from './tokens.ts'

interface Passage {
  /** Of its first character. */
  readonly line: number
  /** Without the marks of comments; lines are where they were. */
  readonly text: string
}

type Range = readonly [start: number, end: number]

/** Those in which `about` occurs. */
export function passagesOf(path: string, text: string, about: RegExp): readonly Passage[] {
  if (!about.test(text)) return []
  return rangesOf(path, text)
    .filter(([start, end]) => about.test(text.slice(start, end)))
    .map(([start, end]) => ({ line: lineAt(text, start), text: withoutMarks(text.slice(start, end)) }))
}

function rangesOf(path: string, text: string): readonly Range[] {
  if (/\.(?:tsx?|mjs|js|css)$/.test(path)) return rangesOfSource(text)
  // A document ends a passage at a blank line, a heading, and where an item or a row begins.
  if (path.endsWith('.md')) return cut(text, /\n(?=[ \t]*\n|[ \t]*(?:[-*]|\d+\.) |[ \t]*\||#)/g)
  // A migration names its chapter at the top and can never be changed.
  return path.endsWith('.sql') ? [[0, text.length]] : cut(text, /\n/g)
}

function rangesOfSource(text: string): readonly Range[] {
  const ranges: Range[] = []
  let before: Kind | null = null
  let at = 0
  for (const token of tokensOf(text)) {
    const kind = kindOf(token)
    const end = at + token.text.length
    const last = ranges.at(-1)
    // The end of a line and the indentation do not part the line comments around them.
    if (before === 'line comment' && kind === 'code' && /^\n?[ \t]*$/.test(token.text)) {
      at = end
      continue
    }
    if (last !== undefined && kind === before && (kind === 'line comment' || kind === 'code'))
      ranges[ranges.length - 1] = [last[0], end]
    else ranges.push([at, end])
    before = kind
    at = end
  }
  return ranges
}

type Kind = Token['kind'] | 'line comment'

const kindOf = ({ kind, text }: Token): Kind => (kind === 'comment' && text.startsWith('//') ? 'line comment' : kind)

function cut(text: string, ends: RegExp): readonly Range[] {
  const starts = [0, ...[...text.matchAll(ends)].map(({ index }) => index + 1)]
  return starts.map((start, index) => [start, starts[index + 1] ?? text.length])
}

/** Marks of comments become blanks of the same length. */
function withoutMarks(passage: string): string {
  return passage.replace(/^[ \t]*(?:\/\/|\/\*\*?|\*(?!\/)|--)/gm, (marks) => ' '.repeat(marks.length))
}
