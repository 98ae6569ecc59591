/**
 * A rule while it is being edited. It has the members of a rule, but each may still hold input that the service will refuse; the service
 * validates it by the schema with which it saves rules. See `domain/src/routing/rule.ts`.
 */
import type { Json } from '../../../api/api-types.ts'
import { entriesOf, memberOf, textAt } from '../../../api/call.ts'

/** A condition or an action. */
export type Part = { readonly kind: string } & Members
export type Members = { readonly [name: string]: Json }

export type DraftRule = {
  readonly name: string
  readonly enabled: boolean
  readonly conditions: readonly Part[]
  readonly action: Part
  readonly maximumAttempts: Json
  readonly final: boolean
}

/** The API returns rules as they are stored. */
export const rulesFrom = (list: readonly unknown[]): readonly DraftRule[] => list.map(ruleFrom)

function ruleFrom(json: unknown): DraftRule {
  const conditions = memberOf(json, 'conditions')
  return {
    name: textAt(json, 'name'),
    enabled: memberOf(json, 'enabled') !== false,
    conditions: Array.isArray(conditions) ? conditions.map(partFrom) : [],
    action: partFrom(memberOf(json, 'action')),
    maximumAttempts: jsonFrom(memberOf(json, 'maximumAttempts')),
    final: memberOf(json, 'final') === true,
  }
}

const partFrom = (json: unknown): Part => ({
  ...Object.fromEntries(entriesOf(json).map(([name, value]) => [name, jsonFrom(value)])),
  kind: textAt(json, 'kind'),
})

function jsonFrom(value: unknown): Json {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  if (Array.isArray(value)) return value.map(jsonFrom)
  if (typeof value !== 'object' || value === null) return null
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, jsonFrom(member)]))
}

/** Whether two values are equal, regardless of the order of their members. */
export const isSame = (one: Json, other: Json): boolean =>
  JSON.stringify(sortMembers(one)) === JSON.stringify(sortMembers(other))

function sortMembers(value: Json): Json {
  if (isList(value)) return value.map(sortMembers)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(members.map(([name, member]) => [name, sortMembers(member)]))
}

/** The texts of a list; empty if there is no list. */
export const listAt = (part: Members, name: string): readonly string[] => itemsAt(part, name).map(String)

export function itemsAt(part: Members, name: string): readonly Json[] {
  const value = part[name]
  return isList(value) ? value : []
}

const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value)

/** The value as text: digits for a number, empty for null. */
export function wordAt(part: Members, name: string): string {
  const value = part[name]
  return value === null || value === undefined || typeof value === 'object' ? '' : String(value)
}

/** "large amounts (2)": names are unique within a set. */
export function nameFor(wanted: string, taken: readonly DraftRule[]): string {
  const stem = wanted.replace(/ \(\d+\)$/, '')
  const isFree = (name: string): boolean => taken.every((rule) => rule.name !== name)
  if (isFree(wanted)) return wanted
  let number = 2
  while (!isFree(`${stem} (${number})`)) number += 1
  return `${stem} (${number})`
}

/** A first rule for a set without rules; the MID it names exists. */
export const exampleRule = (mid: string | undefined): DraftRule => ({
  name: 'large amounts',
  enabled: true,
  conditions: [{ kind: 'amount', not: false, currency: 'EUR', fromMinor: '50000', toMinor: null }],
  action: mid === undefined ? { kind: 'require-3ds' } : { kind: 'use', mids: [mid], only: false },
  maximumAttempts: null,
  final: false,
})

export function moveItem<T>(list: readonly T[], from: number, to: number): readonly T[] {
  const item = list[from]
  if (item === undefined || to < 0 || to >= list.length) return list
  return list.toSpliced(from, 1).toSpliced(to, 0, item)
}
