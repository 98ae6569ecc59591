/** Transactions whose outcome people have to decide, and money that has to be given back by hand. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useMerchants } from '../../api/merchants.ts'
import { usePages } from '../../api/use-pages.ts'
import { Button } from '../../kit/button.tsx'
import { DataTable } from '../../kit/data-table.tsx'
import { FilterBar } from '../../kit/form/filter-bar.tsx'
import { useFilters } from '../../kit/form/use-filters.ts'
import { Page } from '../../kit/page.tsx'
import { Empty } from '../../kit/states.tsx'
import { DateTime } from '../../kit/values/date-time.tsx'
import { Money } from '../../kit/values/money.tsx'
import { Link } from '../../router/link.tsx'
import { may } from '../../session/session.ts'
import { DecideDialog } from './decide-dialog.tsx'
import { OwedReturns } from './owed-returns.tsx'
import type { UnresolvedOutcome } from './unresolved.ts'

const pageSize = 50

export function UnresolvedPage(): JSX.Element {
  const filters = useFilters(['merchantId'])
  const merchants = useMerchants()
  const deciding = useSignal<UnresolvedOutcome | null>(null)
  const { merchantId } = filters.values
  const query = { limit: pageSize, ...(merchantId === '' ? {} : { merchantId }) }
  const list = usePages(
    'GET /unresolved',
    { query },
    {
      rows: ({ outcomes }) => outcomes,
      next: ({ outcomes }) => (outcomes.length < pageSize ? null : { after: outcomes.at(-1)?.transactionId }),
    },
  )
  return (
    <Page title="Unresolved">
      <FilterBar
        filters={filters}
        fields={[{ kind: 'choice', name: 'merchantId', label: 'Merchant', options: merchants.choices }]}
      />
      <DataTable
        caption="Transactions with an unknown outcome"
        list={list}
        keyOf={({ transactionId }) => transactionId}
        columns={[
          {
            title: 'Order',
            cell: ({ merchantId: merchant, paymentId, orderId }) => (
              <Link to={`/merchants/${merchant}/payments/${paymentId}`}>{orderId}</Link>
            ),
          },
          { title: 'Type', cell: ({ type }) => type },
          {
            title: 'Amount',
            end: true,
            cell: ({ amountMinor, currency, amountDecimals }) => (
              <Money minor={amountMinor} currency={currency} decimals={amountDecimals} />
            ),
          },
          { title: 'MID', cell: ({ midName, midId }) => midName ?? midId },
          { title: 'Merchant', cell: (one) => merchants.title(one.merchantId), minor: true },
          { title: 'Since', cell: ({ createdAt }) => <DateTime at={createdAt} /> },
          {
            title: 'Actions',
            end: true,
            cell: (one) => (
              <Decision
                approvalId={one.approvalId}
                onDecide={() => {
                  deciding.value = one
                }}
              />
            ),
          },
        ]}
        empty={
          <Empty title="No unresolved transactions.">
            <p>A transaction appears here when its acquirer was asked several times and did not report the outcome.</p>
          </Empty>
        }
      />
      <OwedReturns merchantId={merchantId} />
      {deciding.value && (
        <DecideDialog
          outcome={deciding.value}
          onDone={list.reload}
          onClose={() => {
            deciding.value = null
          }}
        />
      )}
    </Page>
  )
}

interface DecisionProps {
  readonly approvalId: string | null
  readonly onDecide: () => void
}

function Decision({ approvalId, onDecide }: DecisionProps): JSX.Element | null {
  if (approvalId !== null) return <Link to="/approvals?state=waiting">Waiting for approval</Link>
  if (!may('payments.decide')) return null
  return (
    <Button small onClick={onDecide}>
      Decide
    </Button>
  )
}
