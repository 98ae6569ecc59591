/** The user's passkeys. Adding one requires fresh authentication. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { type Answer, call, type Result } from '../../api/call.ts'
import { useReading } from '../../api/use-reading.ts'
import { Button } from '../../kit/button.tsx'
import { DataTable, pageOfRead } from '../../kit/data-table.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { ConfirmDialog } from '../../kit/form/confirm-dialog.tsx'
import { TextField } from '../../kit/form/fields.tsx'
import { Form } from '../../kit/form/form.tsx'
import { useForm } from '../../kit/form/use-form.ts'
import { Section } from '../../kit/page.tsx'
import { Empty } from '../../kit/states.tsx'
import { toast } from '../../kit/toasts.tsx'
import { DateTime } from '../../kit/values/date-time.tsx'
import { knowsPasskeys, makePasskey } from '../../session/passkey.ts'
import { loadSession } from '../../session/session.ts'
import { passkeyHint } from './passkey-hint.ts'

type Passkey = Answer<'GET /account/passkeys'>['passkeys'][number]

export function PasskeysSection(): JSX.Element {
  const read = useReading('GET /account/passkeys')
  const isAdding = useSignal(false)
  const removed = useSignal<Passkey | null>(null)
  const add = (
    <Button
      icon="plus"
      onClick={() => {
        isAdding.value = true
      }}
    >
      Add a passkey
    </Button>
  )
  return (
    <Section title="Passkeys" actions={knowsPasskeys() ? add : undefined}>
      <DataTable
        caption="Your passkeys"
        list={pageOfRead(read, ({ passkeys }) => passkeys)}
        keyOf={({ id }) => id}
        columns={[
          { title: 'Name', cell: ({ name }) => name },
          { title: 'Created', cell: ({ createdAt }) => <DateTime at={createdAt} /> },
          { title: 'Last used', cell: ({ usedAt }) => <DateTime at={usedAt} /> },
          { title: 'Actions', end: true, cell: (one) => <Remove onPress={() => (removed.value = one)} /> },
        ]}
        empty={
          <Empty title="You have no passkeys.">A passkey signs you in with your device instead of a password.</Empty>
        }
      />
      {isAdding.value && (
        <AddDialog
          onDone={read.reload}
          onClose={() => {
            isAdding.value = false
          }}
        />
      )}
      {removed.value && (
        <ConfirmDialog
          title="Remove this passkey?"
          act="Remove"
          danger
          onClose={() => {
            removed.value = null
          }}
          onConfirm={async () => {
            const passkeyId = removed.value?.id ?? ''
            const result = await call('DELETE /account/passkeys/:passkeyId', { params: { passkeyId } })
            if (result.ok) {
              read.reload()
              void loadSession()
            }
            return result
          }}
        >
          <p>“{removed.value.name}” will no longer sign you in.</p>
        </ConfirmDialog>
      )}
    </Section>
  )
}

const Remove = ({ onPress }: { readonly onPress: () => void }): JSX.Element => (
  <Button small onClick={onPress}>
    Remove
  </Button>
)

function AddDialog(props: { readonly onDone: () => void; readonly onClose: () => void }): JSX.Element {
  const form = useForm({
    initial: { name: '' },
    guards: false,
    check: ({ name }) => ({ name: name.trim() === '' ? 'Enter a name.' : null }),
    send: register,
    onDone: () => {
      toast('Passkey added.')
      void loadSession()
      props.onDone()
      props.onClose()
    },
  })
  return (
    <Dialog title="Add a passkey" onClose={props.onClose}>
      <Form form={form} act="Continue" onCancel={props.onClose}>
        <TextField label="Name" hint="For example, the device it is stored on." at={form.at('name')} maxLength={64} />
      </Form>
    </Dialog>
  )
}

async function register(input: { readonly name: string }): Promise<Result<unknown>> {
  const hint = passkeyHint(window.location)
  if (hint !== null) return { ok: false, fault: { code: 'invalid', text: hint, fields: [], requestId: null } }
  const begun = await call('POST /account/passkeys/challenge')
  if (!begun.ok) return begun
  const { challengeId, options } = begun.value
  const response = await makePasskey(options)
  if (response !== null) return call('POST /account/passkeys', { body: { ...input, challengeId, response } })
  const text = 'The browser did not create a passkey. Try again, or use another device.'
  return { ok: false, fault: { code: 'invalid', text, fields: [], requestId: null } }
}
