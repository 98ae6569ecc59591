/** Payout runs: prepared by one person, approved by another, exported for the bank and marked paid. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { usePages } from '../../api/use-pages.ts'
import { Badge } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { DataTable } from '../../kit/data-table.tsx'
import { useFilters } from '../../kit/form/use-filters.ts'
import { Page } from '../../kit/page.tsx'
import { Empty } from '../../kit/states.tsx'
import { DateTime, Day } from '../../kit/values/date-time.tsx'
import { Money } from '../../kit/values/money.tsx'
import { may } from '../../session/session.ts'
import { BankDialog } from './bank-dialog.tsx'
import { PrepareDialog } from './prepare-dialog.tsx'
import { stateTexts, stateTones } from './run.ts'
import { RunDrawer } from './run-drawer.tsx'

const pageSize = 50

export function PayoutRunsPage(): JSX.Element {
  const open = useSignal<'prepare' | 'bank' | null>(null)
  // In the address, so that other pages link to a run.
  const filters = useFilters(['runId'])
  const close = (): void => {
    open.value = null
  }
  const list = usePages(
    'GET /payout-runs',
    { query: { limit: pageSize } },
    {
      rows: ({ runs }) => runs,
      next: ({ runs }) => (runs.length < pageSize ? null : { before: runs.at(-1)?.id }),
    },
  )
  const show = (what: 'prepare' | 'bank') => (): void => {
    open.value = what
  }
  const number = new Intl.NumberFormat()
  return (
    <Page
      title="Payout runs"
      actions={
        may('payouts.write') && (
          <>
            <Button onClick={show('bank')}>Import bank statement</Button>
            <Button kind="primary" onClick={show('prepare')}>
              Prepare run
            </Button>
          </>
        )
      }
    >
      <DataTable
        caption="Payout runs"
        list={list}
        keyOf={({ id }) => id}
        columns={[
          { title: 'State', cell: ({ state }) => <Badge tone={stateTones[state]}>{stateTexts[state]}</Badge> },
          {
            title: 'Total',
            end: true,
            cell: ({ totalMinor, currency, decimals }) => (
              <Money minor={totalMinor} currency={currency} decimals={decimals} />
            ),
          },
          { title: 'Paid', end: true, cell: ({ paid, items }) => `${number.format(paid)} of ${number.format(items)}` },
          { title: 'Execution', cell: ({ executeOn }) => <Day of={executeOn} /> },
          { title: 'Prepared', cell: ({ madeAt }) => <DateTime at={madeAt} />, minor: true },
          { title: 'By', cell: ({ madeBy }) => madeBy, minor: true },
          {
            title: 'Actions',
            end: true,
            cell: (run) => (
              <Button small onClick={() => filters.set({ runId: run.id })}>
                Details
              </Button>
            ),
          },
        ]}
        empty={
          <Empty title="No payout runs.">
            <p>Close statements, enter the bank accounts of merchants under Price lists, then prepare a run.</p>
          </Empty>
        }
      />
      {open.value === 'prepare' && <PrepareDialog onDone={list.reload} onClose={close} />}
      {open.value === 'bank' && <BankDialog onDone={list.reload} onClose={close} />}
      {filters.values.runId !== '' && (
        <RunDrawer
          key={filters.values.runId}
          runId={filters.values.runId}
          onChanged={list.reload}
          onClose={filters.clear}
        />
      )}
    </Page>
  )
}
