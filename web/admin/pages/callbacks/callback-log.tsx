/** What was sent to merchants and what they answered, newest first; one or many are sent again. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { call } from '../../api/call.ts'
import { type Merchants, useMerchants } from '../../api/merchants.ts'
import { usePages } from '../../api/use-pages.ts'
import { Status } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { type Column, DataTable } from '../../kit/data-table.tsx'
import { DateTime } from '../../kit/date-time.tsx'
import { FilterBar } from '../../kit/filter-bar.tsx'
import { endOfDay, startOfDay } from '../../kit/instants.ts'
import { Empty } from '../../kit/states.tsx'
import { toast, toastFault } from '../../kit/toasts.tsx'
import { useFilters } from '../../kit/use-filters.ts'
import { succeeded, WorkProgress } from '../../kit/work-progress.tsx'
import { may } from '../../session/session.ts'
import { eventOf } from './body.ts'
import { type Callback, CallbackDrawer, titleOf } from './callback-drawer.tsx'

const pageSize = 50
const states = ['due', 'delivered', 'failed'] as const

export function CallbackLog(): JSX.Element {
  const filters = useFilters(['merchantId', 'state', 'paymentId', 'from', 'to'])
  const merchants = useMerchants()
  const open = useSignal<Callback | null>(null)
  const chosen = useSignal<ReadonlySet<string>>(new Set())
  const { from, to, state, ...rest } = filters.values
  const query = { ...rest, state: states.find((one) => one === state), from: startOfDay(from), to: endOfDay(to) }
  const list = usePages(
    'GET /callbacks',
    { query: { ...query, limit: pageSize } },
    {
      rows: ({ callbacks }) => callbacks,
      next: ({ callbacks }) => (callbacks.length < pageSize ? null : { before: callbacks.at(-1)?.id }),
    },
  )
  const choose = {
    chosen: chosen.value,
    onChange: (next: ReadonlySet<string>) => {
      chosen.value = next
    },
    label: (one: Callback) => `Choose ${titleOf(one)} ${one.paymentId}`,
  }
  const show = (one: Callback): void => {
    open.value = one
  }
  return (
    <>
      <WorkProgress
        title="Sending callbacks again"
        outcome={(work) => `${succeeded(work)} of ${work.total} callbacks are on their way again.`}
        onStep={list.reload}
      />
      <FilterBar
        filters={filters}
        fields={[
          { kind: 'choice', name: 'merchantId', label: 'Merchant', options: merchants.choices },
          { kind: 'choice', name: 'state', label: 'State', options: stateChoices },
          { kind: 'text', name: 'paymentId', label: 'Transaction id' },
          { kind: 'date', name: 'from', label: 'From' },
          { kind: 'date', name: 'to', label: 'To' },
        ]}
      >
        {chosen.value.size > 0 && (
          <ResendMany
            callbacks={list.rows.filter(({ id }) => chosen.value.has(id))}
            onDone={() => {
              chosen.value = new Set()
              list.reload()
            }}
          />
        )}
      </FilterBar>
      <DataTable
        caption="Callbacks"
        list={list}
        keyOf={({ id }) => id}
        columns={columnsOf(merchants, show)}
        {...(may('callbacks.resend') ? { choose } : {})}
        empty={
          <Empty title={filters.count > 0 ? 'No callback fits these filters.' : 'No callbacks yet.'}>
            <p>Every payment of a merchant with a notification address makes one.</p>
          </Empty>
        }
      />
      {open.value && (
        <CallbackDrawer
          callback={open.value}
          onResent={list.reload}
          onClose={() => {
            open.value = null
          }}
        />
      )}
    </>
  )
}

const stateChoices = [
  { value: 'failed', text: 'Failed' },
  { value: 'due', text: 'Waiting' },
  { value: 'delivered', text: 'Delivered' },
]

const columnsOf = (merchants: Merchants, show: (one: Callback) => void): readonly Column<Callback>[] => [
  {
    title: 'Event',
    cell: ({ contentType, body, sequence }) => `${eventOf(contentType, body) ?? '—'} · ${sequence}`,
    whole: true,
  },
  { title: 'State', cell: ({ state }) => <Status of={state} /> },
  { title: 'Last answer', cell: lastAnswer },
  { title: 'Merchant', cell: ({ merchantId }) => merchants.title(merchantId) },
  { title: 'Address', cell: ({ url }) => url, minor: true },
  { title: 'Made', cell: ({ createdAt }) => <DateTime at={createdAt} seconds />, whole: true },
  {
    title: 'Actions',
    end: true,
    cell: (one) => (
      <Button small onClick={() => show(one)}>
        Look at it
      </Button>
    ),
  },
]

function lastAnswer({ attempts }: Callback): string {
  const last = attempts.at(-1)
  if (!last) return 'not sent yet'
  const told = last.fault ?? `HTTP ${last.httpStatus}`
  return attempts.length === 1 ? told : `${told} (${attempts.length} attempts)`
}

/** Merchant by merchant, because each is asked for on its own. */
function ResendMany(props: { readonly callbacks: readonly Callback[]; readonly onDone: () => void }): JSX.Element {
  const { callbacks, onDone } = props
  const busy = useSignal(false)
  const resend = async (): Promise<void> => {
    busy.value = true
    let resent = 0
    for (const merchantId of new Set(callbacks.map((one) => one.merchantId))) {
      const own = callbacks.filter((one) => one.merchantId === merchantId)
      const body = { ids: own.map(({ id }) => id) }
      const result = await call('POST /merchants/:merchantId/callbacks/resend', { params: { merchantId }, body })
      if (result.ok) resent += result.value.resent
      else toastFault(result.fault)
    }
    busy.value = false
    toast(`${resent} of ${callbacks.length} callbacks are on their way again.`)
    onDone()
  }
  return (
    <Button kind="primary" icon="callback" busy={busy.value} onClick={() => void resend()}>
      Send {callbacks.length} again
    </Button>
  )
}
