/**
 * Statements as PostgreSQL understands them: it stores the body of a function as a tree, in which each operator and function has its number.
 * Texts do not say which functions stand behind operators and casts, and which of them are immutable.
 */
import type { Pool } from '../pool.ts'

/** A value of the tree: a word, a list, or a node with its fields. */
export type Tree = string | readonly Tree[] | Node

export interface Node {
  readonly kind: string
  readonly fields: ReadonlyMap<string, Tree>
}

const isList = (tree: Tree | undefined): tree is readonly Tree[] => Array.isArray(tree)

export const isNode = (tree: Tree | undefined): tree is Node => typeof tree === 'object' && !isList(tree)

/** A field of a node, empty if there is none. */
export const fieldOf = (tree: Tree | undefined, field: string): Tree =>
  isNode(tree) ? (tree.fields.get(field) ?? '') : ''

/** The same where the field is one word. */
export function wordOf(tree: Tree | undefined, field: string): string {
  const word = fieldOf(tree, field)
  return typeof word === 'string' ? word : ''
}

/** What is directly inside. */
export const insideOf = (tree: Tree): readonly Tree[] =>
  isNode(tree) ? [...tree.fields.values()] : isList(tree) ? tree : []

/** The node and all below it. */
export const nodesOf = (tree: Tree): readonly Node[] => [
  ...(isNode(tree) ? [tree] : []),
  ...insideOf(tree).flatMap(nodesOf),
]

export async function parseStatement(pool: Pool, text: string): Promise<Tree> {
  const client = await pool.connect()
  try {
    await client.query(`begin; prepare looked as ${text}`)
    const { rows } = await client.query<{ types: readonly string[] }>(
      `select parameter_types::text[] as types from pg_prepared_statements where name = 'looked'`,
    )
    const types = rows[0]?.types ?? []
    await client.query(`create function looked(${types.join(', ')}) returns void begin atomic ${text}; end`)
    const { rows: bodies } = await client.query<{ body: string }>(
      `select prosqlbody::text as body from pg_proc where proname = 'looked'`,
    )
    return readTree(bodies[0]?.body ?? '')
  } finally {
    await client.query('rollback; deallocate all')
    client.release()
  }
}

/** `{KIND :field value …}` and `(value …)`; a word escapes special characters by a backslash. */
function readTree(text: string): Tree {
  const words = text.match(/[(){}]|(?:\\[\s\S]|[^\s(){}\\])+/g) ?? []
  let at = 0
  const isEnd = (end: string): boolean => words[at] === end || at >= words.length
  const readList = (end: string): readonly Tree[] => {
    const list: Tree[] = []
    while (!isEnd(end)) list.push(read())
    at += 1
    return list
  }
  const read = (): Tree => {
    const word = words[at] ?? ''
    at += 1
    if (word === '(') return readList(')')
    if (word !== '{') return word
    const kind = words[at] ?? ''
    at += 1
    return { kind, fields: fieldsOf(readList('}')) }
  }
  return read()
}

/** A field has one value, or words such as those of a constant. */
function fieldsOf(list: readonly Tree[]): ReadonlyMap<string, Tree> {
  const fields = new Map<string, Tree>()
  for (let at = 0; at < list.length; ) {
    const word = list[at]
    const name = typeof word === 'string' ? word.slice(1) : ''
    const end = list.findIndex((one, index) => index > at && typeof one === 'string' && one.startsWith(':'))
    const values = list.slice(at + 1, end === -1 ? list.length : end)
    fields.set(name, values.length === 1 ? (values[0] ?? '') : values)
    at = end === -1 ? list.length : end
  }
  return fields
}
