/** Protocol mappings: the protocols a merchant may use, and their options (chapter 50 §2). */
import type { JSX } from 'preact'
import { protocols } from '#domain/merchant.ts'
import { useMerchants } from '../../api/merchants.ts'
import { useReading } from '../../api/use-reading.ts'
import { FilterBar } from '../../kit/form/filter-bar.tsx'
import { useFilters } from '../../kit/form/use-filters.ts'
import { Page } from '../../kit/page.tsx'
import { Empty, ReadResult } from '../../kit/states.tsx'
import { Tabs } from '../../kit/tabs.tsx'
import { ProtocolForm } from './protocol-form.tsx'

export function MappingsPage(): JSX.Element {
  const merchants = useMerchants()
  const filters = useFilters(['merchantId'])
  const merchantId = filters.values.merchantId || (merchants.list.length === 1 ? (merchants.list[0]?.id ?? '') : '')
  return (
    <Page title="Protocol mappings">
      <FilterBar
        filters={filters}
        fields={[
          {
            kind: 'choice',
            name: 'merchantId',
            label: 'Merchant',
            options: merchants.choices,
            any: 'Select a merchant',
          },
        ]}
      />
      {merchantId === '' ? (
        <Empty title="Select a merchant.">
          <p>
            A merchant can use a protocol only with a mapping. The mapping defines how callbacks are signed and which
            fields they contain.
          </p>
        </Empty>
      ) : (
        <ProtocolMappings key={merchantId} merchantId={merchantId} />
      )}
    </Page>
  )
}

/** Also shown on the merchant's page. */
export function ProtocolMappings({ merchantId }: { readonly merchantId: string }): JSX.Element {
  const read = useReading('GET /merchants/:merchantId/protocol-mappings', { params: { merchantId } })
  return (
    <ReadResult read={read} lines={8}>
      {({ mappings }) => (
        <Tabs
          label="Protocols"
          parameter="protocol"
          tabs={protocols.map((protocol) => ({
            name: protocol,
            title: titles[protocol],
            content: () => (
              <ProtocolForm
                merchantId={merchantId}
                protocol={protocol}
                stored={mappings.find((one) => one.protocol === protocol)}
                onSaved={read.reload}
              />
            ),
          }))}
        />
      )}
    </ReadResult>
  )
}

const titles = { S2S_CARD: 'S2S CARD', S2S_APM: 'S2S APM', CHECKOUT: 'Checkout' } as const
