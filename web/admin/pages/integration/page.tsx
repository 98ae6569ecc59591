/** For the merchant's developer: why requests were refused, callbacks to send again, test cards and keys. */
import type { JSX } from 'preact'
import { Page } from '../../kit/page.tsx'
import { Tabs } from '../../kit/tabs.tsx'
import { may } from '../../session/session.ts'
import { CallbackLog } from '../callbacks/callback-log.tsx'
import { MerchantKeys } from './merchant-keys.tsx'
import { RefusedRequests } from './refused-requests.tsx'
import { TestCards } from './test-cards.tsx'

export function IntegrationPage(): JSX.Element {
  return (
    <Page title="Integration">
      <Tabs
        label="Integration"
        tabs={[
          { name: 'requests', title: 'Refused requests', content: () => <RefusedRequests /> },
          ...(may('callbacks.read') ? [{ name: 'callbacks', title: 'Callbacks', content: () => <CallbackLog /> }] : []),
          { name: 'cards', title: 'Test cards', content: () => <TestCards /> },
          ...(may('merchants.read') ? [{ name: 'keys', title: 'Keys', content: () => <MerchantKeys /> }] : []),
        ]}
      />
    </Page>
  )
}
