/** Alerts that an operator has to look at. */
import type { JSX } from 'preact'
import { call } from '../../api/call.ts'
import { useMerchants } from '../../api/merchants.ts'
import { usePages } from '../../api/use-pages.ts'
import { Badge } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { DataTable } from '../../kit/data-table.tsx'
import { FilterBar } from '../../kit/form/filter-bar.tsx'
import { useFilters } from '../../kit/form/use-filters.ts'
import { Page } from '../../kit/page.tsx'
import { Empty } from '../../kit/states.tsx'
import { toast, toastFault } from '../../kit/toasts.tsx'
import { DateTime } from '../../kit/values/date-time.tsx'
import { Link } from '../../router/link.tsx'
import { may } from '../../session/session.ts'

const pageSize = 50

export function AlertsPage(): JSX.Element {
  const filters = useFilters(['all'])
  const merchants = useMerchants()
  const list = usePages(
    'GET /alerts',
    { query: { open: filters.values.all === 'true' ? 'false' : 'true', limit: pageSize } },
    {
      rows: ({ alerts }) => alerts,
      next: ({ alerts }) => (alerts.length < pageSize ? null : { before: alerts.at(-1)?.id }),
    },
  )
  const resolve = async (alertId: string): Promise<void> => {
    const result = await call('POST /alerts/:alertId/resolve', { params: { alertId } })
    if (!result.ok) return toastFault(result.fault)
    toast('Alert resolved.')
    list.reload()
  }
  return (
    <Page title="Alerts">
      <FilterBar
        filters={filters}
        fields={[
          { kind: 'choice', name: 'all', label: 'Shown', any: 'Open', options: [{ value: 'true', text: 'All' }] },
        ]}
      />
      <DataTable
        caption="Alerts"
        list={list}
        keyOf={({ id }) => id}
        columns={[
          { title: 'Alert', cell: ({ text }) => text },
          { title: 'Kind', cell: ({ kind }) => <Badge tone="warn">{kind.replaceAll('-', ' ')}</Badge> },
          { title: 'Merchant', cell: ({ merchantId }) => merchantId && merchants.title(merchantId), minor: true },
          { title: 'Raised', cell: ({ raisedAt }) => <DateTime at={raisedAt} />, whole: true },
          {
            title: 'Actions',
            end: true,
            cell: ({ id, merchantId, paymentId, resolvedAt }) => (
              <span class="row-actions">
                {merchantId && paymentId && (
                  <Link to={`/merchants/${merchantId}/payments/${paymentId}`}>Transaction</Link>
                )}
                {resolvedAt === null && may('alerts.resolve') && (
                  <Button small onClick={() => void resolve(id)}>
                    Resolve
                  </Button>
                )}
              </span>
            ),
          },
        ]}
        empty={
          <Empty title={filters.values.all === 'true' ? 'No alerts.' : 'No open alerts.'}>
            <p>Expiring certificates, failing domains, unknown outcomes and failing acquirers appear here.</p>
          </Empty>
        }
      />
    </Page>
  )
}
