/** Confirms the mail address of a sign-up with the link of the mail and the password that was chosen. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { type Answer, call } from '../../api/call.ts'
import { TextField } from '../../kit/form/fields.tsx'
import { Form } from '../../kit/form/form.tsx'
import { useForm } from '../../kit/form/use-form.ts'
import { LinkPage } from './link-page.tsx'

type SignUp = Answer<'POST /sign-up/mail'>
type Result = Answer<'POST /sign-up/confirm'>['result']

const texts: Readonly<Record<Result, string>> = {
  user: 'Your account is ready. Sign in with your password.',
  waiting: 'Your e-mail address is confirmed. We will e-mail you when your sign-up is approved.',
}

export function ConfirmSignUpPage(): JSX.Element {
  const result = useSignal<Result | null>(null)
  const done = result.value && { text: texts[result.value], canSignIn: result.value === 'user' }
  return (
    <LinkPage<SignUp>
      title="Confirm your sign-up"
      read={(code) => call('POST /sign-up/mail', { body: { code } })}
      done={done}
    >
      {(signUp, code) => (
        <ConfirmForm
          signUp={signUp}
          code={code}
          onDone={(next) => {
            result.value = next
          }}
        />
      )}
    </LinkPage>
  )
}

interface ConfirmFormProps {
  readonly signUp: SignUp
  readonly code: string
  readonly onDone: (result: Result) => void
}

function ConfirmForm({ signUp, code, onDone }: ConfirmFormProps): JSX.Element {
  const form = useForm({
    initial: { password: '' },
    guards: false,
    check: ({ password }) => ({ password: password === '' ? 'Enter your password.' : null }),
    send: ({ password }) => call('POST /sign-up/confirm', { body: { code, password } }),
    onDone: ({ result }) => onDone(result),
  })
  return (
    <Form form={form} act="Confirm">
      <h2>Welcome, {signUp.name}</h2>
      <p>Confirm that {signUp.email} is your address. If you did not sign up, close this page.</p>
      <TextField
        label="Password"
        type="password"
        autoComplete="current-password"
        hint="The password you chose at sign-up."
        at={form.at('password')}
      />
    </Form>
  )
}
