/** Chooses a password with the link of a mail: an invitation or a reset. The code stands behind `#` of the address. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { type Answer, call } from '../../api/call.ts'
import { TextField } from '../../kit/form/fields.tsx'
import { Form } from '../../kit/form/form.tsx'
import { useForm } from '../../kit/form/use-form.ts'
import { LinkPage } from './link-page.tsx'

type Link = Answer<'POST /password-link'>

export function ChoosePasswordPage(): JSX.Element {
  const isDone = useSignal(false)
  return (
    <LinkPage<Link>
      title="Choose a password"
      read={(code) => call('POST /password-link', { body: { code } })}
      done={isDone.value ? { text: 'Your password is set. Sign in with it.', canSignIn: true } : null}
    >
      {(link, code) => (
        <PasswordForm
          link={link}
          code={code}
          onDone={() => {
            isDone.value = true
          }}
        />
      )}
    </LinkPage>
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
