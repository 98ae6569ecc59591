/** MIDs: the merchant accounts at acquirers, with their current health. */
import type { JSX } from 'preact'
import type { Answer } from '../../api/call.ts'
import { useReading } from '../../api/use-reading.ts'
import { Badge, Status } from '../../kit/badge.tsx'
import { ButtonLink } from '../../kit/button.tsx'
import { type Column, DataTable, pageOfRead } from '../../kit/data-table.tsx'
import { FilterBar } from '../../kit/form/filter-bar.tsx'
import { useFilters } from '../../kit/form/use-filters.ts'
import { May } from '../../kit/may.tsx'
import { Page } from '../../kit/page.tsx'
import { Empty } from '../../kit/states.tsx'
import { mode } from '../../session/mode.ts'
import { HealthBadge } from '../mid/health-badge.tsx'
import { rateText } from '../mid/rate.ts'

type Mid = Answer<'GET /mids'>['mids'][number]
type Health = Answer<'GET /mid-health'>['mids'][number]

/** Often enough to watch an acquirer fail and recover. */
const refreshMs = 5000

export function MidsPage(): JSX.Element {
  const filters = useFilters(['name', 'connector'])
  const read = useReading('GET /mids')
  const health = useReading('GET /mid-health', { everyMs: refreshMs })
  const connectors = [...new Set(read.value?.mids.map(({ connector }) => connector))]
  const byMid = new Map(health.value?.mids.map((one) => [one.midId, one]))
  const isWanted = ({ name, connector, mode: own }: Mid): boolean =>
    own === mode.value &&
    name.includes(filters.values.name.toLowerCase()) &&
    (filters.values.connector === '' || connector === filters.values.connector)
  return (
    <Page
      title="MIDs"
      actions={
        <May use="mids.write">
          <ButtonLink to="/mids/new" kind="primary" icon="plus">
            New MID
          </ButtonLink>
        </May>
      }
    >
      <FilterBar
        filters={filters}
        fields={[
          { kind: 'text', name: 'name', label: 'Name' },
          {
            kind: 'choice',
            name: 'connector',
            label: 'Connector',
            options: connectors.map((id) => ({ value: id, text: id })),
          },
        ]}
      />
      <DataTable
        caption="MIDs"
        list={pageOfRead(read, ({ mids }) => mids.filter(isWanted))}
        keyOf={({ id }) => id}
        linkOf={({ id }) => `/mids/${id}`}
        columns={columnsWith(byMid)}
        empty={
          <Empty
            title={filters.count > 0 ? `No ${mode.value} MIDs match these filters.` : `No ${mode.value} MIDs yet.`}
          >
            <p>A MID is an account with an acquirer. Map it to merchants on the merchant’s page.</p>
          </Empty>
        }
      />
    </Page>
  )
}

const columnsWith = (byMid: ReadonlyMap<string, Health>): readonly Column<Mid>[] => [
  { title: 'Name', cell: ({ name }) => name },
  { title: 'State', cell: ({ enabled }) => <Status of={enabled ? 'enabled' : 'disabled'} /> },
  { title: 'Health', cell: ({ id }) => <HealthBadge health={byMid.get(id)} /> },
  { title: 'Approved, last hour', cell: ({ id }) => rateText(byMid.get(id)?.approval), end: true },
  { title: 'Connector', cell: ({ connector }) => connector, minor: true },
  { title: 'Payment mode', cell: ({ paymentMode }) => paymentMode, minor: true },
  {
    title: 'Currencies',
    cell: ({ currencies }) => (currencies.length === 0 ? 'all' : currencies.join(', ')),
    minor: true,
  },
  { title: 'Limits', cell: (mid) => (hasLimits(mid) ? <Badge tone="info">limited</Badge> : 'none'), minor: true },
]

const hasLimits = ({ dayLimit, monthLimit }: Mid): boolean =>
  [dayLimit, monthLimit].some(({ amounts, count }) => Object.keys(amounts).length > 0 || count !== null)
