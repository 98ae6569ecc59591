/**
 * A request of the documentation, described once. The examples in every language, the collections for API clients and the tests of the
 * OpenAPI documents are made from it.
 *
 * Texts may contain `{{name}}`: a variable of the reader (`base_url`, `key`, `password`), a fresh order number (`new_order`), or a value that an
 * earlier sample keeps.
 */
import { checkoutFormulas, signCheckout, sign as signForm } from '#domain/signature/signature.ts'
import { type NamedFormula, termsOf } from '../openapi/formula-text.ts'

export type SampleValue = string | boolean | readonly string[] | SampleFields
export interface SampleFields {
  readonly [name: string]: SampleValue
}

export interface Sample {
  readonly id: string
  readonly title: string
  readonly method?: 'PUT'
  readonly path: string
  /** A form on the S2S protocols, JSON on Checkout. */
  readonly encoding: 'form' | 'json'
  /** The name of the parameter with the merchant's key; null where the header `Token` stands for it. */
  readonly keyName: 'client_key' | 'merchant_key' | null
  readonly fields: SampleFields
  readonly headers?: Readonly<Record<string, string>>
  /** Null where the header `Token` stands for the hash. */
  readonly formula: NamedFormula | null
  /** Values of the formula that are no fields of the request: data of the payment that it names. */
  readonly signed?: Readonly<Record<string, string>>
  /** Variables for later samples, each from a member of the answer. */
  readonly keeps?: Readonly<Record<string, string>>
  /** Members that the answer has on a sandbox. */
  readonly answer: Readonly<Record<string, string>>
}

type Variables = Readonly<Record<string, string>>

/** A sample that can be sent: variables filled in, key and hash added. */
export interface SampleRequest {
  readonly method: 'POST' | 'PUT'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly fields: SampleFields
  readonly body: string
}

export function requestOf(sample: Sample, variables: Variables): SampleRequest {
  const fields = signedFields(sample, variables)
  return {
    method: sample.method ?? 'POST',
    path: sample.path,
    headers: { 'content-type': contentTypes[sample.encoding], ...fillTexts(sample.headers ?? {}, variables) },
    fields,
    body: sample.encoding === 'json' ? JSON.stringify(fields) : String(new URLSearchParams(formEntries(fields))),
  }
}

const contentTypes = { form: 'application/x-www-form-urlencoded', json: 'application/json' } as const

function signedFields(sample: Sample, variables: Variables): SampleFields {
  const { keyName, formula } = sample
  const filled = fillFields(sample.fields, variables)
  const keyed = keyName === null ? filled : { ...keyAfterAction(filled, keyName, variables['key'] ?? '') }
  if (formula === null) return keyed
  const signed = fillTexts(sample.signed ?? {}, variables)
  const values = Object.fromEntries(
    signedNames(formula).map((name) => [name, signed[name] ?? textAt(filled, name)] as const),
  )
  return { ...keyed, hash: hashOf(formula, values, variables['password'] ?? '') }
}

/** `action` stays the first parameter, because readers look for it there. */
function keyAfterAction(fields: SampleFields, keyName: string, key: string): SampleFields {
  const { action, ...others } = fields
  return action === undefined ? { [keyName]: key, ...others } : { action, [keyName]: key, ...others }
}

function hashOf(formula: NamedFormula, values: Readonly<Record<string, string>>, password: string): string {
  const key = { password, digest: 'md5' } as const
  if (formula.protocol === 'checkout') return signCheckout(checkoutFormulas[formula.name], values, key)
  return signForm(termsOf(formula), values, key)
}

/** The names of a formula in their order, without the password. */
export function signedNames(formula: NamedFormula): readonly string[] {
  const names: string[] = []
  const walk = (parts: ReturnType<typeof termsOf>): void => {
    for (const part of parts) {
      if (typeof part !== 'string') walk(part.parts)
      else if (part !== 'password') names.push(part)
    }
  }
  walk(termsOf(formula))
  return names
}

/** The text of a field, also inside an object: `order.amount`. */
export function textAt(fields: SampleFields, path: string): string {
  const value = path.split('.').reduce<SampleValue | undefined>((inner, name) => memberOf(inner, name), fields)
  if (typeof value === 'string') return value
  throw new Error(`The formula needs ${path}, which is no text of the sample.`)
}

const memberOf = (value: SampleValue | undefined, name: string): SampleValue | undefined =>
  typeof value === 'object' && !isList(value) ? value[name] : undefined

export const isList = (value: SampleValue): value is readonly string[] => Array.isArray(value)

/** Bracket names for nested values. */
export function formEntries(fields: SampleFields, parent = ''): [string, string][] {
  return Object.entries(fields).flatMap(([name, value]) => {
    const path = parent === '' ? name : `${parent}[${name}]`
    if (typeof value === 'object' && !isList(value)) return formEntries(value, path)
    return [[path, String(value)] as [string, string]]
  })
}

function fillFields(fields: SampleFields, variables: Variables): SampleFields {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, fillValue(value, variables)]))
}

function fillValue(value: SampleValue, variables: Variables): SampleValue {
  if (typeof value === 'string') return fillText(value, variables)
  if (typeof value === 'boolean') return value
  return isList(value) ? value.map((text) => fillText(text, variables)) : fillFields(value, variables)
}

const fillTexts = (texts: Readonly<Record<string, string>>, variables: Variables): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, fillText(text, variables)]))

export const fillText = (text: string, variables: Variables): string =>
  text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = variables[name]
    if (value === undefined) throw new Error(`The variable ${name} is not known here.`)
    return value
  })
