/** A sample as the parts of a program, which each language then writes down: constants that are signed, the body, and the hash. */
import { type NamedFormula, termsOf } from '../openapi/formula-text.ts'
import { isList, type Sample, type SampleFields, type SampleValue, signedNames, textAt } from './sample.ts'

/** A value that is signed has a name, so that body and hash cannot disagree. */
interface Constant {
  readonly name: string
  readonly text: string
}

export type PlannedValue =
  | { readonly kind: 'constant'; readonly name: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'flag'; readonly value: boolean }
  | { readonly kind: 'list'; readonly texts: readonly string[] }
  | { readonly kind: 'object'; readonly members: PlannedMembers }

export type PlannedMembers = readonly (readonly [name: string, value: PlannedValue])[]

export type HashPart =
  | { readonly kind: 'constant'; readonly name: string }
  | { readonly kind: 'password' }
  | { readonly kind: 'call'; readonly name: HashFunction; readonly parts: readonly HashPart[] }

export type HashFunction = 'md5' | 'sha1' | 'rev' | 'up'

export interface ProgramPlan {
  readonly method: 'POST' | 'PUT'
  readonly path: string
  readonly encoding: Sample['encoding']
  readonly constants: readonly Constant[]
  /** Without key and hash. */
  readonly body: PlannedMembers
  readonly keyName: Sample['keyName']
  readonly headers: readonly (readonly [name: string, text: string])[]
  readonly hash: HashPart | null
  /** The functions that the hash needs, each once. */
  readonly functions: readonly HashFunction[]
}

export function planOf(sample: Sample): ProgramPlan {
  const { formula, fields } = sample
  const constants = formula === null ? [] : constantsOf(sample, formula)
  const hash = formula === null ? null : hashOf(formula)
  return {
    method: sample.method ?? 'POST',
    path: sample.path,
    encoding: sample.encoding,
    constants,
    body: membersOf(fields, constants, ''),
    keyName: sample.keyName,
    headers: Object.entries(sample.headers ?? {}),
    hash,
    functions: hash === null ? [] : functionsIn(hash),
  }
}

const constantsOf = (sample: Sample, formula: NamedFormula): readonly Constant[] =>
  signedNames(formula).map((name) => ({
    name: constantName(name),
    text: sample.signed?.[name] ?? textAt(sample.fields, name),
  }))

/** `order_amount` for `order.amount`. */
const constantName = (path: string): string => path.replaceAll('.', '_')

/** The field of a request that has a signed value under another name. */
const otherNames: Readonly<Record<string, string>> = { payer_email: 'email' }

function membersOf(fields: SampleFields, constants: readonly Constant[], parent: string): PlannedMembers {
  return Object.entries(fields).map(([name, value]) => {
    const path = parent === '' ? name : `${parent}.${name}`
    return [name, plannedValue(value, constants, path)] as const
  })
}

function plannedValue(value: SampleValue, constants: readonly Constant[], path: string): PlannedValue {
  if (typeof value === 'boolean') return { kind: 'flag', value }
  if (typeof value !== 'string')
    return isList(value)
      ? { kind: 'list', texts: value }
      : { kind: 'object', members: membersOf(value, constants, path) }
  const named = otherNames[path] ?? constantName(path)
  const isSigned = constants.some(({ name, text }) => name === named && text === value)
  return isSigned ? { kind: 'constant', name: named } : { kind: 'text', text: value }
}

function hashOf(formula: NamedFormula): HashPart {
  const inner: HashPart = { kind: 'call', name: 'md5', parts: partsOf(termsOf(formula)) }
  return formula.protocol === 'checkout' ? { kind: 'call', name: 'sha1', parts: [inner] } : inner
}

function partsOf(formula: ReturnType<typeof termsOf>): readonly HashPart[] {
  return formula.map((part): HashPart => {
    if (typeof part !== 'string') return { kind: 'call', name: part.step, parts: partsOf(part.parts) }
    return part === 'password' ? { kind: 'password' } : { kind: 'constant', name: constantName(part) }
  })
}

function functionsIn(part: HashPart): readonly HashFunction[] {
  if (part.kind !== 'call') return []
  return [...new Set([part.name, ...part.parts.flatMap(functionsIn)])]
}

/** The same hash in any language whose calls are written `name(a, b)`. */
export function writeCalls(part: HashPart, names: { constant: (name: string) => string; password: string }): string {
  switch (part.kind) {
    case 'password':
      return names.password
    case 'constant':
      return names.constant(part.name)
    case 'call':
      return `${part.name}(${part.parts.map((inner) => writeCalls(inner, names)).join(', ')})`
  }
}

/** Bracket names for the nested values of a form. */
export function formPairs(members: PlannedMembers, parent = ''): readonly (readonly [string, FormValue])[] {
  return members.flatMap(([name, value]): readonly (readonly [string, FormValue])[] => {
    const path = parent === '' ? name : `${parent}[${name}]`
    if (value.kind === 'object') return formPairs(value.members, path)
    if (value.kind === 'constant' || value.kind === 'text') return [[path, value]]
    throw new Error(`A form has no ${value.kind}: ${path}.`)
  })
}

type FormValue = Extract<PlannedValue, { kind: 'constant' | 'text' }>

export const freshOrder = '{{new_order}}'

/** `orderId` for `order_id`. */
export const camelCase = (name: string): string =>
  name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
