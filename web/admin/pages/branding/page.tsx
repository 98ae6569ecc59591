/** Checkout branding: the appearance of a merchant's hosted page, with a live preview (chapter 30 §7.1). */
import type { JSX } from 'preact'
import { useMerchants } from '../../api/merchants.ts'
import { useReading } from '../../api/use-reading.ts'
import { FilterBar } from '../../kit/form/filter-bar.tsx'
import { useFilters } from '../../kit/form/use-filters.ts'
import { Page } from '../../kit/page.tsx'
import { Empty, ReadResult } from '../../kit/states.tsx'
import { BrandingEditor } from './branding-editor.tsx'

export function BrandingPage(): JSX.Element {
  const merchants = useMerchants()
  const filters = useFilters(['merchantId'])
  // A user with a single merchant need not choose it.
  const only = merchants.list.length === 1 ? merchants.list[0]?.id : undefined
  const merchantId = filters.values.merchantId || only || ''
  return (
    <Page title="Checkout branding">
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
          <p>Each merchant’s hosted page can have its own logo, colours and template.</p>
        </Empty>
      ) : (
        <Branding key={merchantId} merchantId={merchantId} />
      )}
    </Page>
  )
}

function Branding({ merchantId }: { readonly merchantId: string }): JSX.Element {
  const read = useReading('GET /merchants/:merchantId/branding', { params: { merchantId } })
  return (
    <ReadResult read={read} lines={8}>
      {({ branding }) => (
        <BrandingEditor
          key={branding?.changedAt ?? 'own'}
          merchantId={merchantId}
          branding={branding}
          onSaved={read.reload}
        />
      )}
    </ReadResult>
  )
}
