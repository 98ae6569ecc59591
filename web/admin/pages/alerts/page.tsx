/** Alerts that an operator has to look at. */
import type { JSX } from 'preact'
import { alertKinds } from '#domain/alert/alert-kinds.ts'
import { alertSeverities } from '#domain/alert/alert-severity.ts'
import { call } from '../../api/call.ts'
import { useMerchants } from '../../api/merchants.ts'
import { usePages } from '../../api/use-pages.ts'
import { DataTable } from '../../kit/data-table.tsx'
import { FilterBar } from '../../kit/form/filter-bar.tsx'
import { useFilters } from '../../kit/form/use-filters.ts'
import { Page } from '../../kit/page.tsx'
import { Empty } from '../../kit/states.tsx'
import { toast, toastFault } from '../../kit/toasts.tsx'
import { DateTime } from '../../kit/values/date-time.tsx'
import { kindText, severityTexts } from './alert.ts'
import { AlertActions } from './alert-actions.tsx'
import { SeverityBadge } from './severity-badge.tsx'

const pageSize = 50

// The most urgent first.
const severityChoices = alertSeverities.toReversed().map((value) => ({ value, text: severityTexts[value][0] }))
const kindChoices = alertKinds.map((value) => ({ value, text: kindText(value) }))

type Chosen = Readonly<Record<'severity' | 'kind' | 'all', string>>

function queryOf({ severity, kind, all }: Chosen) {
  const known = alertSeverities.find((one) => one === severity)
  return {
    open: all === 'true' ? ('false' as const) : ('true' as const),
    limit: pageSize,
    ...(known && { severity: known }),
    ...(kind === '' ? {} : { kind }),
  }
}

export function AlertsPage(): JSX.Element {
  const filters = useFilters(['severity', 'kind', 'all'])
  const merchants = useMerchants()
  const list = usePages(
    'GET /alerts',
    { query: queryOf(filters.values) },
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
          { kind: 'choice', name: 'severity', label: 'Severity', options: severityChoices },
          { kind: 'choice', name: 'kind', label: 'Kind', options: kindChoices },
          { kind: 'choice', name: 'all', label: 'Shown', any: 'Open', options: [{ value: 'true', text: 'All' }] },
        ]}
      />
      <DataTable
        caption="Alerts"
        list={list}
        keyOf={({ id }) => id}
        columns={[
          { title: 'Alert', cell: ({ text }) => text },
          { title: 'Severity', cell: ({ severity }) => <SeverityBadge of={severity} /> },
          { title: 'Kind', cell: ({ kind }) => kindText(kind) },
          { title: 'Merchant', cell: ({ merchantId }) => merchantId && merchants.title(merchantId), minor: true },
          { title: 'Raised', cell: ({ raisedAt }) => <DateTime at={raisedAt} />, whole: true },
          {
            title: 'Actions',
            end: true,
            cell: (alert) => <AlertActions alert={alert} onResolve={() => void resolve(alert.id)} />,
          },
        ]}
        empty={
          <Empty title={emptyTitle(filters.values)}>
            <p>Expiring certificates, failing domains, unknown outcomes and failing acquirers appear here.</p>
          </Empty>
        }
      />
    </Page>
  )
}

function emptyTitle({ severity, kind, all }: Chosen): string {
  if (severity !== '' || kind !== '') return 'No alerts match the filters.'
  return all === 'true' ? 'No alerts.' : 'No open alerts.'
}
