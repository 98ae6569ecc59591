/** A table as text (RFC 4180). A cell that a spreadsheet would take for a formula is escaped. */
export const csvLine = (cells: readonly (string | number | bigint | boolean | Date | null)[]): string =>
  `${cells.map((cell) => quote(textOf(cell))).join(',')}\r\n`

const textOf = (cell: string | number | bigint | boolean | Date | null): string => {
  if (cell === null) return ''
  return cell instanceof Date ? cell.toISOString() : String(cell)
}

function quote(text: string): string {
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
