/**
 * Parameters of a request as a table: names in checking order, each with the value it must hold. Forms and JSON are read by the same kind
 * of table.
 *
 * The order of the table is the order of `errors[]`, and every violation is reported, not only the first (chapter 10 §7, §10.2, chapter 30
 * §1.4). Values are used unchanged; `sent.ts` defines what counts as not sent.
 */
import type { Violation } from '#domain/errors.ts'
import type { ValueTree } from '../bodies/value-tree.ts'
import { absentResult, blank, fault, faultyResult, type Judgement, type ReadResult, soundResult } from './read.ts'
import type { BaseReading, ReadingContext } from './reading.ts'
import { objectOf, type SentValue, sentIn } from './sent.ts'

export interface Param<T, Needs extends BaseReading = ReadingContext> {
  /** `sent` is undefined if the parameter counts as not sent. */
  readonly read: (path: string, sent: SentValue, reading: Needs) => ReadResult<T>
  /** Printed by the reference; `npm run docs` refuses a parameter without them. */
  readonly words: Words
}

/** A parameter's rule in words: when it must be sent, and what it must then hold. */
export interface Words {
  readonly sent: string
  readonly holds: string
  /** The value on the wire, for the OpenAPI documents; any text if absent. */
  readonly schema?: ValueSchema
  /** The parameters inside an object, each under its own name. */
  readonly parts?: Readonly<Record<string, Words>>
}

/** A JSON Schema of one value. It states what a schema can state; `holds` states the whole rule. */
export type ValueSchema = Readonly<Record<string, unknown>>

/**
 * How one text value is validated. `says` describes it in words. A format that depends on the text alone has `Needs` of `unknown` and
 * serves every protocol.
 */
export interface Format<T, Needs = ReadingContext> {
  (text: string, reading: Needs): Judgement<T>
  readonly says?: string
  readonly schema?: ValueSchema
}

/** A format with its description; without a schema of its own it keeps that of the given format. */
export const withWords = <T, Needs = ReadingContext>(
  says: string,
  format: Format<T, Needs>,
  schema: ValueSchema = format.schema ?? {},
): Format<T, Needs> => Object.assign((text: string, reading: Needs) => format(text, reading), { says, schema })

export type ParamTable<Needs extends BaseReading = ReadingContext> = Readonly<Record<string, Param<unknown, Needs>>>
export type Values<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends { readonly read: (...parameters: never[]) => ReadResult<infer T> }
    ? T
    : never
}

/** `parent` is the path of the object whose parameters these are; undefined for the request itself. */
export function readParams<Needs extends BaseReading, Table extends ParamTable<Needs>>(
  table: Table & ParamTable<Needs>,
  tree: ValueTree,
  reading: Needs,
  parent?: string,
): ReadResult<Values<Table>> {
  const found: Record<string, unknown> = {}
  const faults: Violation[] = []
  const params: ParamTable<Needs> = table
  for (const name of namesOf(table)) {
    const path = parent === undefined ? name : reading.format.nest(parent, name)
    const read = params[name]?.read(path, sentIn(tree, name), reading)
    if (read?.ok) found[name] = read.value
    else if (read) faults.push(...read.violations)
  }
  // Safe: the loop above has read every name of the table with the parameter that defines its type.
  return faults.length > 0 ? faultyResult(...faults) : soundResult(found as Values<Table>)
}

/** Every request reads its whole table, so that the list of its names is made once. */
const namesByTable = new WeakMap<object, readonly string[]>()

function namesOf(table: object): readonly string[] {
  const known = namesByTable.get(table)
  if (known) return known
  const names = Object.keys(table)
  namesByTable.set(table, names)
  return names
}

export function required<T, Needs>(format: Format<T, Needs>): Param<T, Needs & BaseReading> {
  return {
    words: wordsOf('yes', format),
    read: (path, sent, reading) => (sent === undefined ? blank(path) : judgeText(path, sent, format, reading)),
  }
}

export function optional<T, Needs>(format: Format<T, Needs>): Param<T | undefined, Needs & BaseReading> {
  return {
    words: wordsOf('no', format),
    read: (path, sent, reading) => (sent === undefined ? absentResult : judgeText(path, sent, format, reading)),
  }
}

