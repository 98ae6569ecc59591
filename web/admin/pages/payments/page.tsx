/** Transactions: search with filters, saved filters, and export of the result. */
import type { JSX } from 'preact'
import { useBrandCodes } from '../../api/brands.ts'
import type { Answer, Query } from '../../api/call.ts'
import { type Merchants, useMerchants } from '../../api/merchants.ts'
import { useMidChoices } from '../../api/mids.ts'
import { usePages } from '../../api/use-pages.ts'
import { Badge, Status } from '../../kit/badge.tsx'
import { ButtonLink } from '../../kit/button.tsx'
import { useColumnChoice } from '../../kit/column-choice.tsx'
import { DataAge } from '../../kit/data-age.tsx'
import { type Column, DataTable } from '../../kit/data-table.tsx'
import { FilterBar } from '../../kit/form/filter-bar.tsx'
import { SavedFilters } from '../../kit/form/saved-filters.tsx'
import { useFilters } from '../../kit/form/use-filters.ts'
import { May } from '../../kit/may.tsx'
import { Page } from '../../kit/page.tsx'
import { amountRank } from '../../kit/sorted-rows.ts'
import { Empty, Notice } from '../../kit/states.tsx'
import { DateTime, Day } from '../../kit/values/date-time.tsx'
import { Money } from '../../kit/values/money.tsx'
import { mode } from '../../session/mode.ts'
import { ExportButton } from './export.tsx'
import { filterFields, filterNames, kindText, questionOf } from './filters.ts'
import { methodText } from './method.ts'
import { SearchBox } from './search-box.tsx'

type Payment = Answer<'GET /payments'>['payments'][number]

const pageSize = 50

export function PaymentsPage(): JSX.Element {
  const filters = useFilters(filterNames)
  const merchants = useMerchants()
  const mids = useMidChoices()
  const question = questionOf(filters.values, mode.value)
  const brands = useBrandCodes()
  const columns = useColumnChoice('payments', columnsOf(merchants))
  const fields = filterFields({
    merchants: merchants.choices,
    mids: mids.choices,
    connectors: mids.connectors,
    brands,
    cardId: filters.values.cardId,
  })
  return (
    <Page
      title="Transactions"
      actions={
        question.ok && (
          <May use="payments.export">
            <ExportButton filter={question.query} />
          </May>
        )
      }
    >
      <SearchBox value={filters.values.q} onChange={(q) => filters.set({ q })} />
      <FilterBar filters={filters} fields={fields}>
        <SavedFilters page="payments" filters={filters} />
        {columns.menu}
      </FilterBar>
      <DataAge />
      {question.ok ? (
        <PaymentList query={question.query} columns={columns.columns} isFiltered={filters.count > 0} />
      ) : (
        <Notice tone="warn">
          {question.texts.map((text) => (
            <p key={text}>{text}</p>
          ))}
        </Notice>
      )}
    </Page>
  )
}

interface PaymentListProps {
  readonly query: Query<'GET /payments'>
  readonly columns: readonly Column<Payment>[]
  readonly isFiltered: boolean
}

function PaymentList({ query, columns, isFiltered }: PaymentListProps): JSX.Element {
  const list = usePages(
    'GET /payments',
    { query: { ...query, limit: pageSize } },
    {
      rows: ({ payments }) => payments,
      next: ({ payments }) => (payments.length < pageSize ? null : { before: payments.at(-1)?.id }),
    },
  )
  return (
    <DataTable
      caption="Payments"
      list={list}
      keyOf={({ id }) => id}
      linkOf={({ merchantId, id }) => `/merchants/${merchantId}/payments/${id}`}
      columns={columns}
      empty={<NothingFound isFiltered={isFiltered} />}
    />
  )
}

