/** A merchant's notification addresses with their block state, and the addresses from which it may call. */
import type { JSX } from 'preact'
import { type Answer, call } from '../../api/call.ts'
import { Status } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { type Column, DataTable, pageOfRows } from '../../kit/data-table.tsx'
import { TextArea, TextField } from '../../kit/form/fields.tsx'
import { Form } from '../../kit/form/form.tsx'
import { useForm } from '../../kit/form/use-form.ts'
import { Section } from '../../kit/page.tsx'
import { Empty } from '../../kit/states.tsx'
import { toast, toastFault } from '../../kit/toasts.tsx'
import { DateTime } from '../../kit/values/date-time.tsx'
import { may } from '../../session/session.ts'
import type { MerchantView } from './view.ts'

type Address = MerchantView['notificationAddresses'][number]

interface AddressesSectionProps {
  readonly view: MerchantView
  readonly onSaved: () => void
}

export function AddressesSection({ view, onSaved }: AddressesSectionProps): JSX.Element {
  const { merchant, notificationAddresses } = view
  const unblock = async (url: string): Promise<void> => {
    const result = await call('POST /merchants/:merchantId/unblock', {
      params: { merchantId: merchant.id },
      body: { url },
    })
    if (!result.ok) return toastFault(result.fault)
    toast('Address unblocked. Waiting callbacks are being sent.')
    onSaved()
  }
  return (
    <>
      <Section title="Notification addresses in use">
        <DataTable
          caption="Notification addresses"
          list={pageOfRows(notificationAddresses)}
          keyOf={({ url }) => url}
          columns={columnsWith((url) => void unblock(url))}
          empty={<Empty title="No callbacks yet." />}
        />
      </Section>
      <Section title="Settings">
        <AddressForm merchant={merchant} onSaved={onSaved} />
      </Section>
    </>
  )
}

function columnsWith(unblock: (url: string) => void): readonly Column<Address>[] {
  return [
    { title: 'Address', cell: ({ url }) => <span class="mono">{url}</span> },
    { title: 'State', cell: ({ blockedUntil }) => <Status of={blockedUntil === null ? 'active' : 'blocked'} /> },
    { title: 'Blocked until', cell: ({ blockedUntil }) => <DateTime at={blockedUntil} /> },
    {
      title: 'Actions',
      end: true,
      cell: ({ url, blockedUntil }) =>
        blockedUntil !== null &&
        may('callbacks.resend') && (
          <Button small onClick={() => unblock(url)}>
            Unblock
          </Button>
        ),
    },
  ]
}

interface AddressFormProps {
  readonly merchant: MerchantView['merchant']
  readonly onSaved: () => void
}

function AddressForm({ merchant, onSaved }: AddressFormProps): JSX.Element {
  const form = useForm<Values, Answer<'PATCH /merchants/:merchantId/settings'>>({
    initial: {
      contactEmail: merchant.contactEmail ?? '',
      notificationUrl: merchant.notificationUrl ?? '',
      testNotificationUrl: merchant.testNotificationUrl ?? '',
      allowedIps: merchant.allowedIps.join('\n'),
    },
    send: (values) =>
      call('PATCH /merchants/:merchantId/settings', { params: { merchantId: merchant.id }, body: bodyOf(values) }),
    onDone: () => {
      toast('Saved.')
      onSaved()
    },
  })
  return (
    <Form form={form} act="Save" always={false} readOnly={!may('merchants.settings')}>
      <TextField label="Contact e-mail" optional type="email" at={form.at('contactEmail')} />
      <TextField label="Notification address" optional type="url" at={form.at('notificationUrl')} />
      <TextField
        label="Test notification address"
        optional
        type="url"
        hint="Leave empty to use the address above."
        at={form.at('testNotificationUrl')}
      />
      <TextArea
        label="Allowed IP addresses"
        optional
        mono
        rows={4}
        hint="Addresses or ranges such as 203.0.113.0/24, one per line. Leave empty to allow any."
        at={form.at('allowedIps')}
      />
    </Form>
  )
}

interface Values {
  readonly contactEmail: string
  readonly notificationUrl: string
  readonly testNotificationUrl: string
  readonly allowedIps: string
}

const bodyOf = (values: Values) => ({
  contactEmail: values.contactEmail.trim() || null,
  notificationUrl: values.notificationUrl.trim() || null,
  testNotificationUrl: values.testNotificationUrl.trim() || null,
  allowedIps: values.allowedIps.split(/\s+/).filter((line) => line !== ''),
})
