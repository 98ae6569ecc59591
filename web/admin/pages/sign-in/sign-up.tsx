/** Signs up with a link: name, mail address and password. The answer is the same for every address. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { type Answer, call } from '../../api/call.ts'
import { TextField } from '../../kit/form/fields.tsx'
import { Form } from '../../kit/form/form.tsx'
import { useForm } from '../../kit/form/use-form.ts'
import { LinkPage } from './link-page.tsx'

type Link = Answer<'POST /sign-up-link'>

export function SignUpPage(): JSX.Element {
  const sentTo = useSignal<string | null>(null)
  const done = sentTo.value === null ? null : { text: sentText(sentTo.value), canSignIn: false }
  return (
    <LinkPage<Link> title="Sign up" read={(code) => call('POST /sign-up-link', { body: { code } })} done={done}>
      {(link, code) => (
        <SignUpForm
          link={link}
          code={code}
          onDone={(email) => {
            sentTo.value = email
          }}
        />
      )}
    </LinkPage>
  )
}

const sentText = (email: string): string =>
  `An e-mail is being sent to ${email}. Open its link within 24 hours to finish your sign-up.`

interface SignUpFormProps {
  readonly link: Link
  readonly code: string
  readonly onDone: (email: string) => void
}

function SignUpForm({ link, code, onDone }: SignUpFormProps): JSX.Element {
  const { merchants, domains, needsApproval, passwordLength } = link
  const form = useForm({
    initial: { name: '', email: '', password: '', again: '' },
    guards: false,
    check: ({ name, email, password, again }) => ({
      name: name.trim() === '' ? 'Enter your name.' : null,
      email: email.trim() === '' ? 'Enter your e-mail address.' : null,
      password: password.length < passwordLength ? `Use at least ${passwordLength} characters.` : null,
      again: again === password ? null : 'The passwords differ.',
    }),
    send: ({ name, email, password }) =>
      call('POST /sign-up', { body: { code, name: name.trim(), email: email.trim(), password } }),
    onDone: (_, { email }) => onDone(email.trim()),
  })
  return (
    <Form form={form} act="Sign up">
      <h2>Sign up</h2>
      <p>Access to {merchants.join(', ')}.</p>
      {needsApproval && <p class="faint">A person approves your sign-up before you can sign in.</p>}
      <TextField label="Name" autoComplete="name" maxLength={100} at={form.at('name')} />
      <TextField
        label="E-mail address"
        type="email"
        autoComplete="username"
        hint={domains.length > 0 ? `An address of ${domains.join(' or ')}.` : undefined}
        at={form.at('email')}
      />
      <TextField
        label="Password"
        type="password"
        autoComplete="new-password"
        hint={`At least ${passwordLength} characters.`}
        at={form.at('password')}
      />
      <TextField label="Password again" type="password" autoComplete="new-password" at={form.at('again')} />
    </Form>
  )
}
