/** The parameters of a brand and their rules, by action. */
import type { JSX } from 'preact'
import { entriesOf, memberOf, wordAt } from '../../api/call.ts'
import { type Column, DataTable, pageOfRows } from '../../kit/data-table.tsx'
import { Empty } from '../../kit/states.tsx'
import { textsAt } from '../brands/record.ts'

export function ParameterTables({ record }: { readonly record: unknown }): JSX.Element {
  const withRows = entriesOf(memberOf(record, 'parameters')).filter(
    ([, rows]) => Array.isArray(rows) && rows.length > 0,
  )
  if (withRows.length === 0) return <Empty title="This brand has no parameters of its own." />
  return (
    <>
      {withRows.map(([action, rows]) => (
        <div key={action}>
          <h3 class="mono">{action}</h3>
          <DataTable
            caption={`Parameters of ${action}`}
            list={pageOfRows(Array.isArray(rows) ? rows : [])}
            keyOf={(row) => wordAt(row, 'name')}
            columns={columns}
          />
        </div>
      ))}
    </>
  )
}

const columns: readonly Column<unknown>[] = [
  { title: 'Parameter', cell: (row) => <span class="mono">{wordAt(row, 'name')}</span> },
  { title: 'Type', cell: (row) => wordAt(row, 'type') },
  { title: 'Required', cell: (row) => wordAt(row, 'need') },
  { title: 'Rules', cell: rulesText, minor: true },
]

function rulesText(row: unknown): string {
  const [min, max, pattern] = [wordAt(row, 'min'), wordAt(row, 'max'), wordAt(row, 'pattern')]
  const values = textsAt(row, 'values')
  const rules = [
    min !== '' || max !== '' ? `${min || '…'} to ${max || '…'}` : '',
    pattern === '' ? '' : `matches ${pattern}`,
    values.length > 0 ? `one of ${values.join(', ')}` : '',
    wordAt(row, 'secret') === 'yes' ? 'secret' : '',
  ]
  return rules.filter(Boolean).join('; ')
}
