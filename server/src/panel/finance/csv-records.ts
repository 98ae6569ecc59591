/** Reads a CSV file (RFC 4180) while it arrives, so that its size does not matter. Lines end with LF, CR LF or CR. */

export class CsvFault extends Error {
  override readonly name = 'CsvFault'
}

interface CsvRecord {
  /** The line on which it begins, from 1. */
  readonly line: number
  readonly cells: readonly string[]
}

const longestCell = 10_000
/**
 * A file that is no CSV may have no line end at all, and would be one record. The widest report of an acquirer has some hundred columns, a
 * few of them with hundreds of characters. See decisions/imports#limits-of-lines.
 */
const mostCells = 500
const longestRecord = 200_000

const zero = '\0'

/** What stands between two of the signs that mean something is one too: text is read in two thirds of the time that it takes by letter. */
const signs = /[,"\r\n]|[^,"\r\n]+/g

export async function* csvRecords(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<CsvRecord> {
  let cells: string[] = []
  let cell = ''
  let length = 0
  let state: 'plain' | 'quoted' | 'quote' = 'plain'
  let line = 1
  let begins = 1
  let previous = ''
  for await (const text of decode(chunks)) {
    // Looked for in the whole text at once: most files have none.
    const hasZero = text.includes(zero)
    for (const sign of text.match(signs) ?? []) {
      // CR LF is one line end, also if the two arrive in different chunks.
      const isLineEnd = sign === '\r' || (sign === '\n' && previous !== '\r')
      if (isLineEnd) line += 1
      // The database cannot store it.
      if (hasZero && sign.includes(zero))
        throw new CsvFault(`Line ${line}: a cell has a zero character (U+0000). Save the file as CSV in UTF-8.`)
      if (state === 'quoted') {
        if (sign === '"') state = 'quote'
        else cell += sign
      } else if (sign === '"' && (state === 'quote' || cell === '')) {
        // Two quotes inside a quoted cell are one.
        if (state === 'quote') cell += '"'
        state = 'quoted'
      } else if (sign === ',' || isLineEnd) {
        cells.push(cell)
        length += cell.length
        cell = ''
        state = 'plain'
        if (isLineEnd) {
          if (cells.length > 1 || cells[0] !== '') yield { line: begins, cells }
          cells = []
          length = 0
          begins = line
        }
      } else if (sign !== '\n') cell += sign
      previous = sign
      if (cell.length > longestCell)
        throw new CsvFault(`Line ${begins}: a cell has more than ${longestCell} characters.`)
      if (cells.length >= mostCells || length > longestRecord)
        throw new CsvFault(
          `Line ${begins}: a line has more than ${mostCells} cells or ${longestRecord} characters. Save the file as CSV with a line for each row.`,
        )
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
