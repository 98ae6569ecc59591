import { type CellValue, formatValue, table } from './table.ts'

type Fields = readonly (readonly [name: string, value: CellValue])[]

/** The changed fields, before and after, so that the operator sees a typing error at once. */
export function changesOf(before: Fields, after: Fields): string {
  const old = new Map(before.map(([name, value]) => [name, formatValue(value)]))
  const changed = after.filter(([name, value]) => old.get(name) !== formatValue(value))
  if (changed.length === 0) return 'Nothing to change: the value is already set.'
  return table(
    ['setting', 'before', 'now'],
    changed.map(([name, value]) => [name, old.get(name) ?? null, value]),
  )
}
