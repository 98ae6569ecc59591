/** A code of an authenticator beside the password: in force after its first code, until another device has shown one. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { type Answer, call, type Fault, type Result } from '../../api/call.ts'
import { Badge } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { Copyable } from '../../kit/copy-button.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { FaultView } from '../../kit/fault-view.tsx'
import { ConfirmDialog } from '../../kit/form/confirm-dialog.tsx'
import { TextField } from '../../kit/form/fields.tsx'
import { Form } from '../../kit/form/form.tsx'
import { useForm } from '../../kit/form/use-form.ts'
import { Section } from '../../kit/page.tsx'
import { toast } from '../../kit/toasts.tsx'
import { QrCode } from '../../kit/values/qr-code.tsx'
import { enter, session } from '../../session/session.ts'

type Made = Answer<'POST /account/second-factor'>

export function SecondFactorSection(): JSX.Element {
  const isOn = session.value?.user.secondFactor === true
  const made = useSignal<Made | null>(null)
  const isRemoving = useSignal(false)
  const fault = useSignal<Fault | null>(null)
  const begin = async (): Promise<void> => {
    const result = await call('POST /account/second-factor')
    fault.value = result.ok ? null : result.fault
    if (result.ok) made.value = result.value
  }
  return (
    <Section title="Second factor" actions={isOn ? <Badge tone="good">on</Badge> : <Badge tone="warn">off</Badge>}>
      <div class="stack">
        <p>
          {isOn
            ? 'Signing in by password also asks for a code of your authenticator app.'
            : 'An authenticator app on your phone shows a code, which signing in then asks for beside the password.'}
        </p>
        {fault.value && <FaultView fault={fault.value} />}
        <div class="form-actions">
          <Button kind={isOn ? 'plain' : 'primary'} onClick={() => void begin()}>
            {isOn ? 'Set up another device' : 'Set up the second factor'}
          </Button>
          {isOn && (
            <Button
              kind="danger"
              onClick={() => {
                isRemoving.value = true
              }}
            >
              Remove the second factor
            </Button>
          )}
        </div>
      </div>
      {made.value !== null && (
        <SetUpDialog
          made={made.value}
          onClose={() => {
            made.value = null
          }}
        />
      )}
      {isRemoving.value && (
        <ConfirmDialog
          title="Remove the second factor?"
          act="Remove it"
          danger
          onClose={() => {
            isRemoving.value = false
          }}
          onConfirm={remove}
        >
          <p>Your password alone will be enough to sign in.</p>
        </ConfirmDialog>
      )}
    </Section>
  )
}

const SetUpDialog = (props: { readonly made: Made; readonly onClose: () => void }): JSX.Element => (
  <Dialog title="Set up the second factor" onClose={props.onClose}>
    <ConfirmCode {...props} />
  </Dialog>
)

async function remove(): Promise<Result<unknown>> {
  const result = await call('DELETE /account/second-factor')
  if (!result.ok) return result
  toast('The second factor is removed.')
  void enter()
  return result
}

function ConfirmCode({ made, onClose }: { readonly made: Made; readonly onClose: () => void }): JSX.Element {
  const form = useForm({
    initial: { code: '' },
    guards: false,
    send: ({ code }) => call('PUT /account/second-factor', { body: { code: code.replaceAll(' ', '') } }),
    onDone: () => {
      toast('The second factor is in force.')
      void enter()
      onClose()
    },
  })
  return (
    <>
      <p>Read this with your authenticator app, then enter the code that it shows.</p>
      <QrCode text={made.address} label="Code for the authenticator app" />
      <p>
        <span class="faint">Or enter this secret there:</span>
        <br />
        <Copyable text={made.secret} label="Copy the secret" />
      </p>
      <Form form={form} act="Put it in force" onCancel={onClose}>
        <TextField label="Code" inputMode="numeric" autoComplete="one-time-code" maxLength={7} at={form.at('code')} />
      </Form>
    </>
  )
}
