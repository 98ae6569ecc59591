/** The newest refused requests of the selected mode; a drawer explains one. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useMerchants } from '../../api/merchants.ts'
import { usePages } from '../../api/use-pages.ts'
import { Button } from '../../kit/button.tsx'
import { DataTable } from '../../kit/data-table.tsx'
import { FilterBar } from '../../kit/form/filter-bar.tsx'
import { useFilters } from '../../kit/form/use-filters.ts'
import { Empty } from '../../kit/states.tsx'
import { DateTime } from '../../kit/values/date-time.tsx'
import { mode } from '../../session/mode.ts'
import { type RefusedRequest, reasonsOf } from './refused-request.ts'
import { RequestDrawer } from './request-drawer.tsx'

const pageSize = 50

export function RefusedRequests(): JSX.Element {
  const filters = useFilters(['merchantId', 'orderId', 'requestId'])
  const merchants = useMerchants()
  const open = useSignal<RefusedRequest | null>(null)
  const list = usePages(
    'GET /refused-requests',
    { query: { ...filters.values, mode: mode.value, limit: pageSize } },
    {
      rows: ({ requests }) => requests,
      next: ({ requests }) => (requests.length < pageSize ? null : { before: requests.at(-1)?.id }),
    },
  )
  return (
    <>
      <FilterBar
        filters={filters}
        fields={[
          { kind: 'choice', name: 'merchantId', label: 'Merchant', options: merchants.choices },
          { kind: 'text', name: 'orderId', label: 'Order' },
          { kind: 'text', name: 'requestId', label: 'X-Request-Id' },
        ]}
      />
      <DataTable
        caption="Refused requests"
        list={list}
        keyOf={({ id }) => id}
        columns={[
          { title: 'Request', cell: ({ action }) => action ?? 'Unknown action', whole: true },
          { title: 'Order', cell: ({ orderId }) => orderId ?? '—', whole: true },
          { title: 'Reason', cell: ({ refusal }) => reasonsOf(refusal)[0] },
          { title: 'Merchant', cell: ({ merchantId }) => merchants.title(merchantId) },
          { title: 'When', cell: ({ at }) => <DateTime at={at} seconds />, whole: true },
          {
            title: 'Actions',
            end: true,
            cell: (one) => (
              <Button
                small
                onClick={() => {
                  open.value = one
                }}
              >
                Explain
              </Button>
            ),
          },
        ]}
        empty={
          <Empty
            title={
              filters.count > 0
                ? `No refused ${mode.value} requests match these filters.`
                : `No ${mode.value} requests were refused.`
            }
          >
            <p>
              The last 200 refused requests of each merchant are stored for seven days. A request with an unknown key is
              not among them.
            </p>
          </Empty>
        }
      />
      {open.value && (
        <RequestDrawer
          request={open.value}
          merchant={merchants.title(open.value.merchantId)}
          onClose={() => {
            open.value = null
          }}
        />
      )}
    </>
  )
}
