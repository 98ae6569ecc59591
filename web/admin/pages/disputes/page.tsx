/** Disputes with their deadlines; each opens with its answer and its evidence. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { disputeStages } from '#domain/dispute/dispute.ts'
import { useMerchants } from '../../api/merchants.ts'
import { usePages } from '../../api/use-pages.ts'
import { Button } from '../../kit/button.tsx'
import { DataTable } from '../../kit/data-table.tsx'
import { FilterBar } from '../../kit/form/filter-bar.tsx'
import { useFilters } from '../../kit/form/use-filters.ts'
import { Page } from '../../kit/page.tsx'
import { Empty } from '../../kit/states.tsx'
import { Tabs } from '../../kit/tabs.tsx'
import { DateTime, Day } from '../../kit/values/date-time.tsx'
import { Money } from '../../kit/values/money.tsx'
import { may } from '../../session/session.ts'
import { answerText, type Dispute, stageTexts } from './dispute.ts'
import { DisputeDrawer } from './dispute-drawer.tsx'
import { DisputeRates } from './dispute-rates.tsx'
import { PaymentLink } from './payment-link.tsx'
import { StageBadge } from './stage-badge.tsx'

const pageSize = 50

const stageChoices = disputeStages.map((value) => ({ value, text: stageTexts[value][0] }))
const shownChoice = {
  kind: 'choice',
  name: 'all',
  label: 'Shown',
  any: 'Open',
  options: [{ value: 'true', text: 'All' }],
} as const

/** The schemes watch a MID, whosever payments it takes: rates are for the people who may see all merchants. */
export const DisputesPage = (): JSX.Element => (
  <Page title="Disputes">
    {may('settlements.read') ? (
      <Tabs
        label="Disputes"
        tabs={[
          { name: 'list', title: 'Disputes', content: () => <DisputeList /> },
          { name: 'rates', title: 'Rates', content: () => <DisputeRates /> },
        ]}
      />
    ) : (
      <DisputeList />
    )}
  </Page>
)

function DisputeList(): JSX.Element {
  const filters = useFilters(['merchantId', 'stage', 'all'])
  const merchants = useMerchants()
  const shown = useSignal<Dispute | null>(null)
  const { merchantId, all } = filters.values
  const stage = disputeStages.find((one) => one === filters.values.stage)
  const query = {
    open: all === 'true' ? ('false' as const) : ('true' as const),
    limit: pageSize,
    ...(merchantId === '' ? {} : { merchantId }),
    ...(stage && { stage }),
  }
  const list = usePages(
    'GET /disputes',
    { query },
    {
      rows: ({ disputes }) => disputes,
      next: ({ disputes }) => (disputes.length < pageSize ? null : { before: disputes.at(-1)?.id }),
    },
  )
  return (
    <>
      <FilterBar
        filters={filters}
        fields={[
          { kind: 'choice', name: 'merchantId', label: 'Merchant', options: merchants.choices },
          { kind: 'choice', name: 'stage', label: 'Stage', options: stageChoices },
          // A stage says itself whether the dispute is open.
          ...(stage === undefined ? [shownChoice] : []),
        ]}
      />
      <DataTable
        caption="Disputes"
        list={list}
        keyOf={({ id }) => id}
        columns={[
          { title: 'Order', cell: (one) => <OrderOf dispute={one} /> },
          { title: 'Stage', cell: ({ stage }) => <StageBadge of={stage} /> },
          {
            title: 'Amount',
            end: true,
            cell: (one) => <Money minor={one.amountMinor} currency={one.currency} decimals={one.amountDecimals} />,
          },
          {
            title: 'Returned',
            end: true,
            minor: true,
            wide: true,
            cell: (one) =>
              one.returnedAt === null ? (
                '—'
              ) : (
                <Money minor={one.returnedMinor} currency={one.currency} decimals={one.amountDecimals} />
              ),
          },
          { title: 'Due', whole: true, cell: ({ dueOn }) => <Day of={dueOn} /> },
          { title: 'Answer', cell: ({ answer }) => answerText(answer) },
          { title: 'Reason', cell: ({ reasonCode }) => reasonCode },
          { title: 'Merchant', cell: (one) => merchants.title(one.merchantId), minor: true },
          { title: 'MID', cell: ({ midName, midId }) => midName ?? midId, minor: true, whole: true },
          { title: 'Opened', wide: true, cell: ({ openedAt }) => <DateTime at={openedAt} /> },
          {
            title: 'Actions',
            end: true,
            cell: (one) => (
              <Button
                small
                onClick={() => {
                  shown.value = one
                }}
              >
                Details
              </Button>
            ),
          },
        ]}
        empty={
          <Empty title={emptyTitle(stage, all === 'true')}>
            <p>
              A chargeback or an inquiry that an acquirer reports, or a chargeback that is recorded for a payment,
              appears here.
            </p>
          </Empty>
        }
      />
      {shown.value && (
        <DisputeDrawer
          dispute={shown.value}
          onChanged={list.reload}
          onClose={() => {
            shown.value = null
          }}
        />
      )}
    </>
  )
}

/** People know the order, and the acquirer the reference. */
const OrderOf = ({ dispute }: { readonly dispute: Dispute }): JSX.Element => (
  <span class="fate upright">
    <PaymentLink of={dispute} class="cut" />
    <span class="faint cut" title={dispute.reference}>
      {dispute.reference}
    </span>
  </span>
)

function emptyTitle(stage: string | undefined, isAll: boolean): string {
  if (stage !== undefined) return 'No disputes at this stage.'
  return isAll ? 'No disputes.' : 'No open disputes.'
}
