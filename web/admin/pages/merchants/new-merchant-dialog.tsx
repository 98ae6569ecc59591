/** Creates a merchant and shows its secrets once. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { type Answer, call } from '../../api/call.ts'
import { refreshMerchants } from '../../api/merchants.ts'
import { Dialog } from '../../kit/dialog.tsx'
import { CheckField, TextField } from '../../kit/form/fields.tsx'
import { Form } from '../../kit/form/form.tsx'
import { useForm } from '../../kit/form/use-form.ts'
import { SecretOnce } from '../../kit/values/secret-once.tsx'
import { go } from '../../router/current-address.ts'

export function NewMerchantDialog({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const creation = useSignal<Answer<'POST /merchants'> | null>(null)
  const form = useForm({
    initial: { title: '', name: '', contactEmail: '', notificationUrl: '', testOnly: false },
    guards: false,
    send: ({ title, name, contactEmail, notificationUrl, testOnly }) =>
      call('POST /merchants', {
        body: {
          title: title.trim(),
          name: name.trim(),
          contactEmail: contactEmail.trim() || null,
          notificationUrl: notificationUrl.trim() || null,
          testOnly,
        },
      }),
    onDone: (answer) => {
      creation.value = answer
      void refreshMerchants()
    },
  })
  if (creation.value !== null) {
    const { merchant, password, webhookSecret } = creation.value
    return (
      <SecretOnce
        title={`${merchant.title} created`}
        secrets={[
          ['Live key', merchant.key],
          ['Test key', merchant.testKey],
          ['Password', password],
          ['Webhook secret', webhookSecret],
        ]}
        onClose={() => go(`/merchants/${merchant.id}`)}
      />
    )
  }
  return (
    <Dialog title="New merchant" onClose={onClose}>
      <Form form={form} act="Create merchant" onCancel={onClose} always>
        <TextField label="Title" hint="Display name." at={form.at('title')} maxLength={100} />
        <TextField
          label="Name"
          mono
          hint="Lowercase letters, digits and hyphens. Cannot be changed later."
          at={form.at('name')}
        />
        <TextField label="Contact e-mail" optional type="email" at={form.at('contactEmail')} />
        <TextField
          label="Notification address"
          optional
          type="url"
          hint="Callbacks are sent here."
          at={form.at('notificationUrl')}
        />
        <CheckField
          label="Test only"
          hint="The live key is refused until this is turned off."
          at={form.at('testOnly')}
        />
      </Form>
    </Dialog>
  )
}
