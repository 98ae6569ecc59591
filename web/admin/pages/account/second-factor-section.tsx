/** A code of an authenticator beside the password: begun with the password, in force after the first code. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { type Answer, call } from '../../api/call.ts'
import { Badge } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { Copyable } from '../../kit/copy-button.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { TextField } from '../../kit/fields.tsx'
import { Form } from '../../kit/form.tsx'
import { Section } from '../../kit/page.tsx'
import { QrCode } from '../../kit/qr-code.tsx'
import { toast } from '../../kit/toasts.tsx'
import { useForm } from '../../kit/use-form.ts'
import { enter, session } from '../../session/session.ts'

type Made = Answer<'POST /account/second-factor'>

export function SecondFactorSection(): JSX.Element {
  const isOn = session.value?.user.secondFactor === true
  const isOpen = useSignal(false)
  const close = (): void => {
    isOpen.value = false
  }
  return (
    <Section title="Second factor" actions={isOn ? <Badge tone="good">on</Badge> : <Badge tone="warn">off</Badge>}>
      <div class="stack">
        <p>
          {isOn
            ? 'Signing in by password also asks for a code of your authenticator app.'
            : 'An authenticator app on your phone shows a code, which signing in then asks for beside the password.'}
        </p>
        <div>
          <Button
            kind={isOn ? 'danger' : 'primary'}
            onClick={() => {
              isOpen.value = true
            }}
          >
            {isOn ? 'Remove the second factor' : 'Set up the second factor'}
          </Button>
        </div>
      </div>
      {isOpen.value && (isOn ? <RemoveDialog onClose={close} /> : <SetUpDialog onClose={close} />)}
    </Section>
  )
}

function SetUpDialog({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const made = useSignal<Made | null>(null)
  const form = useForm({
    initial: { password: '' },
    guards: false,
    send: (body) => call('POST /account/second-factor', { body }),
    onDone: (value) => {
      made.value = value
    },
  })
  return (
    <Dialog title="Set up the second factor" onClose={onClose}>
      {made.value === null ? (
        <Form form={form} act="Continue" onCancel={onClose}>
          <TextField label="Password" type="password" autoComplete="current-password" at={form.at('password')} />
        </Form>
      ) : (
        <ConfirmCode made={made.value} onClose={onClose} />
      )}
    </Dialog>
  )
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

function RemoveDialog({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const form = useForm({
    initial: { password: '' },
    guards: false,
    send: (body) => call('DELETE /account/second-factor', { body }),
    onDone: () => {
      toast('The second factor is removed.')
      void enter()
      onClose()
    },
  })
  return (
    <Dialog title="Remove the second factor" onClose={onClose}>
      <Form form={form} act="Remove it" danger onCancel={onClose}>
        <p>Your password alone will be enough to sign in.</p>
        <TextField label="Password" type="password" autoComplete="current-password" at={form.at('password')} />
      </Form>
    </Dialog>
  )
}
