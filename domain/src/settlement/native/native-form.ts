/**
 * Acquirers' own settlement files. A reader gets the lines of a file one by one and returns each row of money in the columns of the form
 * `common`, so that all files are checked, matched and booked alike. See decisions/settlement#native-files.
 */

import { uuidPattern } from '../../uuid.ts'
import { isAgainst, isOfTransaction, type SettlementKind, settlementKinds } from '../settlement-kind.ts'
import { isZero } from './decimal-sum.ts'

/** By the names of the form `common`. */
type CommonCells = Readonly<Record<string, string>>

export type NativeLine =
  | { readonly kind: 'row'; readonly cells: CommonCells }
  /** A heading, or money that moves to the bank as a whole: it belongs to no transaction and is no fee. */
  | { readonly kind: 'passed' }
  | { readonly kind: 'fault'; readonly text: string }
  /** Nothing of the file can be read. */
  | { readonly kind: 'unreadable'; readonly text: string }

export interface NativeReader {
  read(cells: readonly string[]): NativeLine
  /** The last row, of a reader that returns a row only once it has read the line after it. */
  rest?(): NativeLine
  /** What the whole file lacks; null if it is complete as far as its form can tell. */
  close(): string | null
}

export const noRow: NativeLine = { kind: 'passed' }

/** Names of columns to cells; null if a column is missing. */
export const namedCells = (heading: readonly string[], cells: readonly string[]): CommonCells =>
  Object.fromEntries(heading.map((column, index) => [column, (cells[index] ?? '').trim()]))

/** Spreadsheets put a byte order mark before the first name. */
export const headingOf = (cells: readonly string[]): readonly string[] =>
  cells.map((cell) => cell.replace(/^\uFEFF/, '').trim())

export function missingColumns(heading: readonly string[], required: readonly string[]): NativeLine | null {
  const missing = required.filter((column) => !heading.includes(column))
  return missing.length === 0
    ? null
    : { kind: 'unreadable', text: `The first line lacks the columns ${missing.join(', ')}.` }
}

/**
 * Reads a row whose money goes the other way than is usual for its kind. The return of a chargeback is a kind of its own; everything else that was reversed,
 * or that the operator paid to another party, is an adjustment. See decisions/settlement#direction-of-kinds.
 */
export function directedKind<Kind extends string>(
  kind: Kind,
  gross: string,
): Kind | Extract<SettlementKind, 'chargeback-reversal' | 'adjustment'> {
  if (!isRowKind(kind) || !isAgainst(kind, signOf(gross))) return kind
  return kind === 'chargeback' ? 'chargeback-reversal' : 'adjustment'
}

const isRowKind = (kind: string): kind is SettlementKind => settlementKinds.some((one) => one === kind)

const signOf = (amount: string): bigint => (isZero(amount) ? 0n : amount.startsWith('-') ? -1n : 1n)

/** Rows of the other kinds, and those of the bank, belong to no transaction of ours, and have neither its id nor its reference. */
export const isMatchedKind = (kind: string): boolean => isRowKind(kind) && isOfTransaction[kind]

/** Our ids in a reference that we gave the acquirer: the payment's id, a dot and the end of the transaction's. */
export const paymentIn = (reference: string): string => ourReference.exec(reference)?.[1] ?? ''

const ourReference = new RegExp(`^(${uuidPattern})(?:\\.[0-9a-f]{12})?$`, 'i')
