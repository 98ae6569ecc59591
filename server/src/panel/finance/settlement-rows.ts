/** Reads the rows of a settlement file in any of its forms, one by one, so that its size does not matter. */
import type { Mid } from '#domain/mid.ts'
import { type NativeLine, type NativeReader, noRow } from '#domain/settlement/native/native-form.ts'
import {
  isNative,
  nativeForms,
  type SettlementFormat,
  type SettlementFormatName,
  settlementFormats,
} from '#domain/settlement/settlement-format.ts'
import { readSettlementRow, type SettlementRow } from '#domain/settlement/settlement-row.ts'
import { CsvFault, csvRecords } from './csv-records.ts'

interface SettlementSource {
  readonly mid: Pick<Mid, 'name' | 'currencies'>
  /** The name under which the acquirer knows the MID; null if it is ours. */
  readonly acquirerMid: string | null
  readonly format: SettlementFormatName
  readonly open: () => AsyncIterable<Uint8Array>
}

interface ReadRow {
  readonly line: number
  /** What is wrong, if it is a text. */
  readonly row: SettlementRow | string
}

/** Throws for a file of which nothing can be read, or that was cut. */
export function settlementRows(source: SettlementSource): AsyncGenerator<ReadRow> {
  const { format, open } = source
  return isNative(format)
    ? nativeRows(source, nativeForms[format].begin(), open)
    : tableRows(source, settlementFormats[format])
}

const termsOf = ({ mid, acquirerMid }: SettlementSource, format: SettlementFormat) => ({
  format,
  midNames: [mid.name, ...(acquirerMid === null ? [] : [acquirerMid])],
  currencies: mid.currencies,
  crypto: new Map(),
})

async function* nativeRows(
  source: SettlementSource,
  reader: NativeReader,
  open: SettlementSource['open'],
): AsyncGenerator<ReadRow> {
  const { common } = settlementFormats
  const amounts = isNative(source.format) ? nativeForms[source.format].amounts : common.amounts
  const terms = termsOf(source, { ...common, amounts })
  let last = 0
  const rowsIn = function* (line: number, read: NativeLine): Generator<ReadRow> {
    if (read.kind === 'unreadable') throw new CsvFault(read.text)
    if (read.kind === 'fault') yield { line, row: read.text }
    if (read.kind === 'row') yield { line, row: readSettlementRow(read.cells, terms) }
  }
  for await (const { line, cells } of csvRecords(open())) {
    last = line
    yield* rowsIn(line, reader.read(cells))
  }
  yield* rowsIn(last, reader.rest?.() ?? noRow)
  const lacks = last === 0 ? 'The file is empty.' : reader.close()
  if (lacks !== null) throw new CsvFault(lacks)
}

async function* tableRows(source: SettlementSource, format: SettlementFormat): AsyncGenerator<ReadRow> {
  const terms = termsOf(source, format)
  let heading: readonly string[] | null = null
  let rows = 0
  let announced: string | null = null
  for await (const { line, cells } of csvRecords(source.open())) {
    if (heading === null) heading = requireColumns(cells, format)
    else if (announced !== null) throw new CsvFault(`Line ${line}: nothing may follow the line "${format.end}".`)
    else if (cells[0] === format.end) announced = cells[1] ?? ''
    else {
      rows += 1
      if (cells.length === heading.length) {
        const named: Record<string, string> = {}
        for (const [index, column] of heading.entries()) named[column] = cells[index] ?? ''
        yield { line, row: readSettlementRow(named, terms) }
      } else yield { line, row: `The row has ${cells.length} cells instead of ${heading.length}.` }
    }
  }
  if (heading === null) throw new CsvFault('The file is empty.')
  if (announced === null) throw new CsvFault(`The last line "${format.end},${rows}" is missing: the file was cut.`)
  if (announced !== String(rows))
    throw new CsvFault(`The last line announces ${announced} rows, and the file has ${rows}.`)
}

function requireColumns(cells: readonly string[], { columns }: SettlementFormat): readonly string[] {
  // Spreadsheets put a byte order mark before the first name.
  const heading = cells.map((cell) => cell.replace(/^\uFEFF/, '').trim())
  const { row, kind, currency, gross, fee, net, date } = columns
  const missing = [row, kind, currency, gross, fee, net, date].filter((column) => !heading.includes(column))
  if (missing.length > 0) throw new CsvFault(`The first line lacks the columns ${missing.join(', ')}.`)
  return heading
}
