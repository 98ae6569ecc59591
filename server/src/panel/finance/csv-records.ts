/** Reads a CSV file (RFC 4180) while it arrives, so that its size does not matter. */

export class CsvFault extends Error {
  override readonly name = 'CsvFault'
}

interface CsvRecord {
  /** The line on which it begins, from 1. */
  readonly line: number
  readonly cells: readonly string[]
}

const longestCell = 10_000

export async function* csvRecords(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<CsvRecord> {
  let cells: string[] = []
  let cell = ''
  let state: 'plain' | 'quoted' | 'quote' = 'plain'
  let line = 1
  let begins = 1
  for await (const text of decode(chunks)) {
    for (const sign of text) {
      if (sign === '\n') line += 1
      if (state === 'quoted') {
        if (sign === '"') state = 'quote'
        else cell += sign
      } else if (sign === '"' && (state === 'quote' || cell === '')) {
        // Two quotes inside a quoted cell are one.
        if (state === 'quote') cell += '"'
        state = 'quoted'
      } else if (sign === ',' || sign === '\n') {
        cells.push(cell)
        cell = ''
        state = 'plain'
        if (sign === '\n') {
          if (cells.length > 1 || cells[0] !== '') yield { line: begins, cells }
          cells = []
          begins = line
        }
      } else if (sign !== '\r') cell += sign
      if (cell.length > longestCell)
        throw new CsvFault(`Line ${begins}: a cell has more than ${longestCell} characters.`)
    }
  }
  if (state === 'quoted') throw new CsvFault(`Line ${begins}: the file ends inside a quoted cell.`)
  if (cells.length > 0 || cell !== '') yield { line: begins, cells: [...cells, cell] }
}

async function* decode(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true })
    yield decoder.decode()
  } catch (error) {
    if (error instanceof TypeError) throw new CsvFault('The file is not UTF-8 text. Save it as CSV in UTF-8.')
    throw error
  }
}
