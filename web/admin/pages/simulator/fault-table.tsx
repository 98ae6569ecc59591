/** Every fault that the simulator can mint, with the check that finds it and the resulting answer. */
import type { JSX } from 'preact'
import { type Column, DataTable, pageOfRows } from '../../kit/data-table.tsx'
import { Empty } from '../../kit/states.tsx'
import type { Fault } from './lists.ts'

export const FaultTable = ({ faults }: { readonly faults: readonly Fault[] }): JSX.Element => (
  <DataTable
    caption="Faults"
    list={pageOfRows(faults)}
    keyOf={({ number }) => number}
    columns={columns}
    empty={<Empty title="No faults available." />}
  />
)

const columns: readonly Column<Fault>[] = [
  { title: 'Number', cell: ({ number }) => <span class="mono">{number}</span>, end: true, minor: true },
  { title: 'Fault', cell: ({ fault }) => <span class="mono nowrap">{fault}</span> },
  { title: 'Change to the token', cell: ({ mutation }) => mutation },
  { title: 'Versions', cell: ({ versions }) => versions.join(', '), minor: true },
  { title: 'Detected by', cell: ({ checks }) => checks.join(', ') },
  { title: 'Answer', cell: ({ answer }) => <span class="nowrap">{answer}</span> },
]
