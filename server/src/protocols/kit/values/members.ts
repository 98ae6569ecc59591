/**
 * Members of a JSON request as a table: names in checking order, each with the value it must hold. Chapter 30 §1.3, §3.5.
 *
 * The order of the table is the order of `errors[]`, and every violation is reported under its path (`order.number`). `null` and blank
 * text count as not sent. `About` is what a rule may look at besides the value: the rest of the request, the merchant's day.
 */

import { type Violation, violations } from '#domain/errors.ts'
import { isTree, JsonNumber, type Value, type ValueTree } from '../bodies/value-tree.ts'
import { blank, type Format, fault, type Read, type Words } from './params.ts'

export type Sent = Value | undefined

export interface Member<T, About = unknown> {
  read(path: string, sent: Sent, about: About): Read<T>
  /** Printed by the reference; `npm run docs` refuses a member without them. */
  readonly words: Words
}

export type MemberTable<About> = Readonly<Record<string, Member<unknown, About>>>
export type MemberValues<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends { read(...given: never[]): Read<infer T> } ? T : never
}

export function readMembers<About, Table extends MemberTable<About>>(
  table: Table,
  members: ValueTree,
  about: About,
  prefix = '',
): Read<MemberValues<Table>> {
  const found: Record<string, unknown> = {}
  const faults: Violation[] = []
  for (const [name, member] of Object.entries(table)) {
    const read = member.read(`${prefix}${name}`, sentIn(members, name), about)
    if ('violations' in read) faults.push(...read.violations)
    else found[name] = read.value
  }
  if (faults.length > 0) return { violations: faults }
  // Every name of the table was read just above, each by the member that gives it its type.
  return { value: found as MemberValues<Table> }
}

/** What was sent under a name; undefined for what counts as not sent. */
export function sentIn(members: ValueTree, name: string): Sent {
  const sent = Object.hasOwn(members, name) ? members[name] : undefined
  return sent === null || (typeof sent === 'string' && sent.trim() === '') ? undefined : sent
}

/** A readable text, or undefined: for rules that look at another member, which reports its own faults. */
export function textIn(members: ValueTree, name: string): string | undefined {
  const sent = sentIn(members, name)
  return sent instanceof JsonNumber ? sent.literal : typeof sent === 'string' ? sent : undefined
}

export const flagIn = (members: ValueTree, name: string): boolean => booleanOf(sentIn(members, name)) ?? false

export const objectIn = (members: ValueTree, name: string): ValueTree => objectOf(sentIn(members, name)) ?? {}

export function required<T, About>(format: Format<T, About>): Member<T, About> {
  return {
    words: { sent: 'yes', holds: format.says ?? '' },
    read: (path, sent, about) => (sent === undefined ? blank(path) : judged(path, sent, format, about)),
  }
}

export function optional<T, About>(format: Format<T, About>): Member<T | undefined, About> {
  return {
    words: { sent: 'no', holds: format.says ?? '' },
    read: (path, sent, about) => (sent === undefined ? { value: undefined } : judged(path, sent, format, about)),
  }
}

/** A number's literal text is as good as a text: an order's number, an amount. */
export function orNumber<T, About>(member: Member<T, About>): Member<T, About> {
  return {
    ...member,
    read: (path, sent, about) => member.read(path, sent instanceof JsonNumber ? sent.literal : sent, about),
  }
}

/** Only its absence is a violation; a hash of the wrong form is a wrong hash (chapter 30 §2.1). */
export const anyText: Member<string> = {
  words: { sent: 'yes', holds: 'any text' },
  read: (path, sent) => (sent === undefined ? blank(path) : { value: typeof sent === 'string' ? sent : '' }),
}

export const flag: Member<boolean> = {
  words: { sent: 'no; `false` when absent', holds: '`true` or `false`, also as text, `Y`, `N`, `1`, `0`' },
  read: (path, sent) => {
    if (sent === undefined) return { value: false }
    const value = booleanOf(sent)
    return value === undefined ? fault(path, violations.wrongType('boolean')) : { value }
  },
}

