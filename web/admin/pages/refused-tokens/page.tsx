/** Refused wallet tokens and the reasons. Support finds them by order or by request id. Chapter 40 §15. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import type { Answer } from '../../api/call.ts'
import { useMerchants } from '../../api/merchants.ts'
import { usePages } from '../../api/use-pages.ts'
import { Badge } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { Copyable } from '../../kit/copy-button.tsx'
import { DataTable } from '../../kit/data-table.tsx'
import { Drawer } from '../../kit/dialog.tsx'
import { FilterBar } from '../../kit/form/filter-bar.tsx'
import { useFilters } from '../../kit/form/use-filters.ts'
import { Page } from '../../kit/page.tsx'
import { Empty } from '../../kit/states.tsx'
import { DateTime } from '../../kit/values/date-time.tsx'
import { endOfDay, startOfDay } from '../../kit/values/instants.ts'
import { KeyValues } from '../../kit/values/key-values.tsx'
import { Link } from '../../router/link.tsx'
import { refusalOf, WalletChecks } from '../payment/wallet-checks.tsx'
import { walletTitle } from '../payments/method.ts'

type Token = Answer<'GET /refused-tokens'>['tokens'][number]

const pageSize = 50

export function RefusedTokensPage(): JSX.Element {
  const filters = useFilters(['orderId', 'requestId', 'merchantId', 'from', 'to'])
  const merchants = useMerchants()
  const open = useSignal<Token | null>(null)
  const { from, to, ...rest } = filters.values
  const list = usePages(
    'GET /refused-tokens',
    { query: { ...rest, since: startOfDay(from), until: endOfDay(to), limit: pageSize } },
    {
      rows: ({ tokens }) => tokens,
      next: ({ tokens }) => (tokens.length < pageSize ? null : { before: tokens.at(-1)?.requestId }),
    },
  )
  return (
    <Page title="Refused wallet tokens">
      <FilterBar
        filters={filters}
        fields={[
          { kind: 'text', name: 'orderId', label: 'Order' },
          { kind: 'text', name: 'requestId', label: 'Request' },
          { kind: 'choice', name: 'merchantId', label: 'Merchant', options: merchants.choices },
          { kind: 'date', name: 'from', label: 'From' },
          { kind: 'date', name: 'to', label: 'To' },
        ]}
      />
      <DataTable
        caption="Refused wallet tokens"
        list={list}
        keyOf={({ requestId }) => requestId}
        columns={[
          { title: 'Order', cell: ({ orderId }) => orderId ?? '—', whole: true },
          { title: 'Wallet', cell: ({ record }) => walletTitle(record.wallet), whole: true },
          { title: 'Reason', cell: ({ record }) => refusalOf(record) },
          {
            title: 'Merchant',
            cell: (one) => <MerchantOf title={merchants.title(one.merchantId)} mode={one.mode} />,
            whole: true,
          },
          { title: 'When', cell: ({ at }) => <DateTime at={at} seconds />, whole: true },
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
                All checks
              </Button>
            ),
          },
        ]}
        empty={
          <Empty title={filters.count > 0 ? 'No refused tokens match these filters.' : 'No refused tokens.'}>
            <p>A token that passes its checks creates a payment and is shown there under “Card and wallet”.</p>
          </Empty>
        }
      />
      {open.value && (
        <TokenDrawer
          token={open.value}
          merchant={merchants.title(open.value.merchantId)}
          onClose={() => {
            open.value = null
          }}
        />
      )}
    </Page>
  )
}

const MerchantOf = ({ title, mode }: { readonly title: string; readonly mode: string }): JSX.Element => (
  <span class="fate">
    {title} {mode === 'test' && <Badge tone="warn">test</Badge>}
  </span>
)

interface TokenDrawerProps {
  readonly token: Token
  readonly merchant: string
  readonly onClose: () => void
}

function TokenDrawer({ token, merchant, onClose }: TokenDrawerProps): JSX.Element {
  const { orderId, merchantId } = token
  return (
    <Drawer title="Why the token was refused" onClose={onClose}>
      <KeyValues
        rows={[
          ['Merchant', merchant],
          ['Order', orderId],
          ['Request', <Copyable text={token.requestId} label="Copy the request’s id" />],
          ['Protocol', token.protocol],
          ['When', <DateTime at={token.at} seconds />],
          orderId !== null && [
            'Payments of the order',
            <Link to={`/payments?${new URLSearchParams({ orderId, merchantId, test: String(token.mode === 'test') })}`}>
              Search
            </Link>,
          ],
        ]}
      />
      <WalletChecks record={token.record} />
    </Drawer>
  )
}
