/** What Citus refuses in a statement over several shards, read from its text. Decision 0232. */
import { distributedTables } from '../distribution.ts'

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

// biome-ignore format: a table is read in columns.
const rules: readonly (readonly [rule: string, breaks: (text: string) => boolean])[] = [
  ['a look-up for each row of another table', (text) => insides(text, /\blateral\s*\(/g).some((inside) => aDistributedTable.test(inside))],
  ['a subquery without columns',              (text) => /\bselect from\b/.test(text)],
  ['a subquery in the list of columns',       (text) => insides(text, /(?:^|\(|union all)\s*select (?:(?!\bfrom\b)[^()])*\(\s*(?=select )/g).some((inside) => aDistributedTable.test(inside) && !/\blimit 1$/.test(inside))],
  ['a volatile function in a change',         (text) => /\b(?:update|delete from) /.test(text) && /pg_current_xact_id\(|clock_timestamp\(|random\(/.test(text.replace(/insert into [\s\S]*/, ''))],
]

/** The rules that a statement over several shards breaks. */
export const brokenRules = (text: string): readonly string[] =>
  rules.flatMap(([rule, breaks]) => (breaks(text) ? [rule] : []))
