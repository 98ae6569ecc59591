/** The capture queue: waiting holds, capturing many at once, and when each is captured automatically. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { type Merchants, useMerchants } from '../../api/merchants.ts'
import { useMidChoices } from '../../api/mids.ts'
import { usePages } from '../../api/use-pages.ts'
import { useReading } from '../../api/use-reading.ts'
import { Button } from '../../kit/button.tsx'
import { type Column, DataTable } from '../../kit/data-table.tsx'
import { FilterBar } from '../../kit/form/filter-bar.tsx'
import { useFilters } from '../../kit/form/use-filters.ts'
import { Page } from '../../kit/page.tsx'
import { Empty } from '../../kit/states.tsx'
import { DateTime } from '../../kit/values/date-time.tsx'
import { endOfDay, startOfDay } from '../../kit/values/instants.ts'
import { Money } from '../../kit/values/money.tsx'
import { countSucceeded, type Work, WorkProgress } from '../../kit/work-progress.tsx'
import { Link } from '../../router/link.tsx'
import { mode } from '../../session/mode.ts'
import { may } from '../../session/session.ts'
import { CaptureMany } from './capture-many.tsx'
import type { Hold, HoldFilter } from './hold.ts'
import { PlanDialog } from './plan-dialog.tsx'
import { Totals } from './totals.tsx'

const pageSize = 50

export function CapturesPage(): JSX.Element {
  const filters = useFilters(['merchantId', 'midId', 'currency', 'from', 'to', 'planned'])
  const merchants = useMerchants()
  const mids = useMidChoices()
  const planning = useSignal<Hold | null>(null)
  const chosen = useSignal<ReadonlySet<string>>(new Set())
  const filter = questionOf(filters.values)
  const totals = useReading('GET /captures/totals', { query: filter })
  const list = usePages(
    'GET /captures',
    { query: { ...filter, limit: pageSize } },
    {
      rows: ({ holds }) => holds,
      next: ({ holds }) => (holds.length < pageSize ? null : { after: holds.at(-1)?.id }),
    },
  )
  const reload = (): void => {
    chosen.value = new Set()
    list.reload()
    totals.reload()
  }
  const choose = {
    chosen: chosen.value,
    onChange: (next: ReadonlySet<string>) => {
      chosen.value = next
    },
    label: ({ orderId }: Hold) => `Select order ${orderId}`,
  }
  return (
    <Page
      title="Capture queue"
      actions={
        <CaptureMany
          chosen={list.rows.filter(({ id }) => chosen.value.has(id))}
          filter={filter}
          totals={totals.value?.totals ?? []}
        />
      }
    >
      <WorkProgress title="Capturing holds" outcome={outcomeOf} subject={subjectOf} onStep={reload} />
      <FilterBar
        filters={filters}
        fields={[
          { kind: 'choice', name: 'merchantId', label: 'Merchant', options: merchants.choices },
          ...(mids.choices.length > 0
            ? [{ kind: 'choice' as const, name: 'midId' as const, label: 'MID', options: mids.choices }]
            : []),
          { kind: 'text', name: 'currency', label: 'Currency', placeholder: 'EUR' },
          { kind: 'choice', name: 'planned', label: 'Automatic capture', options: plans },
          { kind: 'date', name: 'from', label: 'From' },
          { kind: 'date', name: 'to', label: 'To' },
        ]}
      />
      <Totals read={totals} />
      <DataTable
        caption="Holds waiting for capture"
        list={list}
        keyOf={({ id }) => id}
        columns={columnsOf(merchants, (hold) => {
          planning.value = hold
        })}
        {...(may('payments.capture') ? { choose } : {})}
        empty={
          <Empty title={filters.count > 0 ? 'No holds match these filters.' : `No ${mode.value} holds waiting.`}>
            <p>An authorised payment waits here until it is captured or released.</p>
          </Empty>
        }
      />
      {planning.value && (
        <PlanDialog
          hold={planning.value}
          onDone={reload}
          onClose={() => {
            planning.value = null
          }}
        />
      )}
    </Page>
  )
}

const plans = [
  { value: 'true', text: 'Yes' },
  { value: 'false', text: 'No' },
]

type Values = Readonly<Record<'merchantId' | 'midId' | 'currency' | 'from' | 'to' | 'planned', string>>

/** Without empty values, because the same filter is sent when all holds are captured. */
function questionOf({ from, to, currency, ...rest }: Values): HoldFilter {
  const query = {
    ...rest,
    currency: currency.toUpperCase(),
    from: startOfDay(from),
    to: endOfDay(to),
    test: String(mode.value === 'test'),
  }
  const entries = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  // Values chosen from a list belong to that list; the server validates typed ones.
  return Object.fromEntries(entries) as HoldFilter
}

function columnsOf(merchants: Merchants, plan: (hold: Hold) => void): readonly Column<Hold>[] {
  const columns: readonly Column<Hold>[] = [
    {
      title: 'Order',
      cell: ({ merchantId, id, orderId }) => <Link to={`/merchants/${merchantId}/payments/${id}`}>{orderId}</Link>,
    },
    {
      title: 'Held',
      end: true,
      cell: ({ authorisedMinor, currency, amountDecimals }) => (
        <Money minor={authorisedMinor} currency={currency} decimals={amountDecimals} />
      ),
    },
    { title: 'Merchant', cell: ({ merchantId }) => merchants.title(merchantId) },
    { title: 'MID', cell: ({ midName }) => midName, minor: true },
    { title: 'Since', cell: ({ createdAt }) => <DateTime at={createdAt} /> },
    {
      title: 'Automatic capture',
      cell: ({ captureAt }) => (captureAt === null ? <span class="faint">no</span> : <DateTime at={captureAt} />),
    },
  ]
  if (!may('payments.capture')) return columns
  const button: Column<Hold> = {
    title: 'Actions',
    end: true,
    cell: (hold) => (
      <Button small onClick={() => plan(hold)}>
        Plan
      </Button>
    ),
  }
  return [...columns, button]
}

const outcomeOf = (work: Work): string =>
  `${countSucceeded(work)} of ${work.total} holds were captured${work.failed === '0' ? '.' : `, ${work.failed} were not.`}`

/** The server names a payment by merchant id and payment id. */
function subjectOf(subject: string): JSX.Element {
  const [merchantId, paymentId] = subject.split(' ')
  return <Link to={`/merchants/${merchantId}/payments/${paymentId}`}>{paymentId}</Link>
}
