/** Closed statements per merchant and currency, as PDF and CSV; and how a period is closed. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useMerchants } from '../../api/merchants.ts'
import { type Pages, usePages } from '../../api/use-pages.ts'
import { Button } from '../../kit/button.tsx'
import { DataTable } from '../../kit/data-table.tsx'
import { FilterBar } from '../../kit/form/filter-bar.tsx'
import { useFilters } from '../../kit/form/use-filters.ts'
import { Page } from '../../kit/page.tsx'
import { Empty } from '../../kit/states.tsx'
import { Day } from '../../kit/values/date-time.tsx'
import { Money } from '../../kit/values/money.tsx'
import { may } from '../../session/session.ts'
import { CloseDialog } from './close-dialog.tsx'
import { otherMovements, type Statement } from './statement.ts'
import { StatementDrawer } from './statement-drawer.tsx'

const pageSize = 50

export function StatementsPage(): JSX.Element {
  const filters = useFilters(['merchantId'])
  const merchants = useMerchants()
  const isClosing = useSignal(false)
  const shown = useSignal<Statement | null>(null)
  const { merchantId } = filters.values
  const list = usePages(
    'GET /statements',
    { query: { limit: pageSize, ...(merchantId === '' ? {} : { merchantId }) } },
    {
      rows: ({ statements }) => statements,
      next: ({ statements }) => (statements.length < pageSize ? null : { before: statements.at(-1)?.id }),
    },
  )
  const close = may('payouts.write') && (
    <Button
      kind="primary"
      onClick={() => {
        isClosing.value = true
      }}
    >
      Close period
    </Button>
  )
  return (
    <Page title="Statements" actions={close}>
      <FilterBar
        filters={filters}
        fields={[{ kind: 'choice', name: 'merchantId', label: 'Merchant', options: merchants.choices }]}
      />
      <StatementTable
        list={list}
        onShow={(one) => {
          shown.value = one
        }}
      />
      {isClosing.value && (
        <CloseDialog
          onDone={list.reload}
          onClose={() => {
            isClosing.value = false
          }}
        />
      )}
      {shown.value && (
        <StatementDrawer
          statement={shown.value}
          onClose={() => {
            shown.value = null
          }}
        />
      )}
    </Page>
  )
}

interface StatementTableProps {
  readonly list: Pages<Statement>
  readonly onShow: (statement: Statement) => void
}

function StatementTable({ list, onShow }: StatementTableProps): JSX.Element {
  const money = (of: (one: Statement) => string) => (one: Statement) => (
    <Money minor={of(one)} currency={one.currency} decimals={one.decimals} />
  )
  return (
    <DataTable
      caption="Statements"
      list={list}
      keyOf={({ id }) => id}
      columns={[
        { title: 'Merchant', cell: ({ merchantTitle }) => merchantTitle },
        { title: 'From', cell: ({ firstDay }) => <Day of={firstDay} /> },
        { title: 'To', cell: ({ lastDay }) => <Day of={lastDay} /> },
        { title: 'Opening', end: true, minor: true, cell: money(({ openingMinor }) => openingMinor) },
        { title: 'Sales', end: true, cell: money(({ salesMinor }) => salesMinor) },
        { title: 'Other movements', end: true, cell: money(otherMovements) },
        { title: 'Closing', end: true, cell: money(({ closingMinor }) => closingMinor) },
        {
          title: 'Actions',
          end: true,
          cell: (one) => (
            <Button small onClick={() => onShow(one)}>
              Details
            </Button>
          ),
        },
      ]}
      empty={
        <Empty title="No statements.">
          <p>Close a period: each merchant with transactions gets a statement per currency.</p>
        </Empty>
      }
    />
  )
}
