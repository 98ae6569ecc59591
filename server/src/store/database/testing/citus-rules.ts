/** What Citus refuses in a statement over several shards, read from its text. See decisions/shards#plans-with-values. */
import { distributedTables } from '../distribution.ts'

const isDistributed = new Set<string>(distributedTables)
const aDistributedTable = new RegExp(`\\b(?:from|join|,) *(?:${distributedTables.join('|')})\\b`)

/** The texts in the parentheses behind each match of `begin`, which ends with the first of them. */
function insides(text: string, begin: RegExp): readonly string[] {
  return [...text.matchAll(begin)].map(({ 0: { length }, index }) => {
    const start = index + length
    let depth = 1
    let end = start
    for (; end < text.length && depth > 0; end += 1) depth += text[end] === '(' ? 1 : text[end] === ')' ? -1 : 0
    return text.slice(start, end - 1)
  })
}

/** The text around a position without what is in further parentheses, from the one that opens before it to the one that closes it. */
function around(text: string, position: number): string {
  const end = (step: 1 | -1): number => {
    let depth = 0
    for (let at = position; at >= 0 && at < text.length; at += step) {
      if (text[at] === (step === 1 ? '(' : ')')) depth += 1
      else if (text[at] === (step === 1 ? ')' : '(')) depth -= 1
      if (depth < 0) return at
    }
    return step === 1 ? text.length : -1
  }
  let inside = text.slice(end(-1) + 1, end(1))
  for (let before = ''; before !== inside; ) {
    before = inside
    inside = inside.replace(/\([^()]*\)/g, '')
  }
  return inside
}

/** True if rows of several shards are compared with those of a table that only the coordinator has, one by one. */
function looksUpOnCoordinator(text: string): boolean {
  const expressions = new Set([...text.matchAll(/\b(\w+) as (?:materialized )?\(/g)].map(([, name]) => name))
  return [...text.matchAll(/\bexists\s*\(/g)].some(({ 0: { length }, index }) => {
    const [inside = ''] = insides(text.slice(index), /^exists\s*\(/g)
    const tables = [...inside.matchAll(/\b(?:from|join) (\w+)\b(?!\s*\()/g)].map(([, name = '']) => name)
    const isHere = tables.some((name) => !(isDistributed.has(name) || expressions.has(name)))
    return isHere && length > 0 && aDistributedTable.test(around(text, index))
  })
}

/** A subquery between `select` and its `from`, however many parentheses stand before it. A subquery of one row of its own table is computed first. */
function hasSubqueryInColumns(text: string): boolean {
  return [...text.matchAll(/(?:^|\(|union all)\s*select\b/g)].some(({ 0: { length }, index }) => {
    const columns = columnsFrom(text, index + length)
    return insides(columns, /\(\s*(?=select )/g).some(
      (inside) => aDistributedTable.test(inside) && !/\blimit 1$/.test(inside),
    )
  })
}

/** From behind `select` to the `from` or the parenthesis that ends its columns. */
function columnsFrom(text: string, start: number): string {
  let depth = 0
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1
    if (text[at] === ')') depth -= 1
    if (depth < 0 || (depth === 0 && /^\sfrom\b/.test(text.slice(at, at + 6)))) return text.slice(start, at)
  }
  return text.slice(start)
}

const zone = /\b(?:\w+_)?at(?:::date\b| [<>]=? \$\d+::date\b)|\bdate_trunc\('\w+', [^,()]+\)/

/** Settings of a session stay on the coordinator: a shard computes days in the time zone of its own server. */
export const usesSessionZone = (text: string): boolean => zone.test(text)

// biome-ignore format: a table is read in columns.
const rules: readonly (readonly [rule: string, breaks: (text: string) => boolean])[] = [
  ['a look-up for each row of another table', (text) => insides(text, /\blateral\s*\(/g).some((inside) => aDistributedTable.test(inside))],
  ['a subquery without columns',              (text) => /\bselect from\b/.test(text)],
  ['a subquery in the list of columns',       hasSubqueryInColumns],
  ['a look-up on the coordinator for each row', looksUpOnCoordinator],
  ['a day of the server’s own time zone',     usesSessionZone],
  ['a volatile function in a change',         (text) => /\b(?:update|delete from) /.test(text) && /pg_current_xact_id\(|clock_timestamp\(|random\(/.test(text.replace(/insert into [\s\S]*/, ''))],
]

/** The rules that a statement over several shards breaks. */
export const brokenRules = (text: string): readonly string[] =>
  rules.flatMap(([rule, breaks]) => (breaks(text) ? [rule] : []))
