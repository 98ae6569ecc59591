/** A table as text (RFC 4180). A cell that a spreadsheet would take for a formula is escaped, also with full-width signs; a number below zero is none. */
export const csvLine = (cells: readonly (string | number | bigint | boolean | Date | null)[]): string =>
  `${cells.map((cell) => quote(textOf(cell))).join(',')}\r\n`

const textOf = (cell: string | number | bigint | boolean | Date | null): string => {
  if (cell === null) return ''
  return cell instanceof Date ? cell.toISOString() : String(cell)
}

function quote(text: string): string {
  const isFormula = /^[=+\-@\uFF1D\uFF0B\uFF0D\uFF20\t\r\n]/.test(text) && !/^-\d+(?:\.\d+)?$/.test(text)
  const harmless = isFormula ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
