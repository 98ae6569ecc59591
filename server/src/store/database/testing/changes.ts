/**
 * What Citus refuses in an insert, update or delete of a distributed table because servers could compute it differently. It asks for the
 * volatility of every function that the statement's tree has: `MasterIrreducibleExpression` and `ErrorIfOnConflictNotSupported` in its
 * `multi_router_planner.c`.
 */
import { distributedTables } from '../distribution.ts'
import type { Pool } from '../pool.ts'
import { fieldOf, insideOf, isNode, type Node, nodesOf, parseStatement, type Tree, wordOf } from './query-trees.ts'

interface Catalogue {
  /** `s` stable, `v` volatile, with the function's name; immutable ones are left out. */
  readonly mutable: ReadonlyMap<string, { readonly name: string; readonly volatility: 's' | 'v' }>
  /** Input and output functions of types, which casts through text use. */
  readonly casts: ReadonlyMap<string, readonly string[]>
  readonly distributed: ReadonlySet<string>
}

/** Returns a reader of statements: each fault is one sentence. */
export async function changeReader(pool: Pool): Promise<(text: string) => Promise<readonly string[]>> {
  const catalogue = await readCatalogue(pool)
  return async (text) => nodesOf(await parseStatement(pool, text)).flatMap((node) => faultsOf(catalogue, node))
}

async function readCatalogue(pool: Pool): Promise<Catalogue> {
  const { rows: functions } = await pool.query<{ id: string; name: string; volatility: 's' | 'v' }>(
    `select oid::text as id, proname as name, provolatile as volatility from pg_proc where provolatile <> 'i'`,
  )
  const { rows: types } = await pool.query<{ id: string; reads: string; writes: string }>(
    'select oid::text as id, typinput::oid::text as reads, typoutput::oid::text as writes from pg_type',
  )
  const { rows: tables } = await pool.query<{ id: string }>(
    'select oid::regclass::oid::text as id from unnest($1::text[]::regclass[]) as oid',
    [distributedTables],
  )
  return {
    mutable: new Map(functions.map(({ id, name, volatility }) => [id, { name, volatility }])),
    casts: new Map(types.map(({ id, reads, writes }) => [id, [reads, writes]])),
    distributed: new Set(tables.map(({ id }) => id)),
  }
}

const commands: Readonly<Record<string, string>> = { 2: 'update', 3: 'insert', 4: 'delete' }

function faultsOf(catalogue: Catalogue, query: Node): readonly string[] {
  const command = commands[wordOf(query, 'commandType')]
  if (query.kind !== 'QUERY' || command === undefined || !catalogue.distributed.has(changedTable(query))) return []
  const at = (place: string, faults: readonly string[]) => faults.map((fault) => `${fault} in ${place}: ${command}`)
  const values = command === 'update' ? [fieldOf(query, 'targetList')] : []
  const where = fieldOf(fieldOf(query, 'jointree'), 'quals')
  const conflict = fieldOf(query, 'onConflict')
  return [
    ...at(
      'the values',
      values.flatMap((value) => irreducible(catalogue, value)),
    ),
    ...at('the condition', irreducible(catalogue, where)),
    ...at('returning', mutableIn(catalogue, fieldOf(query, 'returningList'))),
    ...at(
      'on conflict',
      ['onConflictSet', 'onConflictWhere'].flatMap((field) => mutableIn(catalogue, fieldOf(conflict, field))),
    ),
  ]
}

function changedTable(query: Node): string {
  const entries = insideOf(fieldOf(query, 'rtable'))
  return wordOf(entries[Number(wordOf(query, 'resultRelation')) - 1], 'relid')
}

/** Volatile functions, stable ones of a column, and any but immutable ones in `case` and `coalesce`. */
function irreducible(catalogue: Catalogue, tree: Tree): readonly string[] {
  if (isNode(tree)) {
    if (tree.kind === 'CASEEXPR' || tree.kind === 'COALESCEEXPR')
      return mutableIn(catalogue, tree).map((fault) => `${fault} in case or coalesce`)
    const own = ownFunctions(catalogue, tree)
    const isOfColumn = insideOf(tree).some((part) => nodesOf(part).some(({ kind }) => kind === 'VAR'))
    const faults = own.flatMap(({ name, volatility }) =>
      volatility === 'v' ? [`the volatile ${name}`] : isOfColumn ? [`the stable ${name} of a column`] : [],
    )
    if (faults.length > 0) return faults
  }
  return insideOf(tree).flatMap((part) => irreducible(catalogue, part))
}

const mutableIn = (catalogue: Catalogue, tree: Tree): readonly string[] =>
  nodesOf(tree).flatMap((node) => ownFunctions(catalogue, node).map(({ name }) => name))

function ownFunctions({ mutable, casts }: Catalogue, node: Node) {
  if (node.kind === 'SQLVALUEFUNCTION') return [{ name: 'current time or user', volatility: 's' as const }]
  const numbers = ['funcid', 'opfuncid'].map((field) => wordOf(node, field))
  const types =
    node.kind === 'COERCEVIAIO'
      ? [casts.get(wordOf(node, 'resulttype'))?.[0] ?? '', casts.get(typeOf(fieldOf(node, 'arg')))?.[1] ?? '']
      : []
  return [...numbers, ...types].flatMap((number) => mutable.get(number) ?? [])
}

/** The type of an expression is in a field that each kind calls differently. */
const typeOf = (tree: Tree): string =>
  ['vartype', 'paramtype', 'consttype', 'funcresulttype', 'opresulttype', 'resulttype']
    .map((field) => wordOf(tree, field))
    .find((type) => type !== '') ?? ''