const columnsOf = (merchants: Merchants): readonly Column<Payment>[] => [
  { title: 'Order', cell: ({ orderId }) => orderId, cut: ({ orderId }) => orderId, sort: ({ orderId }) => orderId },
  { title: 'Status', cell: (payment) => <PaymentStatus payment={payment} />, sort: ({ status }) => status },
  {
    title: 'Amount',
    end: true,
    cell: ({ amountMinor, currency, amountDecimals }) => (
      <Money minor={amountMinor} currency={currency} decimals={amountDecimals} />
    ),
    sort: ({ amountMinor, amountDecimals }) => amountRank(amountMinor, amountDecimals),
  },
  { title: 'Payment method', cell: (payment) => <PaidWith payment={payment} /> },
  {
    title: 'Merchant',
    cell: ({ merchantId }) => merchants.title(merchantId),
    sort: ({ merchantId }) => merchants.title(merchantId),
  },
  {
    title: 'MID',
    cell: ({ midName }) => midName ?? '—',
    cut: ({ midName }) => midName,
    minor: true,
    sort: ({ midName }) => midName,
  },
  {
    title: 'Created',
    cell: ({ createdAt }) => <DateTime at={createdAt} />,
    whole: true,
    sort: ({ createdAt }) => Date.parse(createdAt),
  },
  ...sums.map(([title, minorOf]) => sumColumn(title, minorOf)),
  { title: 'Kind', cell: ({ kind }) => kindText(kind), extra: true, sort: ({ kind }) => kind },
  { title: 'Protocol', cell: ({ protocol }) => protocol, extra: true, sort: ({ protocol }) => protocol },
  { title: 'Financial day', cell: ({ financialDay }) => <Day of={financialDay} />, extra: true, whole: true },
  { title: 'Transaction id', cell: ({ id }) => <code>{id}</code>, cut: ({ id }) => id, extra: true },
]

const sums = [
  ['Captured', ({ capturedMinor }: Payment) => capturedMinor],
  ['Refunded', ({ refundedMinor }: Payment) => refundedMinor],
  ['Charged back', ({ chargedBackMinor }: Payment) => chargedBackMinor],
] as const

const sumColumn = (title: string, minorOf: (payment: Payment) => string): Column<Payment> => ({
  title,
  end: true,
  extra: true,
  cell: (payment) => <Money minor={minorOf(payment)} currency={payment.currency} decimals={payment.amountDecimals} />,
  sort: (payment) => amountRank(minorOf(payment), payment.amountDecimals),
})

/** An order that was tried at several MIDs has one row per attempt. */
const isOfCascade = ({ attempt, cascading }: Payment): boolean => attempt > 1 || cascading !== null

const PaymentStatus = ({ payment }: { readonly payment: Payment }): JSX.Element => (
  <span class="fate upright">
    <span class="badges">
      <Status of={payment.status} />
      {payment.test && <Badge tone="warn">test</Badge>}
      {isOfCascade(payment) && <span class="faint">attempt {payment.attempt}</span>}
    </span>
    {payment.declineReason && <span class="faint">{payment.declineReason}</span>}
  </span>
)

const PaidWith = ({ payment }: { readonly payment: Payment }): JSX.Element => (
  <span class="fate upright">
    <span>{methodText(payment)}</span>
    {payment.payerEmail && (
      <span class="faint cut" title={payment.payerEmail}>
        {payment.payerEmail}
      </span>
    )}
  </span>
)

const NothingFound = ({ isFiltered }: { readonly isFiltered: boolean }): JSX.Element => (
  <Empty title={isFiltered ? 'No payments match these filters.' : `No ${mode.value} payments yet.`}>
    <p>
      {isFiltered
        ? 'Remove a filter or a word of the search, or switch between live and test.'
        : 'Payments appear here when a merchant sends the first one.'}
    </p>
    <May use="wallets.read">
      <p>Refused wallet tokens create no payment and are listed separately.</p>
      <ButtonLink to="/refused-tokens">Refused wallet tokens</ButtonLink>
    </May>
  </Empty>
)
