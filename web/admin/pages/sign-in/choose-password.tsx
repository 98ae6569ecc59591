/** Chooses a password with the link of a mail: an invitation or a reset. The code stands behind `#` of the address. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { type Answer, call, type Fault } from '../../api/call.ts'
import { Button } from '../../kit/button.tsx'
import { FaultView } from '../../kit/fault-view.tsx'
import { TextField } from '../../kit/form/fields.tsx'
import { Form } from '../../kit/form/form.tsx'
import { useForm } from '../../kit/form/use-form.ts'
import { Notice, Skeleton } from '../../kit/states.tsx'
import { go } from '../../router/current-address.ts'
import { leaveOpenPage } from '../../session/session.ts'
import { Mark } from '../../shell/shell.tsx'

type Link = Answer<'POST /password-link'>

export function ChoosePasswordPage(): JSX.Element {
  const code = useSignal(window.location.hash.slice(1))
  const link = useSignal<Link | null>(null)
  const fault = useSignal<Fault | null>(null)
  const isDone = useSignal(false)
  useEffect(() => {
    document.title = 'Choose a password · Gatehouse'
    void call('POST /password-link', { body: { code: code.value } }).then((result) => {
      if (result.ok) link.value = result.value
      else fault.value = result.fault
    })
  }, [])
  const goToSignIn = (): void => {
    leaveOpenPage()
    go('/', { replace: true, stay: true })
  }
  return (
    <main class="alone">
      <h1>
        <Mark /> Gatehouse
      </h1>
      <div class="section">
        {isDone.value ? (
          <div role="status" class="stack">
            <Notice tone="good">Your password is set. Sign in with it.</Notice>
            <Button kind="primary" onClick={goToSignIn}>
              Sign in
            </Button>
          </div>
        ) : fault.value !== null ? (
          <div class="stack">
            <FaultView fault={fault.value} />
            <Button onClick={goToSignIn}>Go to sign-in</Button>
          </div>
        ) : link.value === null ? (
          <Skeleton lines={3} />
        ) : (
          <PasswordForm
            link={link.value}
            code={code.value}
            onDone={() => {
              isDone.value = true
            }}
          />
        )}
      </div>
    </main>
  )
}

interface PasswordFormProps {
  readonly link: Link
  readonly code: string
  readonly onDone: () => void
}

function PasswordForm({ link, code, onDone }: PasswordFormProps): JSX.Element {
  const form = useForm({
    initial: { next: '', again: '' },
    guards: false,
    check: ({ next, again }) => ({
      next: next.length < link.passwordLength ? `Use at least ${link.passwordLength} characters.` : null,
      again: again === next ? null : 'The passwords differ.',
    }),
    send: ({ next }) => call('POST /password-link/use', { body: { code, next } }),
    onDone,
  })
  return (
    <Form form={form} act="Set password">
      <h2>{link.purpose === 'invitation' ? `Welcome, ${link.name}` : 'Choose a new password'}</h2>
      <p>For {link.email}.</p>
      <TextField
        label="Password"
        type="password"
        autoComplete="new-password"
        hint={`At least ${link.passwordLength} characters.`}
        at={form.at('next')}
      />
      <TextField label="Password again" type="password" autoComplete="new-password" at={form.at('again')} />
    </Form>
  )
}
