/**
 * Small faults of a source file, each a single change of its text: a comparison reversed, a guard removed, a number off by one, a return or
 * a block removed.
 *
 * Not a parser. Types are blanked first, as Node does when it loads the file, so that only code remains; tokens distinguish it from
 * comments and literals. A change that does not parse is no mutant, because every test would notice it.
 */
import { stripTypeScriptTypes } from 'node:module'
import { keepKinds, tokensOf } from '../tidy/tokens.ts'

export interface Mutant {
  readonly file: string
  readonly at: number
  readonly find: string
  readonly replace: string
  /** The original line, and what is changed in it. */
  readonly line: string
  readonly lineNumber: number
  readonly what: string
}

type Change = Pick<Mutant, 'at' | 'find' | 'replace'>

export function mutantsOf(file: string, source: string): readonly Mutant[] {
  const tokens = tokensOf(stripTypeScriptTypes(source))
  // Literals are replaced by dots, so that their text matches nothing.
  const code = withoutImports(keepKinds(tokens, 'code'))
  const changes = [
    ...wordChanges(code),
    ...statementChanges(code),
    ...argumentChanges(code),
    ...literalChanges(source, tokens, code),
  ]
  const seen = new Map<string, number>()
  return changes
    .map(({ at, find, replace }) => ({ at, find: source.slice(at, at + find.length), replace }))
    .filter((change) => !wording.test(change.find.replace(/^,\s*/, '')) && parses(source, change))
    .toSorted((a, b) => a.at - b.at)
    .map((change) => {
      const { line, lineNumber } = lineAt(source, change.at)
      const what = `${shorten(change.find)} → ${shorten(change.replace)}`
      const times = (seen.get(`${lineNumber} ${what}`) ?? 0) + 1
      seen.set(`${lineNumber} ${what}`, times)
      return { file, ...change, line, lineNumber, what: times === 1 ? what : `${what}, no. ${times}` }
    })
}

function parses(source: string, { at, find, replace }: Change): boolean {
  try {
    stripTypeScriptTypes(source.slice(0, at) + replace + source.slice(at + find.length))
    return true
  } catch {
    return false
  }
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
  [/(?<![\w.])if \((?=[\w!(·])/g,             'if (false && '],
  [/(?<![\w.])if \((?=[\w!(·])/g,             'if (true || '],
  [/(?<=\s)\?(?=\s)/g,                       '&& false ?'],
  [/(?<=\belse )\{(?=\n)/g,                  'if (false) {'],
  [/(?<=^ *for [^\n]*)\{(?=\n)/gm,           '{ continue;'],
]

function wordChanges(code: string): readonly Change[] {
  return words.flatMap(([pattern, replace]) =>
    [...code.matchAll(pattern)].map(({ index, 0: find }) => ({ at: index, find, replace })),
  )
}

/** Statements: a call whose result is not used, an assignment, and a return, unless `undefined` would be as falsy. */
function statementChanges(code: string): readonly Change[] {
  const actions = [...code.matchAll(/(?<=^ *)(?:await )?[a-z][\w.#]*(?:\(| [-+*&|?]{0,2}= )/gm)]
  const returns = [...code.matchAll(/(?<=\breturn )(?!(?:false|null|undefined)$)\S/gm)]
  return [
    ...actions.flatMap(({ index }) => statementAt(code, index, 'void 0')),
    ...returns.flatMap(({ index }) => statementAt(code, index, 'undefined')),
  ]
}

/** From here to the first line end at which every bracket is closed and no operator continues. */
function statementAt(code: string, at: number, replace: string): readonly Change[] {
  let depth = 0
  for (let end = at; end < code.length; end += 1) {
    const sign = code[end] ?? ''
    if ('([{'.includes(sign)) depth += 1
    if (')]}'.includes(sign)) depth -= 1
    if (depth < 0) return []
    if (depth > 0 || code[end + 1] !== '\n') continue
    if (/[-=>&|?:+,]\s*$/.test(code.slice(at, end + 1)) || /^\s*[.?:&|]/.test(code.slice(end + 1))) continue
    return [{ at, find: code.slice(at, end + 1), replace }]
  }
  return []
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

/** The last of several arguments of a call on one line, unless it is falsy itself. */
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
      // A method declaration continues with its body.
      if (comma === null || /^\)\s*[{:]/.test(code.slice(at))) return []
      const find = code.slice(comma, at)
      return /^,\s*(?:false|null|undefined)$/.test(find) ? [] : [{ at: comma, find, replace: '' }]
    }
    return []
  })
}

/** Numbers and texts, most of which are in tables. */
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
    if (wording.test(text)) return []
    if (/^'[^'\\]+'$/.test(text)) return [{ at: begin, find: text, replace: "'mutant'" }]
    return sqlWords.flatMap(([pattern, replace]) =>
      [...text.matchAll(pattern)].map(({ index, 0: find }) => ({ at: begin + index, find, replace })),
    )
  })
  const conditions = [...source.matchAll(namedCondition)].map(({ index, 0: find }) => ({
    at: index,
    find,
    replace: '',
  }))
  return [...numbers, ...texts, ...conditions]
}

/** Sentences for people: tests compare codes, and may ignore the words. */
const wording = /^'[^'(=]*[a-z,’] [a-z][^'(=]*'$/i

const sqlWords: readonly (readonly [pattern: RegExp, replace: string])[] = [
  // A condition, such as the version on which a change was decided.
  [/\band [a-z_.]+ (?:=|<|>|<=|>=|is|is not) (?:\$\d+|null|'[a-z-]+'|[a-z_]+\.[a-z_]+)/g, ''],
  [/\bis not null\b/g, 'is null'],
  [/(?<=[a-z_]) \+ 1\b/g, ''],
  [/\bon conflict do nothing\b/g, ''],
]

/** A condition on a parameter that the statement names, as in `and version = ${at('version')}`. */
const namedCondition = /\band [a-z_.]+ (?:=|<|>|<=|>=) \$\{[\w.]+\('[a-z ]+'\)\}/g

/** Not the path of an import, whose line may be the last of several: every test would notice it. */
const isCode = (source: string, at: number): boolean =>
  !/^(?:(?:import|export) .*\b|\} )from /.test(lineAt(source, at).line)

const withoutImports = (code: string): string =>
  code.replaceAll(/^(?:import|export)\b[^;]*?\bfrom [·]+$/gm, (text) => text.replaceAll(/[^\n]/g, ' '))

function lineAt(source: string, at: number): { readonly line: string; readonly lineNumber: number } {
  const begin = source.lastIndexOf('\n', at - 1) + 1
  const end = source.indexOf('\n', at)
  return {
    line: source.slice(begin, end < 0 ? source.length : end).trim(),
    lineNumber: source.slice(0, begin).split('\n').length,
  }
}

/** On one line and short, because the line is beside it. */
function shorten(text: string): string {
  const short = text.trim().replaceAll(/\s+/g, ' ')
  if (short === '') return 'nothing'
  return short.length > longestShown ? `${short.slice(0, longestShown)}…` : short
}

const longestShown = 80
