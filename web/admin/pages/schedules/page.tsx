/** Schedules, their plans, and the calendar of coming charges. */
import type { JSX } from 'preact'
import { useMerchants } from '../../api/merchants.ts'
import { FilterBar } from '../../kit/form/filter-bar.tsx'
import { useFilters } from '../../kit/form/use-filters.ts'
import { Page } from '../../kit/page.tsx'
import { Empty } from '../../kit/states.tsx'
import { Tabs } from '../../kit/tabs.tsx'
import { Calendar } from './calendar.tsx'
import { ScheduleList } from './schedule-list.tsx'
import { SubscriptionList } from './subscription-list.tsx'

export function SchedulesPage(): JSX.Element {
  const merchants = useMerchants()
  const filters = useFilters(['merchantId'])
  // A user with a single merchant need not choose it.
  const only = merchants.list.length === 1 ? merchants.list[0]?.id : undefined
  const merchantId = filters.values.merchantId || only || ''
  return (
    <Page title="Schedules and plans">
      <FilterBar
        filters={filters}
        fields={[
          { kind: 'choice', name: 'merchantId', label: 'Merchant', options: merchants.choices, any: 'All merchants' },
        ]}
      />
      <Tabs
        label="Schedules and plans"
        tabs={[
          { name: 'calendar', title: 'Calendar', content: () => <Calendar merchantId={merchantId} /> },
          {
            name: 'schedules',
            title: 'Schedules',
            content: () =>
              merchantId === '' ? <ChooseMerchant /> : <ScheduleList key={merchantId} merchantId={merchantId} />,
          },
          {
            name: 'subscriptions',
            title: 'Plans',
            content: () =>
              merchantId === '' ? <ChooseMerchant /> : <SubscriptionList key={merchantId} merchantId={merchantId} />,
          },
        ]}
      />
    </Page>
  )
}

const ChooseMerchant = (): JSX.Element => (
  <Empty title="Select a merchant.">
    <p>Schedules and plans are listed per merchant. The calendar shows all merchants.</p>
  </Empty>
)
