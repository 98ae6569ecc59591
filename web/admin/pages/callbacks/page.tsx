/** Callbacks: the log, sending again, and blocked addresses. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { Button } from '../../kit/button.tsx'
import { May } from '../../kit/may.tsx'
import { Page } from '../../kit/page.tsx'
import { Tabs } from '../../kit/tabs.tsx'
import { currentAddress } from '../../router/current-address.ts'
import { BlockedAddresses } from './blocked.tsx'
import { CallbackLog } from './callback-log.tsx'
import { ResendRangeDialog } from './resend-range.tsx'

export function CallbacksPage(): JSX.Element {
  const isChoosingRange = useSignal(false)
  return (
    <Page
      title="Callbacks"
      actions={
        <May use="callbacks.resend">
          <Button
            icon="calendar"
            onClick={() => {
              isChoosingRange.value = true
            }}
          >
            Resend a time range
          </Button>
        </May>
      }
    >
      <Tabs
        label="Callbacks"
        tabs={[
          { name: 'log', title: 'Log', content: () => <CallbackLog /> },
          { name: 'blocked', title: 'Blocked addresses', content: () => <BlockedAddresses /> },
        ]}
      />
      {isChoosingRange.value && (
        <ResendRangeDialog
          merchantId={currentAddress.value.query.get('merchantId') ?? ''}
          onClose={() => {
            isChoosingRange.value = false
          }}
        />
      )}
    </Page>
  )
}
