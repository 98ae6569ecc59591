/** The plans of a merchant: their coming charges, and ending one. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { type Answer, call } from '../../api/call.ts'
import { usePages } from '../../api/use-pages.ts'
import { Status } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { type Column, DataTable } from '../../kit/data-table.tsx'
import { ConfirmDialog } from '../../kit/form/confirm-dialog.tsx'
import { FilterBar } from '../../kit/form/filter-bar.tsx'
import { useFilters } from '../../kit/form/use-filters.ts'
import { Section } from '../../kit/page.tsx'
import { Empty } from '../../kit/states.tsx'
import { toast } from '../../kit/toasts.tsx'
import { countText } from '../../kit/values/count-text.ts'
import { DateTime, Day } from '../../kit/values/date-time.tsx'
import { Money } from '../../kit/values/money.tsx'
import { Link } from '../../router/link.tsx'
import { may } from '../../session/session.ts'

type Subscription = Answer<'GET /merchants/:merchantId/subscriptions'>['subscriptions'][number]

const pageSize = 50

export function SubscriptionList({ merchantId }: { readonly merchantId: string }): JSX.Element {
  const filters = useFilters(['state', 'search'])
  const state =
    filters.values.state === 'running' || filters.values.state === 'ended' ? filters.values.state : undefined
  const ending = useSignal<Subscription | null>(null)
  const list = usePages(
    'GET /merchants/:merchantId/subscriptions',
    {
      params: { merchantId },
      query: { limit: pageSize, search: filters.values.search || undefined, ...(state ? { state } : {}) },
    },
    {
      rows: ({ subscriptions }) => subscriptions,
      next: ({ subscriptions }) => {
        const last = subscriptions.at(-1)
        return last && subscriptions.length === pageSize ? { before: last.id } : null
      },
    },
  )
  return (
    <Section title="Plans">
      <FilterBar
        filters={filters}
        fields={[
          { kind: 'text', name: 'search', label: 'Order, e-mail or name' },
          { kind: 'choice', name: 'state', label: 'State', options: states },
        ]}
      />
      <DataTable
        caption="Plans"
        list={list}
        keyOf={({ id }) => id}
        columns={columnsOf(merchantId, (one) => {
          ending.value = one
        })}
        empty={
          <Empty title={filters.count > 0 ? 'No plans match these filters.' : 'No plans yet.'}>
            <p>A payment with a schedule starts a plan.</p>
          </Empty>
        }
      />
      {ending.value && (
        <EndDialog
          merchantId={merchantId}
          subscription={ending.value}
          onClose={() => {
            ending.value = null
          }}
          onDone={list.reload}
        />
      )}
    </Section>
  )
}

const states = [
  { value: 'running', text: 'Running' },
  { value: 'ended', text: 'Ended' },
]

function columnsOf(merchantId: string, end: (subscription: Subscription) => void): readonly Column<Subscription>[] {
  const columns: readonly Column<Subscription>[] = [
    {
      title: 'Order',
      cell: ({ startedBy, orderId }) => <Link to={`/merchants/${merchantId}/payments/${startedBy}`}>{orderId}</Link>,
      cut: ({ orderId }) => orderId,
    },
    {
      title: 'Payer',
      cell: ({ payerName, payerEmail }) => payerEmail ?? payerName ?? '—',
      cut: ({ payerName, payerEmail }) => [payerName, payerEmail].filter(Boolean).join(', '),
    },
    { title: 'Schedule', cell: ({ schedule }) => schedule ?? '—', cut: ({ schedule }) => schedule },
    {
      title: 'Amount',
      cell: ({ amountMinor, currency, amountDecimals }) => (
        <Money minor={amountMinor} currency={currency} decimals={amountDecimals} />
      ),
      end: true,
    },
    { title: 'State', cell: ({ state, endedReason }) => <StateOf state={state} reason={endedReason} /> },
    { title: 'Next charge', cell: ({ nextDate }) => <Day of={nextDate} />, whole: true },
    { title: 'Payments left', cell: ({ paymentsLeft }) => countText(paymentsLeft), end: true },
    { title: 'Started', cell: ({ createdAt }) => <DateTime at={createdAt} />, minor: true },
  ]
  if (!may('schedules.write')) return columns
  const button: Column<Subscription> = {
    title: 'Actions',
    cell: (one) =>
      one.state === 'running' && (
        <Button small kind="danger" onClick={() => end(one)}>
          End
        </Button>
      ),
    end: true,
  }
  return [...columns, button]
}

const StateOf = ({ state, reason }: { readonly state: string; readonly reason: string | null }): JSX.Element => (
  <>
    <Status of={state} /> {reason && <span class="faint">{reason}</span>}
  </>
)

interface EndDialogProps {
  readonly merchantId: string
  readonly subscription: Subscription
  readonly onClose: () => void
  readonly onDone: () => void
}

function EndDialog({ merchantId, subscription: { id, paymentsLeft }, onClose, onDone }: EndDialogProps): JSX.Element {
  return (
    <ConfirmDialog
      title="End plan?"
      act="End"
      danger
      onClose={onClose}
      onConfirm={async () => {
        const params = { merchantId, subscriptionId: id }
        const result = await call('POST /merchants/:merchantId/subscriptions/:subscriptionId/end', { params, body: {} })
        if (result.ok) {
          toast('Plan ended.')
          onDone()
        }
        return result
      }}
    >
      <p>
        {paymentsLeft} {paymentsLeft === 1 ? 'payment' : 'payments'} will not be charged. An ended plan cannot be
        restarted; the payer must pay again.
      </p>
    </ConfirmDialog>
  )
}
