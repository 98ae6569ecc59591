/** The differences between two lists of rules. Rules are matched by name, which is unique within a list. */
import { type DraftRule, isSame } from '../rule/draft-rule.ts'
import { ruleSentence } from '../rule/rule-sentence.ts'

export interface RuleChange {
  readonly name: string
  readonly what: 'added' | 'removed' | 'changed' | 'moved'
  /** Null if the rule is not in that list. */
  readonly before: string | null
  readonly after: string | null
}

export function ruleChanges(before: readonly DraftRule[], after: readonly DraftRule[]): readonly RuleChange[] {
  const [old, next] = [byName(before), byName(after)]
  const gone = before.filter(({ name }) => !next.has(name)).map((rule) => change(rule.name, 'removed', rule, null))
  const shifted = movedNames(before, after)
  const others = after.flatMap((rule) => {
    const was = old.get(rule.name)
    if (was === undefined) return [change(rule.name, 'added', null, rule)]
    if (!isSame(was, rule)) return [change(rule.name, 'changed', was, rule)]
    if (!shifted.has(rule.name)) return []
    const place = (list: readonly DraftRule[]): string =>
      `Number ${list.findIndex((one) => one.name === rule.name) + 1}`
    return [{ name: rule.name, what: 'moved' as const, before: place(before), after: place(after) }]
  })
  return [...gone, ...others]
}

const byName = (rules: readonly DraftRule[]): ReadonlyMap<string, DraftRule> =>
  new Map(rules.map((rule) => [rule.name, rule]))

const change = (
  name: string,
  what: RuleChange['what'],
  before: DraftRule | null,
  after: DraftRule | null,
): RuleChange => ({ name, what, before: before && ruleText(before), after: after && ruleText(after) })

const ruleText = (rule: DraftRule): string => (rule.enabled ? ruleSentence(rule) : `(off) ${ruleSentence(rule)}`)

/** The smallest set of moves that turns one order into the other, among the rules of both lists. */
function movedNames(before: readonly DraftRule[], after: readonly DraftRule[]): ReadonlySet<string> {
  const places = new Map(before.map(({ name }, index) => [name, index]))
  const common = after.flatMap(({ name }) => {
    const place = places.get(name)
    return place === undefined ? [] : [{ name, place }]
  })
  const still = new Set(longestRise(common).map(({ name }) => name))
  return new Set(common.filter(({ name }) => !still.has(name)).map(({ name }) => name))
}

function longestRise<T extends { readonly place: number }>(items: readonly T[]): readonly T[] {
  const best: (readonly T[])[] = []
  for (const item of items) {
    const before = best.filter((rise) => (rise.at(-1)?.place ?? -1) < item.place)
    best.push([...before.reduce<readonly T[]>((long, rise) => (rise.length > long.length ? rise : long), []), item])
  }
  return best.reduce<readonly T[]>((long, rise) => (rise.length > long.length ? rise : long), [])
}
