/** Asks for a link by mail. The answer is the same for every address. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { call } from '../../api/call.ts'
import { Button } from '../../kit/button.tsx'
import { TextField } from '../../kit/form/fields.tsx'
import { Form } from '../../kit/form/form.tsx'
import { useForm } from '../../kit/form/use-form.ts'
import { Notice } from '../../kit/states.tsx'

export function ForgotPassword({ onBack }: { readonly onBack: () => void }): JSX.Element {
  const sentTo = useSignal<string | null>(null)
  const form = useForm({
    initial: { email: '' },
    guards: false,
    check: ({ email }) => ({ email: email.trim() === '' ? 'Enter your e-mail address.' : null }),
    send: ({ email }) => call('POST /password-reset', { body: { email: email.trim() } }),
    onDone: (_, { email }) => {
      sentTo.value = email.trim()
    },
  })
  if (sentTo.value !== null)
    return (
      <div role="status" class="stack">
        <Notice tone="good">
          <p>If {sentTo.value} has an account, an e-mail with a link is being sent. The link works for one hour.</p>
        </Notice>
        <Button onClick={onBack}>Back to sign-in</Button>
      </div>
    )
  return (
    <Form form={form} act="Send link" onCancel={onBack}>
      <h2>Forgot your password?</h2>
      <TextField
        label="E-mail address"
        type="email"
        autoComplete="username"
        hint="You will get a link to choose a new password."
        at={form.at('email')}
      />
    </Form>
  )
}
