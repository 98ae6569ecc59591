/** A merchant: settings, keys and secrets, addresses, wallets, and what it may use. */
import type { JSX } from 'preact'
import { useReading } from '../../api/use-reading.ts'
import { Status } from '../../kit/badge.tsx'
import { ButtonLink } from '../../kit/button.tsx'
import { Page } from '../../kit/page.tsx'
import { ReadResult } from '../../kit/states.tsx'
import { type Tab, Tabs } from '../../kit/tabs.tsx'
import { may } from '../../session/session.ts'
import { ProtocolMappings } from '../mappings/page.tsx'
import type { PageArguments } from '../page-arguments.ts'
import { AddressesSection } from './addresses-section.tsx'
import { ConsentsSection } from './consents-section.tsx'
import { GeneralSection } from './general-section.tsx'
import { KeysSection } from './keys-section.tsx'
import { MidMappings } from './mid-mappings.tsx'
import { PeopleSection } from './people-section.tsx'
import type { MerchantView } from './view.ts'
import { WalletsTab } from './wallets/wallets-tab.tsx'

export function MerchantPage({ params: { merchantId = '' } }: PageArguments): JSX.Element {
  return <KnownMerchant key={merchantId} merchantId={merchantId} />
}

function KnownMerchant({ merchantId }: { readonly merchantId: string }): JSX.Element {
  const read = useReading('GET /merchants/:merchantId', { params: { merchantId } })
  return (
    <Page
      title={read.value?.merchant.title ?? 'Merchant'}
      above={[['Merchants', '/merchants']]}
      actions={
        <>
          {read.value && <Status of={read.value.merchant.status} />}
          {may('payments.read') && <ButtonLink to={`/payments?merchantId=${merchantId}`}>Transactions</ButtonLink>}
        </>
      }
    >
      <ReadResult read={read} lines={8}>
        {(view) => <Tabs label="Merchant" tabs={tabsOf(view, read.reload)} />}
      </ReadResult>
    </Page>
  )
}

function tabsOf(view: MerchantView, reload: () => void): readonly Tab[] {
  const merchantId = view.merchant.id
  const tabs: readonly (Tab | false)[] = [
    { name: 'general', title: 'General', content: () => <GeneralSection view={view} onSaved={reload} /> },
    { name: 'keys', title: 'Keys and secrets', content: () => <KeysSection view={view} onChanged={reload} /> },
    { name: 'addresses', title: 'Addresses', content: () => <AddressesSection view={view} onSaved={reload} /> },
    may('wallets.read') && { name: 'wallets', title: 'Wallets', content: () => <WalletsTab merchantId={merchantId} /> },
    may('mappings.read') && { name: 'mids', title: 'MIDs', content: () => <MidMappings merchantId={merchantId} /> },
    may('mappings.read') && {
      name: 'protocols',
      title: 'Protocols',
      content: () => <ProtocolMappings merchantId={merchantId} />,
    },
    may('schedules.read') && {
      name: 'consents',
      title: 'Consents',
      content: () => <ConsentsSection merchantId={merchantId} />,
    },
    may('users.read') && { name: 'people', title: 'Users', content: () => <PeopleSection merchantId={merchantId} /> },
  ]
  return tabs.filter((tab) => tab !== false)
}
