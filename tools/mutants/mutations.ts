/**
 * Small faults that a source file could have, each one change of its text: a comparison turned round, a guard taken out, a number off by one.
 *
 * Not a parser. Types are blanked first, as Node does when it loads the file, so that what is left is code; tokens tell it from comments
 * and literals. A change that does not parse is noticed when the tests load it.
 */
import { stripTypeScriptTypes } from 'node:module'
import { only, tokensOf } from '../tidy/tokens.ts'

export interface Mutant {
  readonly file: string
  readonly at: number
  readonly find: string
  readonly replace: string
  /** The line it is in, as it is written, and what is changed there. */
  readonly line: string
  readonly lineNumber: number
  readonly what: string
}

type Change = Pick<Mutant, 'at' | 'find' | 'replace'>

export function mutantsOf(file: string, source: string): readonly Mutant[] {
  const tokens = tokensOf(stripTypeScriptTypes(source))
  // Of literals dots are left, so that their text matches nothing.
  const code = withoutImports(only(tokens, 'code'))
  const changes = [
    ...wordChanges(code),
    ...lineChanges(code),
    ...argumentChanges(code),
    ...literalChanges(source, tokens, code),
  ]
  const seen = new Map<string, number>()
  return changes
    .filter(({ find, at }) => source.startsWith(find, at))
    .toSorted((a, b) => a.at - b.at)
    .map((change) => {
      const { line, lineNumber } = lineAt(source, change.at)
      const what = `${shown(change.find)} → ${shown(change.replace)}`
      const times = (seen.get(`${lineNumber} ${what}`) ?? 0) + 1
      seen.set(`${lineNumber} ${what}`, times)
      return { file, ...change, line, lineNumber, what: times === 1 ? what : `${what}, no. ${times}` }
    })
}

// biome-ignore format: a table is read in columns.
const words: readonly (readonly [pattern: RegExp, replace: string])[] = [
  // what                                     becomes
  [/===/g,                                    '!=='],
  [/!==/g,                                    '==='],
  [/(?<=\s)<=(?=\s)/g,                        '<'],
  [/(?<=\s)<(?=\s)/g,                         '<='],
  [/(?<=\s)>=(?=\s)/g,                        '>'],
  [/(?<=\s)>(?=\s)/g,                         '>='],
  [/&&/g,                                     '||'],
  [/\|\|/g,                                   '&&'],
  [/(?<=\s)\+(?=\s)/g,                        '-'],
  [/(?<=\s)-(?=\s)/g,                         '+'],
  [/\btrue\b/g,                               'false'],
  [/\bfalse\b/g,                              'true'],
  [/(?<=\.)every(?=\()/g,                     'some'],
  [/(?<=\.)some(?=\()/g,                      'every'],
  [/(?<=[\s(])!(?=[\w(])/g,                   ''],
  [/(?<![\w.])if \((?=[\w!])/g,               'if (false && '],
]

function wordChanges(code: string): readonly Change[] {
  return words.flatMap(([pattern, replace]) =>
    [...code.matchAll(pattern)].map(({ index, 0: find }) => ({ at: index, find, replace })),
  )
}

/** Statements of one line: a call of which nobody takes the result, and what a function answers. */
function lineChanges(code: string): readonly Change[] {
  const calls = [...code.matchAll(/(?<=^ *)(?:await )?[a-z][\w.#]*\([^\n]*\)$/gm)].filter(({ 0: text }) =>
    isBalanced(text),
  )
  const returns = [...code.matchAll(/(?<=\breturn )[^\s{[(][^\n]*$/gm)].filter(({ 0: text }) => isBalanced(text))
  return [
    ...calls.map(({ index, 0: find }) => ({ at: index, find, replace: 'void 0' })),
    ...returns.map(({ index, 0: find }) => ({ at: index, find, replace: 'undefined' })),
  ]
}

const notCalls = new Set([
  'if',
  'for',
  'while',
  'switch',
  'catch',
  'function',
  'async',
  'return',
  'await',
  'constructor',
])

/** The last of several arguments of a call on one line. */
function argumentChanges(code: string): readonly Change[] {
  return [...code.matchAll(/(?<!function )\b(\w+)\(/g)].flatMap(({ index, 0: opening, 1: name = '' }) => {
    if (notCalls.has(name)) return []
    let depth = 0
    let comma: number | null = null
    for (let at = index + opening.length - 1; at < code.length && code[at] !== '\n'; at += 1) {
      const sign = code[at] ?? ''
      if ('([{'.includes(sign)) depth += 1
      if (')]}'.includes(sign)) depth -= 1
      if (sign === ',' && depth === 1) comma = at
      if (depth > 0) continue
      // A declaration of a method goes on with its body.
      return comma === null || /^\)\s*[{:]/.test(code.slice(at))
        ? []
        : [{ at: comma, find: code.slice(comma, at), replace: '' }]
    }
    return []
  })
}

/** Numbers and texts, most of which stand in tables. */
function literalChanges(source: string, tokens: ReturnType<typeof tokensOf>, code: string): readonly Change[] {
  const numbers = [...code.matchAll(/(?<![\w.#·])\d[\d_]*n?(?![\w.])/g)].map(({ index, 0: find }) => {
    const value = BigInt(find.replaceAll(/[_n]/g, '')) + 1n
    return { at: index, find, replace: `${value}${find.endsWith('n') ? 'n' : ''}` }
  })
  let at = 0
  const texts = tokens.flatMap(({ kind, text }) => {
    const begin = at
    at += text.length
    if (kind !== 'literal' || !isCode(source, begin)) return []
    if (/^'[^'\\]+'$/.test(text)) return [{ at: begin, find: text, replace: "'mutant'" }]
    return [...text.matchAll(sqlGuard)].map(({ index, 0: find }) => ({ at: begin + index, find, replace: '' }))
  })
  return [...numbers, ...texts]
}

/** A condition of a statement, such as the version that a change was decided on. */
const sqlGuard = /\band [a-z_.]+ (?:=|<|>|<=|>=|is|is not) (?:\$\d+|null|'[a-z-]+'|[a-z_]+\.[a-z_]+)/g

const isCode = (source: string, at: number): boolean => !/^(?:import|export) .*\bfrom /.test(lineAt(source, at).line)

const withoutImports = (code: string): string =>
  code.replaceAll(/^(?:import|export)\b[^;]*?\bfrom [·]+$/gm, (text) => text.replaceAll(/[^\n]/g, ' '))

function isBalanced(text: string): boolean {
  let depth = 0
  for (const sign of text) {
    if ('([{'.includes(sign)) depth += 1
    if (')]}'.includes(sign)) depth -= 1
    if (depth < 0) return false
  }
  return depth === 0
}

function lineAt(source: string, at: number): { readonly line: string; readonly lineNumber: number } {
  const begin = source.lastIndexOf('\n', at - 1) + 1
  const end = source.indexOf('\n', at)
  return {
    line: source.slice(begin, end < 0 ? source.length : end).trim(),
    lineNumber: source.slice(0, begin).split('\n').length,
  }
}

const shown = (text: string): string => (text.trim() === '' ? 'nothing' : text.trim())
