/** Requests that wait for a second person: who asked, why, and the answer. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { textAt } from '../../api/call.ts'
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
import { type Approval, isOwn, mayDecide, merchantText, requesterText } from './approval.ts'
import { ApprovalDrawer } from './approval-drawer.tsx'
import { StateBadge } from './state-badge.tsx'
import { approvalStates } from './states.ts'

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
  'dispute':         'Decide a dispute',
  'difference':      'Resolve a settlement difference',
  'factor-reset':    'Reset a second factor',
  'user-rights':     'Give a user rights',
}

export function ApprovalsPage(): JSX.Element {
  const filters = useFilters(['state'])
  const merchants = useMerchants()
  const open = useSignal<Approval | null>(null)
  const state = approvalStates.find(({ value }) => value === filters.values.state)
  const list = usePages(
    'GET /approvals',
    { query: { state: state?.value, limit: pageSize } },
    {
      rows: ({ approvals }) => approvals,
      next: ({ approvals }) => (approvals.length < pageSize ? null : { before: approvals.at(-1)?.id }),
    },
  )
  return (
    <Page title="Approvals">
      <FilterBar
        filters={filters}
        fields={[{ kind: 'choice', name: 'state', label: 'State', options: approvalStates }]}
      />
      <DataTable
        caption="Approval requests"
        list={list}
        keyOf={({ id }) => id}
        columns={[
          { title: 'Request', cell: ({ kind }) => words[kind] },
          { title: 'State', cell: (one) => <StateBadge of={one} /> },
          { title: 'You may approve', cell: approvableText, minor: true },
          { title: 'Merchant', cell: (one) => merchantText(one, merchants.title) },
          { title: 'Requested by', cell: (one) => requesterText(one) },
          { title: 'Requested', cell: ({ askedAt }) => <DateTime at={askedAt} /> },
          { title: 'Total', end: true, cell: totalOf },
          { title: 'Reason', cell: ({ reason }) => reason },
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
          <Empty title={emptyTitle(state?.value)}>
            <p>
              Large refunds, payout runs, changed bank accounts, routing rules, requests to see a password and accounts
              that may approve need the approval of a second person.
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

/** The reason is in the drawer. */
function approvableText(one: Approval): JSX.Element | string {
  if (one.state !== 'waiting') return '—'
  if (one.obstacle === null) return mayDecide(one) && !isOwn(one) ? 'yes' : 'no'
  return (
    <>
      not until <DateTime at={one.obstacle.until} />
    </>
  )
}

/** Of a payout run, as it was when it was prepared. Stored as text with all decimals of the currency: `1234567.89 EUR`. */
function totalOf({ kind, request }: Approval): JSX.Element | string {
  const [amount = '', currency = ''] = kind === 'payout-run' ? textAt(request, 'total').split(' ') : []
  return amount === '' ? '—' : <Money minor={amount.replace('.', '')} currency={currency} />
}

function emptyTitle(state: Approval['state'] | 'left' | undefined): string {
  if (state === undefined) return 'No requests.'
  if (state === 'waiting') return 'No requests are waiting for approval.'
  return state === 'left' ? 'Every approved request was completed.' : `No ${state} requests.`
}
