/** Callbacks and the merchants' answers, newest first; one or many can be sent again. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { type Answer, call } from '../../api/call.ts'
import { type Merchants, useMerchants } from '../../api/merchants.ts'
import { usePages } from '../../api/use-pages.ts'
import { Status } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { type Column, DataTable } from '../../kit/data-table.tsx'
import { FilterBar } from '../../kit/form/filter-bar.tsx'
import { useFilters } from '../../kit/form/use-filters.ts'
import { Empty } from '../../kit/states.tsx'
import { toast, toastFault } from '../../kit/toasts.tsx'
import { DateTime } from '../../kit/values/date-time.tsx'
import { endOfDay, startOfDay } from '../../kit/values/instants.ts'
import { countSucceeded, WorkProgress } from '../../kit/work-progress.tsx'
import { Link } from '../../router/link.tsx'
import { mode } from '../../session/mode.ts'
import { may } from '../../session/session.ts'
import { eventOf } from './body.ts'
import { type Callback, CallbackDrawer, lastAnswer, titleOf } from './callback-drawer.tsx'
import { useAwaited } from './use-awaited.ts'

/** With the order of its payment. */
type CallbackRow = Answer<'GET /callbacks'>['callbacks'][number]

const pageSize = 50
const states = ['due', 'delivered', 'failed'] as const

export function CallbackLog(): JSX.Element {
  const filters = useFilters(['merchantId', 'state', 'paymentId', 'from', 'to'])
  const merchants = useMerchants()
  const open = useSignal<string | null>(null)
  const awaited = useAwaited()
  const chosen = useSignal<ReadonlySet<string>>(new Set())
  const { from, to, state, ...rest } = filters.values
  const test = mode.value === 'test' ? ('true' as const) : ('false' as const)
  const query = { ...rest, test, state: states.find((one) => one === state), from: startOfDay(from), to: endOfDay(to) }
  const list = usePages(
    'GET /callbacks',
    { query: { ...query, limit: pageSize } },
    {
      rows: ({ callbacks }) => callbacks,
      next: ({ next }) => (next === null ? null : { before: next }),
    },
  )
  const rows = list.rows.map(awaited.newest)
  const shown = rows.find(({ id }) => id === open.value)
  const choose = {
    chosen: chosen.value,
    onChange: (next: ReadonlySet<string>) => {
      chosen.value = next
    },
    label: (one: CallbackRow) => `Select ${titleOf(one)} ${one.paymentId}`,
  }
  const show = (one: CallbackRow): void => {
    open.value = one.id
  }
  return (
    <>
      <WorkProgress
        title="Resending callbacks"
        outcome={(work) => `${countSucceeded(work)} of ${work.total} callbacks were queued again.`}
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
            callbacks={rows.filter(({ id }) => chosen.value.has(id))}
            onDone={(sent) => {
              chosen.value = new Set()
              awaited.wait(sent)
            }}
          />
        )}
      </FilterBar>
      <DataTable
        caption="Callbacks"
        list={{ ...list, rows }}
        keyOf={({ id }) => id}
        columns={columnsOf(merchants, show)}
        {...(may('callbacks.resend') ? { choose } : {})}
        empty={
          <Empty
            title={
              filters.count > 0 ? `No ${mode.value} callbacks match these filters.` : `No ${mode.value} callbacks yet.`
            }
          >
            <p>A callback is created for every payment of a merchant with a notification address.</p>
          </Empty>
        }
      />
      {shown && (
        <CallbackDrawer
          callback={shown}
          onResent={() => awaited.wait([shown])}
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

const columnsOf = (merchants: Merchants, show: (one: CallbackRow) => void): readonly Column<CallbackRow>[] => [
  {
    title: 'Event',
    cell: ({ contentType, body, sequence }) => `${eventOf(contentType, body) ?? '—'} · ${sequence}`,
    whole: true,
  },
  { title: 'State', cell: ({ state }) => <Status of={state} /> },
  { title: 'Created', cell: ({ createdAt }) => <DateTime at={createdAt} seconds />, whole: true },
  {
    title: 'Order',
    cell: ({ merchantId, paymentId, orderId }) => (
      <Link to={`/merchants/${merchantId}/payments/${paymentId}`}>{orderId}</Link>
    ),
    cut: ({ orderId }) => orderId,
  },
  { title: 'Last response', cell: lastAnswer },
  {
    title: 'Merchant',
    cell: ({ merchantId }) => merchants.title(merchantId),
    cut: ({ merchantId }) => merchants.title(merchantId),
    minor: true,
  },
  { title: 'Address', cell: ({ url }) => url, cut: ({ url }) => url, minor: true, wide: true },
  {
    title: 'Actions',
    pinned: true,
    end: true,
    cell: (one) => (
      <Button small onClick={() => show(one)}>
        View
      </Button>
    ),
  },
]

interface ResendManyProps {
  readonly callbacks: readonly Callback[]
  readonly onDone: (sent: readonly Callback[]) => void
}

/** One request per merchant, because the API resends the callbacks of one merchant. */
function ResendMany(props: ResendManyProps): JSX.Element {
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
    toast(`${resent} of ${callbacks.length} callbacks were queued again.`)
    onDone(callbacks)
  }
  return (
    <Button kind="primary" icon="callback" busy={busy.value} onClick={() => void resend()}>
      Resend {callbacks.length}
    </Button>
  )
}