export const integer = (low: number, high: number, standard: number): Member<number> => ({
  words: { sent: `no; \`${standard}\` when absent`, holds: `a whole number from ${low} to ${high}` },
  read: (path, sent) => {
    if (sent === undefined) return { value: standard }
    const value = integerOf(sent)
    if (value === undefined) return fault(path, violations.wrongType('integer'))
    return value >= low && value <= high ? { value } : fault(path, violations.outOfRange(low, high))
  },
})

/** One text stands for a list of one; an item's violation is told under the list's own name, once. */
export const list = (format: Format<string, unknown>, atMost: number): Member<readonly string[]> => ({
  words: { sent: 'no', holds: `a list, each ${format.says ?? ''}; at most ${atMost}` },
  read: (path, sent, about) => {
    if (sent === undefined) return { value: [] }
    const items = typeof sent === 'string' ? [sent] : sent
    if (!Array.isArray(items)) return fault(path, violations.wrongType('array'))
    if (items.length > atMost) return fault(path, violations.notValid)
    const read = items.map((item: Value) => itemOf(path, item, format, about))
    const [wrong] = read.filter((one) => 'violations' in one)
    return wrong ?? { value: read.flatMap((one) => ('value' in one ? [one.value] : [])) }
  },
})

function itemOf(path: string, item: Value, format: Format<string, unknown>, about: unknown): Read<string> {
  const isBlank = item === null || (typeof item === 'string' && item.trim() === '')
  return isBlank ? blank(path) : judged(path, item, format, about)
}

/** An object's members under its own name. Not sent, it is read as empty, so that what it lacks is told member by member. */
export function object<About, Table extends MemberTable<About>>(
  table: Table,
  given: { readonly sent: string; readonly ifAbsent: 'read' | 'skip' },
): Member<MemberValues<Table> | undefined, About> {
  const parts = Object.fromEntries(Object.entries(table).map(([name, { words }]) => [name, words]))
  return {
    words: { sent: given.sent, holds: 'an object', parts },
    read: (path, sent, about) => {
      if (sent === undefined && given.ifAbsent === 'skip') return { value: undefined }
      const members = sent === undefined ? {} : objectOf(sent)
      if (!members) return fault(path, violations.wrongType('object'))
      return readMembers(table, members, about, `${path}.`)
    },
  }
}

/** A member with one more rule; the rule sees only values that are sound by themselves. */
export const ruled = <T, About>(
  member: Member<T, NoInfer<About>>,
  rule: (value: T, about: About) => string | null,
): Member<T, About> => ({
  ...member,
  read: (path, sent, about) => {
    const read = member.read(path, sent, about)
    const text = 'value' in read ? rule(read.value, about) : null
    return text === null ? read : fault(path, text)
  },
})

/** Taken by other operations or in other sessions; here it is not even looked at. */
export const ignored = <T>(value: T): Member<T> => ({
  words: { sent: 'no', holds: 'ignored' },
  read: () => ({ value }),
})

/** Some languages write an empty object as an empty list. */
export function objectOf(sent: Sent): ValueTree | undefined {
  if (Array.isArray(sent) && sent.length === 0) return {}
  return isTree(sent) ? sent : undefined
}

function judged<T, About>(path: string, sent: Value, format: Format<T, About>, about: About): Read<T> {
  if (typeof sent !== 'string') return fault(path, violations.wrongType('string'))
  const read = format(sent, about)
  return 'violation' in read ? fault(path, read.violation) : read
}

function booleanOf(sent: Sent): boolean | undefined {
  if (typeof sent === 'boolean') return sent
  const word = sent instanceof JsonNumber ? sent.literal : sent
  switch (typeof word === 'string' ? word.trim().toLowerCase() : '') {
    case 'true':
    case 'y':
    case '1':
      return true
    case 'false':
    case 'n':
    case '0':
      return false
    default:
      return undefined
  }
}

/** Digits, whether or not in quotes. */
export function integerOf(sent: Sent): number | undefined {
  const literal = sent instanceof JsonNumber ? sent.literal : sent
  return typeof literal === 'string' && /^-?[0-9]{1,15}$/.test(literal.trim()) ? Number(literal) : undefined
}
