/**
 * Parameters of a form request as a table: names in checking order, each with the value it must hold.
 *
 * The order of the table is the order of `errors[]`, and every violation is reported, not only the first (chapter 10 §7,
 * §10.2). An empty value, and one of white space only, counts as not sent; other values are taken as they came.
 */

import type { Brand } from '#domain/brand/brand.ts'
import type { Violation } from '#domain/errors.ts'
import { violations } from '#domain/errors.ts'
import type { ProtocolMapping } from '#domain/mapping.ts'
import type { Mode } from '#domain/merchant.ts'
import type { Exponents } from '#domain/money/currencies.ts'
import type { FormLeaf, FormTree } from '../bodies/form.ts'
import { invalidText } from '../bodies/value-tree.ts'

/** What a parameter may look at besides its own value. */
export interface Reading {
  readonly tree: FormTree
  readonly mapping: ProtocolMapping
  readonly mode: Mode
  /** The merchant's calendar day. */
  readonly today: string
  readonly sandbox: boolean
  /** The channels of the merchant's mappings; null is a mapping without one. */
  readonly channels: readonly (string | null)[]
  /** The brand of the catalogue with this code or alias, switched on or not. */
  readonly brand: (name: string) => Brand | null
  /** The operator's table of crypto currencies. */
  readonly crypto: Exponents
}

/** A value, or why not. A violation names its parameter itself, because some rules answer under two names. */
export type Read<T> = { readonly value: T } | { readonly violations: readonly Violation[] }

export interface Param<T> {
  read(name: string, reading: Reading): Read<T>
  /** Printed by the reference; `npm run docs` refuses a parameter without them. */
  readonly words?: Words
}

/** A parameter's rule in words: when it must be sent, and what it must then hold. */
export interface Words {
  readonly sent: string
  readonly holds: string
  /** The members of an object, each under its own name. */
  readonly parts?: Readonly<Record<string, Words>>
}

/**
 * How one text value is judged: the value, or the text of the violation. `says` is what it takes, in words. A format that looks at
 * nothing but the text is one about `unknown`, and serves every protocol.
 */
export interface Format<T, About = Reading> {
  (text: string, about: About): { readonly value: T } | { readonly violation: string }
  readonly says?: string
}

/** A format with its words. */
export const saying = <T, About = Reading>(says: string, format: Format<T, About>): Format<T, About> =>
  Object.assign((text: string, about: About) => format(text, about), { says })

export type ParamTable = Readonly<Record<string, Param<unknown>>>
export type Values<Table extends ParamTable> = {
  readonly [Name in keyof Table]: Table[Name] extends Param<infer T> ? T : never
}

export function readParams<Table extends ParamTable>(table: Table, reading: Reading): Read<Values<Table>> {
  const found: Record<string, unknown> = {}
  const faults: Violation[] = []
  for (const [name, param] of Object.entries(table)) {
    const read = param.read(name, reading)
    if ('violations' in read) faults.push(...read.violations)
    else found[name] = read.value
  }
  if (faults.length > 0) return { violations: faults }
  // Every name of the table was read just above, each by the param that gives it its type.
  return { value: found as Values<Table> }
}

export function required<T>(format: Format<T>): Param<T> {
  return {
    words: wordsOf('yes', format),
    read: (name, reading) => {
      const sent = sentText(reading.tree, name)
      if (sent === undefined) return blank(name)
      return judge(name, sent, format, reading)
    },
  }
}

export function optional<T>(format: Format<T>): Param<T | undefined> {
  return {
    words: wordsOf('no', format),
    read: (name, reading) => {
      const sent = sentText(reading.tree, name)
      return sent === undefined ? { value: undefined } : judge(name, sent, format, reading)
    },
  }
}

export function withDefault<T>(format: Format<T>, value: T): Param<T> {
  return {
    words: wordsOf(`no; \`${asSent(value)}\` when absent`, format),
    read: (name, reading) => {
      const sent = sentText(reading.tree, name)
      return sent === undefined ? { value } : judge(name, sent, format, reading)
    },
  }
}

/** Required, optional or not looked at, as the rest of the request or the mapping decides; `sent` says it in words. */
export function conditional<T>(
  format: Format<T>,
  when: (reading: Reading, name: string) => 'required' | 'optional' | 'ignored',
  sent = '',
): Param<T | undefined> {
  return {
    words: wordsOf(sent, format),
    read: (name, reading) => {
      const rule = when(reading, name)
      if (rule === 'ignored') return { value: undefined }
      return rule === 'required' ? required(format).read(name, reading) : optional(format).read(name, reading)
    },
  }
}

/** The same fields under another prefix, such as those of a payer and of a payee. */
export function prefixed<const Prefix extends string, Formats extends Readonly<Record<string, Format<string>>>>(
  prefix: Prefix,
  formats: Formats,
  param: (format: Format<string>) => Param<string | undefined>,
): { readonly [Name in keyof Formats & string as `${Prefix}${Name}`]: Param<string | undefined> } {
  const entries = Object.entries(formats).map(([name, format]) => [`${prefix}${name}`, param(format)] as const)
  // One entry was made for every name of the type, just above.
  return Object.fromEntries(entries) as ReturnType<typeof prefixed<Prefix, Formats>>
}

/** Only its absence is a violation: a hash of the wrong form, even one that is no text, is a wrong hash (chapter 10 §2). */
export const anyText: Param<string> = {
  words: { sent: 'yes', holds: 'any text' },
  read: (name, { tree }) => {
    const sent = sentText(tree, name)
    if (sent === undefined) return blank(name)
    return { value: sent === invalidText ? '' : sent }
  },
}

/** A flag goes over the wire as a letter. */
const asSent = (value: unknown): string => {
  if (typeof value === 'boolean') return value ? 'Y' : 'N'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function wordsOf(sent: string, format: Format<unknown>): Words {
  return { sent, holds: format.says ?? '' }
}

export const blank = (name: string): { readonly violations: readonly Violation[] } => fault(name, violations.blank)

export const fault = (param: string, text: string): { readonly violations: readonly Violation[] } => ({
  violations: [{ param, text }],
})

function judge<T>(name: string, sent: string | typeof invalidText, format: Format<T>, reading: Reading): Read<T> {
  if (sent === invalidText) return fault(name, violations.notValid)
  const judged = format(sent, reading)
  return 'violation' in judged ? fault(name, judged.violation) : judged
}

/** The text of a parameter, undefined when it was not sent; a nested value where a text belongs is not valid text. */
export function sentText(tree: FormTree, name: string): string | typeof invalidText | undefined {
  const node: FormLeaf | FormTree | undefined = tree[name]
  if (node === undefined) return undefined
  if (typeof node !== 'string') return invalidText
  return node.trim() === '' ? undefined : node
}

/** Whether a parameter counts as sent, whatever its value is worth. */
export const isSent = (tree: FormTree, name: string): boolean => sentText(tree, name) !== undefined

/** A readable text, or undefined: for rules that look at another parameter, which reports its own faults. */
export function plainText(tree: FormTree, name: string): string | undefined {
  const sent = sentText(tree, name)
  return typeof sent === 'string' ? sent : undefined
}
