/** What a merchant pays and is owed: its accounts, price lists and bank accounts. */
import type { JSX } from 'preact'
import { useMerchants } from '../../api/merchants.ts'
import { FilterBar } from '../../kit/form/filter-bar.tsx'
import { useFilters } from '../../kit/form/use-filters.ts'
import { Page } from '../../kit/page.tsx'
import { Empty } from '../../kit/states.tsx'
import { Tabs } from '../../kit/tabs.tsx'
import { Accounts } from './accounts.tsx'
import { BankAccounts } from './bank-accounts.tsx'
import { Lists } from './lists.tsx'

export function PriceListsPage(): JSX.Element {
  const merchants = useMerchants()
  // Prices and bank accounts are of one merchant: without a choice it is the first, and the filter says so.
  const filters = useFilters(['merchantId'], { merchantId: merchants.choices[0]?.value ?? '' })
  const { merchantId } = filters.values
  return (
    <Page title="Price lists">
      <FilterBar
        filters={filters}
        fields={[{ kind: 'choice', name: 'merchantId', label: 'Merchant', any: null, options: merchants.choices }]}
      />
      {merchantId === '' ? (
        <Empty title="No merchants." />
      ) : (
        <Tabs
          key={merchantId}
          label="Price lists"
          tabs={[
            { name: 'lists', title: 'Price lists', content: () => <Lists merchantId={merchantId} /> },
            { name: 'accounts', title: 'Accounts', content: () => <Accounts merchantId={merchantId} /> },
            { name: 'banks', title: 'Bank accounts', content: () => <BankAccounts merchantId={merchantId} /> },
          ]}
        />
      )}
    </Page>
  )
}
