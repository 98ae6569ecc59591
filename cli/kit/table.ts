/** Output for people: aligned columns, a record as names and values, `-` for what is not set. */

export type CellValue = string | number | bigint | boolean | Date | null | readonly CellValue[]

export function table(headings: readonly string[], rows: readonly (readonly CellValue[])[]): string {
  return alignRows([headings.map((heading) => heading.toUpperCase()), ...rows.map((row) => row.map(formatValue))])
}

export function record(fields: readonly (readonly [name: string, value: CellValue])[]): string {
  return alignRows(fields.map(([name, value]) => [name, formatValue(value)]))
}

export function formatValue(value: CellValue): string {
  if (value === null || value === '') return '-'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (value instanceof Date) return `${value.toISOString().slice(0, 19).replace('T', ' ')} UTC`
  if (Array.isArray(value)) return value.length === 0 ? '-' : value.map(formatValue).join(', ')
  return String(value)
}

export const indent = (text: string, by = '  '): string => text.replace(/^(?=.)/gm, by)

function alignRows(rows: readonly (readonly string[])[]): string {
  const widths: number[] = []
  for (const row of rows) {
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, width(cell))
  }
  return rows
    .map((row) =>
      row
        .map((cell, index) => padCell(cell, widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

const padCell = (cell: string, to: number): string => cell + ' '.repeat(Math.max(0, to - width(cell)))

const width = (cell: string): number => Array.from(cell).length
