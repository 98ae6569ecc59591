/** Requests that wait for a second person: who asked, why, and the answer. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useMerchants } from '../../api/merchants.ts'
import { usePages } from '../../api/use-pages.ts'
import { Badge, Status } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { DataTable } from '../../kit/data-table.tsx'
import { FilterBar } from '../../kit/form/filter-bar.tsx'
import { useFilters } from '../../kit/form/use-filters.ts'
import { Page } from '../../kit/page.tsx'
import { Empty } from '../../kit/states.tsx'
import { DateTime } from '../../kit/values/date-time.tsx'
import { type Approval, merchantText, requesterText } from './approval.ts'
import { ApprovalDrawer } from './approval-drawer.tsx'

const states = ['waiting', 'approved', 'done', 'refused', 'withdrawn', 'failed'] as const
const pageSize = 50

// biome-ignore format: a table is read in columns.
const words: Readonly<Record<Approval['kind'], string>> = {
  'refund':          'Refund above the limit',
  'password-reveal': 'Show a merchant’s password',
  'routing-publish': 'Publish routing rules',
  'outcome':         'Decide an unknown outcome',
  'give-back':       'Record a manual refund',
  'payout-run':      'Payout run',
  'correction':      'Correct what a merchant is owed',
  'payout-account':  'Change a merchant’s bank account',
  'difference':      'Resolve a settlement difference',
  'factor-reset':    'Reset a second factor',
}

export function ApprovalsPage(): JSX.Element {
  const filters = useFilters(['state'])
  const merchants = useMerchants()
  const open = useSignal<Approval | null>(null)
  const state = states.find((one) => one === filters.values.state)
  const list = usePages(
    'GET /approvals',
    { query: { state, limit: pageSize } },
    {
      rows: ({ approvals }) => approvals,
      next: ({ approvals }) => (approvals.length < pageSize ? null : { before: approvals.at(-1)?.id }),
    },
  )
  return (
    <Page title="Approvals">
      <FilterBar
        filters={filters}
        fields={[
          { kind: 'choice', name: 'state', label: 'State', options: states.map((one) => ({ value: one, text: one })) },
        ]}
      />
      <DataTable
        caption="Approval requests"
        list={list}
        keyOf={({ id }) => id}
        columns={[
          { title: 'Request', cell: ({ kind }) => words[kind] },
          {
            title: 'State',
            cell: (one) => (one.isLeft ? <Badge tone="warn">not carried out</Badge> : <Status of={one.state} />),
          },
          { title: 'Merchant', cell: (one) => merchantText(one, merchants.title) },
          { title: 'Requested by', cell: (one) => requesterText(one) },
          { title: 'Requested', cell: ({ askedAt }) => <DateTime at={askedAt} /> },
          { title: 'Reason', cell: ({ reason }) => reason, minor: true },
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
                View
              </Button>
            ),
          },
        ]}
        empty={
          <Empty title={emptyTitle(state)}>
            <p>
              Large refunds, payout runs, changed bank accounts, routing rules and requests to see a password need the
              approval of a second person.
            </p>
          </Empty>
        }
      />
      {open.value && (
        <ApprovalDrawer
          approval={open.value}
          title={words[open.value.kind]}
          merchant={merchantText(open.value, merchants.title)}
          onChanged={list.reload}
          onClose={() => {
            open.value = null
          }}
        />
      )}
    </Page>
  )
}

function emptyTitle(state: (typeof states)[number] | undefined): string {
  if (state === undefined) return 'No requests.'
  return state === 'waiting' ? 'No requests are waiting for approval.' : `No ${state} requests.`
}
