/** Payment links: addresses that merchants share with payers, by message, mail or QR code. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import type { Answer } from '../../api/call.ts'
import { useMerchants } from '../../api/merchants.ts'
import { usePages } from '../../api/use-pages.ts'
import { Badge } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { DataTable } from '../../kit/data-table.tsx'
import { FilterBar } from '../../kit/form/filter-bar.tsx'
import { useFilters } from '../../kit/form/use-filters.ts'
import { May } from '../../kit/may.tsx'
import { Page } from '../../kit/page.tsx'
import { Empty } from '../../kit/states.tsx'
import { countText } from '../../kit/values/count-text.ts'
import { DateTime } from '../../kit/values/date-time.tsx'
import { Money } from '../../kit/values/money.tsx'
import { LinkDialog } from './link-dialog.tsx'
import { LinkDrawer } from './link-drawer.tsx'
import { stateTexts, stateTones } from './link-state.ts'

type Link = Answer<'GET /payment-links'>['links'][number]

const pageSize = 50

export function PaymentLinksPage(): JSX.Element {
  const filters = useFilters(['merchantId'])
  const merchants = useMerchants()
  const isCreating = useSignal(false)
  const open = useSignal<Pick<Link, 'id' | 'merchantId'> | null>(null)
  const list = usePages(
    'GET /payment-links',
    { query: { merchantId: filters.values.merchantId || undefined, limit: pageSize } },
    {
      rows: ({ links }) => links,
      next: ({ links }) => (links.length < pageSize ? null : { before: links.at(-1)?.id }),
    },
  )
  return (
    <Page
      title="Payment links"
      actions={
        <May use="links.write">
          <Button
            kind="primary"
            icon="plus"
            onClick={() => {
              isCreating.value = true
            }}
          >
            Create link
          </Button>
        </May>
      }
    >
      <FilterBar
        filters={filters}
        fields={[{ kind: 'choice', name: 'merchantId', label: 'Merchant', options: merchants.choices }]}
      />
      <DataTable
        caption="Payment links"
        list={list}
        keyOf={({ id }) => id}
        columns={[
          { title: 'Description', cell: (one) => one.description, cut: (one) => one.description },
          { title: 'State', cell: ({ state }) => <Badge tone={stateTones[state]}>{stateTexts[state]}</Badge> },
          {
            title: 'Amount',
            end: true,
            cell: ({ amountMinor, currency, decimals }) =>
              amountMinor === null ? (
                `any, ${currency}`
              ) : (
                <Money minor={amountMinor} currency={currency} decimals={decimals} />
              ),
          },
          {
            title: 'Paid',
            end: true,
            cell: ({ paid, uses }) => (uses === 'single' ? `${countText(paid)} of ${countText(1)}` : countText(paid)),
          },
          { title: 'Merchant', cell: ({ merchantId }) => merchants.title(merchantId) },
          { title: 'Expires', cell: ({ expiresAt }) => (expiresAt === null ? 'never' : <DateTime at={expiresAt} />) },
          { title: 'Created', cell: ({ createdAt }) => <DateTime at={createdAt} />, minor: true },
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
                {one.state === 'open' ? 'Share' : 'View'}
              </Button>
            ),
          },
        ]}
        empty={
          <Empty title="No payment links.">
            <p>Create a link and send it to a payer, who pays on the hosted page. No shop is needed.</p>
          </Empty>
        }
      />
      {isCreating.value && (
        <LinkDialog
          onDone={(link) => {
            list.reload()
            isCreating.value = false
            open.value = link
          }}
          onClose={() => {
            isCreating.value = false
          }}
        />
      )}
      {open.value && (
        <LinkDrawer
          link={open.value}
          onChanged={list.reload}
          onClose={() => {
            open.value = null
          }}
        />
      )}
    </Page>
  )
}
