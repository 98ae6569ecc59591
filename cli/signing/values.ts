/** Reads `name=value` arguments as the values of a formula. */
import { pan10 } from '#domain/card.ts'
import type { NamedFormula } from '#domain/signature/formula-table.ts'
import type { Tree } from '#domain/signature/signature.ts'
import { UsageError } from '../kit/command-error.ts'
import { suggestion } from '../kit/nearest.ts'
import { readBody } from './callback-body.ts'

interface FormulaValues {
  readonly values: Tree
  /** The `hash` among the arguments, which no formula covers. */
  readonly hash: string | null
}

export function readValues(formula: NamedFormula, pairs: readonly string[]): FormulaValues {
  const entries = pairs.map(splitPair)
  const hash = entries.findLast(([name]) => name === 'hash')?.[1] ?? null
  const others = entries.filter(([name]) => name !== 'hash')
  if (formula.terms === null) return { values: treeOf(others), hash }

  const terms = formula.terms
  return { values: Object.fromEntries(others.map(([name, value]) => termOf(formula.name, terms, name, value))), hash }
}

/** Names in the interface that stand for the same term. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ['payer_email', 'email'],
  ['email', 'payer_email'],
  ['card_number', 'pan10'],
  ['card', 'pan10'],
])

function termOf(formula: string, terms: readonly string[], name: string, value: string): readonly [string, string] {
  if (terms.includes(name)) return [name, value]
  const term = otherNames.get(name) ?? ''
  if (!terms.includes(term)) {
    const needs = terms.length === 0 ? 'only the password' : terms.join(', ')
    throw new UsageError(`${formula} has no value "${name}".${suggestion(name, terms)}`, `It needs ${needs}.`)
  }
  return [term, term === 'pan10' ? digitsOf(value) : value]
}

/** Number or mask: both have the same first six and last four digits. */
function digitsOf(card: string): string {
  if (!/^[0-9]{6}[0-9*]{2,9}[0-9]{4}$/.test(card)) {
    throw new UsageError('The card is neither a number nor a mask.', 'Give 411111******1111, or pan10=4111111111.')
  }
  return pan10(card)
}

function splitPair(pair: string): readonly [string, string] {
  const equals = pair.indexOf('=')
  if (equals < 1) throw new UsageError(`"${pair}" is not name=value.`, 'Write for example order_id=ORDER-1.')
  return [pair.slice(0, equals), pair.slice(equals + 1)]
}

/** Names in brackets nest as they do in a form. */
function treeOf(pairs: readonly (readonly [string, string])[]): Tree {
  const body = pairs.map((pair) => pair.map(encodeURIComponent).join('=')).join('&')
  return readBody(Buffer.from(body))?.fields ?? {}
}