export function withDefault<T, Needs>(format: Format<T, Needs>, value: T): Param<T, Needs & BaseReading> {
  const byDefault = soundResult(value)
  return {
    words: wordsOf(`no; \`${asSent(value)}\` when absent`, format),
    read: (path, sent, reading) => (sent === undefined ? byDefault : judgeText(path, sent, format, reading)),
  }
}

/** Required, optional or ignored, depending on the rest of the request or on the mapping; `words` describes when. */
export function conditional<T>(
  format: Format<T>,
  when: (reading: ReadingContext, path: string) => 'required' | 'optional' | 'ignored',
  words = '',
): Param<T | undefined> {
  return {
    words: wordsOf(words, format),
    read: (path, sent, reading) => {
      const rule = when(reading, path)
      if (rule === 'ignored') return absentResult
      if (sent !== undefined) return judgeText(path, sent, format, reading)
      return rule === 'required' ? blank(path) : absentResult
    },
  }
}

/** The same fields under another prefix, such as those of a payer and of a payee. */
export function prefixedParams<const Prefix extends string, Formats extends Readonly<Record<string, Format<string>>>>(
  prefix: Prefix,
  formats: Formats,
  param: (format: Format<string>) => Param<string | undefined>,
): { readonly [Name in keyof Formats & string as `${Prefix}${Name}`]: Param<string | undefined> } {
  const entries = Object.entries(formats).map(([name, format]) => [`${prefix}${name}`, param(format)] as const)
  // Safe: `entries` has every name of the type.
  return Object.fromEntries(entries) as ReturnType<typeof prefixedParams<Prefix, Formats>>
}

/** An object's parameters under its own name. A missing object is read as empty, so that each missing parameter is reported. */
export function object<Needs extends BaseReading, Table extends ParamTable<Needs>>(
  table: Table & ParamTable<Needs>,
  rule: { readonly sent: string; readonly ifAbsent: 'read' | 'skip'; readonly holds?: string },
): Param<Values<Table> | undefined, Needs> {
  const parts = Object.fromEntries(
    Object.entries<Param<unknown, Needs>>(table).map(([name, { words }]) => [name, words]),
  )
  return {
    words: { sent: rule.sent, holds: rule.holds ?? 'an object', parts },
    read: (path, sent, reading) => {
      if (sent === undefined && rule.ifAbsent === 'skip') return absentResult
      const tree = sent === undefined ? {} : objectOf(sent)
      if (!tree) return fault(path, reading.format.wrongType('object'))
      return readParams<Needs, Table>(table, tree, reading, path)
    },
  }
}

/** A parameter whose rule of when it must be sent is stated elsewhere than in its format. */
export const stateRule = <T, Needs extends BaseReading>(sent: string, param: Param<T, Needs>): Param<T, Needs> => ({
  ...param,
  words: { ...param.words, sent },
})

/** A parameter of other operations or sessions, which is ignored here. */
export const ignoredParam = <T>(value: T): Param<T, BaseReading> => ({
  words: { sent: 'no', holds: 'ignored' },
  read: () => soundResult(value),
})

/**
 * Only its absence is a violation: a malformed hash, even one that is not text, counts as a wrong hash (chapter 10 §2, chapter 30 §2.1).
 */
export const anyText: Param<string, BaseReading> = {
  words: { sent: 'yes', holds: 'any text' },
  read: (path, sent) => (sent === undefined ? blank(path) : soundResult(typeof sent === 'string' ? sent : '')),
}

/** Forms send a flag as a letter. */
const asSent = (value: unknown): string => {
  if (typeof value === 'boolean') return value ? 'Y' : 'N'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const wordsOf = (sent: string, { says = '', schema = {} }: Pick<Format<unknown>, 'says' | 'schema'>): Words => ({
  sent,
  holds: says,
  schema,
})

/** Checks that a value is text, and validates it by its format. */
export function judgeText<T, Needs>(
  path: string,
  sent: SentValue,
  format: Format<T, Needs>,
  reading: Needs & BaseReading,
): ReadResult<T> {
  if (typeof sent !== 'string') return fault(path, reading.format.wrongType('string'))
  const judgement = format(sent, reading)
  return judgement.ok ? judgement : fault(path, judgement.violation)
}
