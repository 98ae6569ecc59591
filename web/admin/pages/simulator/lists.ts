/** Reads the simulator's lists leniently: it is a separate program and may return more than this page shows. */
import { entriesOf, memberOf, wordAt } from '../../api/call.ts'

export interface Card {
  readonly name: string
  readonly network: string
  readonly outcome: string
}

export interface Fault {
  readonly number: string
  readonly fault: string
  readonly versions: readonly string[]
  readonly mutation: string
  /** The checks that find it. */
  readonly checks: readonly string[]
  readonly answer: string
  readonly toDo: string
}

export const cardsIn = (list: unknown): readonly Card[] =>
  rowsIn(list).map((row) => ({
    name: wordAt(row, 'name'),
    network: wordAt(row, 'network'),
    outcome: wordAt(row, 'outcome'),
  }))

export const faultsIn = (list: unknown): readonly Fault[] =>
  rowsIn(list).map((row) => ({
    number: wordAt(row, 'number'),
    fault: wordAt(row, 'fault'),
    versions: rowsIn(memberOf(row, 'versions')).map(String),
    mutation: wordAt(row, 'mutation'),
    checks: [...new Set(entriesOf(memberOf(row, 'checks')).map(([, check]) => String(check)))],
    answer: wordAt(row, 'card'),
    toDo: wordAt(row, 'to_do'),
  }))

const rowsIn = (list: unknown): readonly unknown[] => (Array.isArray(list) ? list : [])
