/** The list of merchants. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import type { Answer } from '../../api/call.ts'
import { useReading } from '../../api/use-reading.ts'
import { Badge, Status } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { type Column, DataTable, pageOfRead } from '../../kit/data-table.tsx'
import { FilterBar } from '../../kit/form/filter-bar.tsx'
import { useFilters } from '../../kit/form/use-filters.ts'
import { May } from '../../kit/may.tsx'
import { Page } from '../../kit/page.tsx'
import { Empty } from '../../kit/states.tsx'
import { NewMerchantDialog } from './new-merchant-dialog.tsx'

type Merchant = Answer<'GET /merchants'>['merchants'][number]

export function MerchantsPage(): JSX.Element {
  const read = useReading('GET /merchants')
  const filters = useFilters(['search', 'status'])
  const isAdding = useSignal(false)
  const open = (isOpen: boolean) => () => {
    isAdding.value = isOpen
  }
  const { search, status } = filters.values
  const isWanted = (one: Merchant): boolean =>
    `${one.name} ${one.title} ${one.key} ${one.testKey}`.toLowerCase().includes(search.toLowerCase()) &&
    (status === '' || one.status === status)
  return (
    <Page
      title="Merchants"
      actions={
        <May use="merchants.create">
          <Button kind="primary" icon="plus" onClick={open(true)}>
            New merchant
          </Button>
        </May>
      }
    >
      <FilterBar
        filters={filters}
        fields={[
          { kind: 'text', name: 'search', label: 'Title, name or key' },
          { kind: 'choice', name: 'status', label: 'Status', options: statuses },
        ]}
      />
      <DataTable
        caption="Merchants"
        list={pageOfRead(read, ({ merchants }) => merchants.filter(isWanted))}
        keyOf={({ id }) => id}
        linkOf={({ id }) => `/merchants/${id}`}
        columns={columns}
        empty={
          <Empty title={filters.count > 0 ? 'No merchants match these filters.' : 'No merchants yet.'}>
            <p>
              Before a merchant can accept payments, it needs a MID mapping and a mapping for each protocol it uses.
            </p>
          </Empty>
        }
      />
      {isAdding.value && <NewMerchantDialog onClose={open(false)} />}
    </Page>
  )
}

const statuses = [
  { value: 'active', text: 'Active' },
  { value: 'blocked', text: 'Blocked' },
]

const columns: readonly Column<Merchant>[] = [
  { title: 'Title', cell: ({ title }) => title },
  { title: 'Name', cell: ({ name }) => <span class="mono">{name}</span> },
  {
    title: 'Status',
    cell: ({ status, testOnly }) => (
      <>
        <Status of={status} /> {testOnly && <Badge tone="info">test only</Badge>}
      </>
    ),
  },
  { title: 'Contact', cell: ({ contactEmail }) => contactEmail ?? '—', minor: true },
  { title: 'Default currency', cell: ({ defaultCurrency }) => defaultCurrency ?? '—', minor: true },
]
