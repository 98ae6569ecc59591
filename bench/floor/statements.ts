/**
 * The durable writes of one SALE, as the gateway sent them. The floor repeats them without an application: no gateway can be faster than the
 * database alone.
 *
 * They are taken from two consecutive sales. Values that are in the second and not in the first belong to that one payment and are
 * generated anew for each repetition; everything else (merchant, card, texts, amounts) stays, and so do the sizes of all rows.
 */
import { readFileSync } from 'node:fs'
import { deserialize } from 'node:v8'

interface RecordedStatement {
  readonly name: string
  readonly text: string
  readonly values: readonly unknown[]
}

export interface Statement extends RecordedStatement {
  /** Which parameter gets which of the fresh identifiers. */
  readonly fresh: readonly (readonly [place: number, identifier: number])[]
}

export interface SaleStatements {
  readonly statements: readonly Statement[]
  /** How many identifiers a payment needs. */
  readonly identifiers: number
}

/** Records follow each other, each after its length. */
export function readRecords(file: string): readonly RecordedStatement[] {
  const bytes = readFileSync(file)
  const records: RecordedStatement[] = []
  for (let at = 0; at < bytes.length; at += 4 + bytes.readUInt32LE(at)) {
    // Only the recording hook writes the file.
    records.push(deserialize(bytes.subarray(at + 4, at + 4 + bytes.readUInt32LE(at))) as RecordedStatement)
  }
  return records
}

export function saleStatements(records: readonly RecordedStatement[]): SaleStatements {
  const writes = records.filter(isOfPayment)
  const perSale = writes.length / 2
  if (perSale === 0 || !Number.isInteger(perSale)) throw new Error(`Two sales made ${writes.length} writes.`)
  const [first, second] = [writes.slice(0, perSale), writes.slice(perSale)]
  const seen = new Set(first.flatMap(({ values }) => values.filter((value) => typeof value === 'string')))
  const fresh = new Map<string, number>()
  for (const value of second.flatMap(({ values }) => values)) {
    if (isIdentifier(value) && !seen.has(value) && !fresh.has(value)) fresh.set(value, fresh.size)
  }
  return {
    statements: second.map((record) => ({ ...record, fresh: placesOf(record, fresh) })),
    identifiers: fresh.size,
  }
}

/** Statements for all payments together, such as the counts of MIDs, contain no payment id. */
const isOfPayment = ({ text, values }: RecordedStatement): boolean =>
  /^\s*(?:with|insert|update|delete)\b/i.test(text) && values.some(isIdentifier)

const isIdentifier = (value: unknown): value is string =>
  typeof value === 'string' && /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/.test(value)

function placesOf(
  { values }: RecordedStatement,
  fresh: ReadonlyMap<string, number>,
): readonly (readonly [number, number])[] {
  return values.flatMap((value, place) => {
    const identifier = typeof value === 'string' ? fresh.get(value) : undefined
    return identifier === undefined ? [] : [[place, identifier] as const]
  })
}
