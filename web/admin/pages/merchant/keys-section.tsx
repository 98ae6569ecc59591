/** The keys and secrets of a merchant: rotated with an overlap, shown once, and later only with the approval of a second person. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { type Answer, call } from '../../api/call.ts'
import { Button } from '../../kit/button.tsx'
import { Copyable } from '../../kit/copy-button.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { ConfirmDialog } from '../../kit/form/confirm-dialog.tsx'
import { TextField } from '../../kit/form/fields.tsx'
import { Form } from '../../kit/form/form.tsx'
import { useForm } from '../../kit/form/use-form.ts'
import { May } from '../../kit/may.tsx'
import { Section } from '../../kit/page.tsx'
import { toast } from '../../kit/toasts.tsx'
import { DateTime } from '../../kit/values/date-time.tsx'
import { KeyValues } from '../../kit/values/key-values.tsx'
import { SecretOnce } from '../../kit/values/secret-once.tsx'
import type { MerchantView } from './view.ts'

type OpenDialog =
  | { readonly what: 'rotate' | 'reveal' | 'add-secret' | 'drop-secrets' }
  | { readonly what: 'shown'; readonly title: string; readonly secrets: readonly (readonly [string, string])[] }

interface KeysSectionProps {
  readonly view: MerchantView
  readonly onChanged: () => void
}

export function KeysSection({ view: { merchant, previousPasswordUntil }, onChanged }: KeysSectionProps): JSX.Element {
  const opened = useSignal<OpenDialog | null>(null)
  const open = (next: OpenDialog | null) => () => {
    opened.value = next
  }
  const params = { merchantId: merchant.id }
  return (
    <>
      <Section title="Keys">
        <div class="wide-values">
          <KeyValues
            rows={[
              ['Live key', <Copyable text={merchant.key} label="Copy the live key" />],
              ['Test key', <Copyable text={merchant.testKey} label="Copy the test key" />],
              previousPasswordUntil !== null && ['Old password works until', <DateTime at={previousPasswordUntil} />],
            ]}
          />
        </div>
      </Section>
      <May use="merchants.secrets">
        <Section title="Password">
          <p>
            The password signs every request. A new password is shown once. The old one keeps working for a while so
            that the merchant can switch.
          </p>
          <div class="form-actions">
            <Button onClick={open({ what: 'rotate' })}>Rotate password</Button>
            <Button onClick={open({ what: 'reveal' })}>Request to see password</Button>
          </div>
        </Section>
        <Section title="Webhook secrets">
          <p>
            Every active secret signs each callback. Add a secret, let the merchant switch to it, then remove the older
            ones.
          </p>
          <div class="form-actions">
            <Button onClick={open({ what: 'add-secret' })}>Add a secret</Button>
            <Button kind="danger" onClick={open({ what: 'drop-secrets' })}>
              Remove older secrets
            </Button>
          </div>
        </Section>
      </May>
      {opened.value?.what === 'rotate' && (
        <Dialog title="Rotate password" onClose={open(null)}>
          <RotateForm
            params={params}
            onCancel={open(null)}
            onDone={({ password }) => {
              opened.value = { what: 'shown', title: 'New password', secrets: [['Password', password]] }
              onChanged()
            }}
          />
        </Dialog>
      )}
      {opened.value?.what === 'reveal' && <RevealDialog params={params} onClose={open(null)} />}
      {opened.value?.what === 'add-secret' && (
        <ConfirmDialog
          title="Add webhook secret"
          act="Add"
          onClose={() => opened.value?.what === 'add-secret' && open(null)()}
          onConfirm={async () => {
            const result = await call('POST /merchants/:merchantId/webhook-secrets', { params, body: {} })
            if (result.ok) {
              const secrets = [['Webhook secret', result.value.webhookSecret]] as const
              opened.value = { what: 'shown', title: 'New webhook secret', secrets }
            }
            return result
          }}
        >
          <p>The older secrets keep signing until they are removed.</p>
        </ConfirmDialog>
      )}
      {opened.value?.what === 'drop-secrets' && <DropDialog params={params} onClose={open(null)} />}
      {opened.value?.what === 'shown' && (
        <SecretOnce title={opened.value.title} secrets={opened.value.secrets} onClose={open(null)} />
      )}
    </>
  )
}

interface Params {
  readonly merchantId: string
}

interface RotateFormProps {
  readonly params: Params
  readonly onDone: (answer: Answer<'POST /merchants/:merchantId/password'>) => void
  readonly onCancel: () => void
}

function RotateForm({ params, onDone, onCancel }: RotateFormProps): JSX.Element {
  const form = useForm({
    initial: { overlapHours: '24' },
    guards: false,
    send: ({ overlapHours }) =>
      call('POST /merchants/:merchantId/password', { params, body: { overlapHours: Number(overlapHours) } }),
    onDone,
  })
  return (
    <Form form={form} act="Rotate" onCancel={onCancel} always>
      <TextField
        label="Hours until the old password stops working"
        inputMode="numeric"
        hint="0 stops it immediately. Requests signed with it are then refused."
        at={form.at('overlapHours')}
      />
    </Form>
  )
}

const RevealDialog = ({ params, onClose }: { readonly params: Params; readonly onClose: () => void }): JSX.Element => (
  <ConfirmDialog
    title="Request to see password"
    act="Request"
    reason="required"
    onClose={onClose}
    onConfirm={async (reason) => {
      const result = await call('POST /merchants/:merchantId/password/reveal', { params, body: { reason } })
      if (result.ok) toast('Request sent. Once it is approved, you can see the password under Approvals.')
      return result
    }}
  >
    <p>A second person must approve this. The audit log records both of you.</p>
  </ConfirmDialog>
)

const DropDialog = ({ params, onClose }: { readonly params: Params; readonly onClose: () => void }): JSX.Element => (
  <ConfirmDialog
    title="Remove older webhook secrets"
    act="Remove"
    danger
    onClose={onClose}
    onConfirm={async () => {
      const result = await call('DELETE /merchants/:merchantId/webhook-secrets', { params, body: {} })
      if (result.ok) toast(`${result.value.dropped} removed. Only the newest secret signs now.`)
      return result
    }}
  >
    <p>If the merchant still verifies with an older secret, it will reject every callback.</p>
  </ConfirmDialog>
)
