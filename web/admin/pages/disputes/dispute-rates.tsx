/** The share of disputes of a month per MID and network, against the share from which card schemes watch an account. */
import type { JSX } from 'preact'
import { networkName } from '#domain/network-names.ts'
import { useReading } from '../../api/use-reading.ts'
import { Badge } from '../../kit/badge.tsx'
import { DataTable, pageOfRead } from '../../kit/data-table.tsx'
import { FilterBar } from '../../kit/form/filter-bar.tsx'
import { useFilters } from '../../kit/form/use-filters.ts'
import { Empty } from '../../kit/states.tsx'

export function DisputeRates(): JSX.Element {
  const filters = useFilters(['day'])
  const { day } = filters.values
  const read = useReading('GET /disputes/rates', { query: day === '' ? {} : { day } })
  const number = new Intl.NumberFormat()
  const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 2 })
  return (
    <>
      <FilterBar filters={filters} fields={[{ kind: 'date', name: 'day', label: 'Month that contains' }]} />
      {read.value !== null && (
        <p class="faint">
          Disputes opened in the month, as a share of its settled payments. Card schemes watch an account from about{' '}
          {percent.format(read.value.watchedShare)}.
        </p>
      )}
      <DataTable
        caption="Dispute rates"
        list={pageOfRead(read, ({ rates }) => rates)}
        keyOf={({ midId, network }) => `${midId} ${network}`}
        columns={[
          { title: 'MID', cell: ({ midName, midId }) => midName ?? midId },
          { title: 'Network', cell: ({ network }) => (network === null ? 'none' : networkName(network)) },
          { title: 'Disputes', end: true, cell: ({ disputes }) => number.format(disputes) },
          { title: 'Payments', end: true, cell: ({ payments }) => number.format(payments) },
          { title: 'Rate', end: true, cell: ({ share }) => (share === null ? '—' : percent.format(share)) },
          {
            title: 'State',
            cell: ({ isWatched }) =>
              isWatched ? <Badge tone="bad">Watched</Badge> : <Badge tone="good">Below the threshold</Badge>,
          },
        ]}
        empty={
          <Empty title="No disputes in this month.">
            <p>A MID and network appear here with their first dispute of the month.</p>
          </Empty>
        }
      />
    </>
  )
}
