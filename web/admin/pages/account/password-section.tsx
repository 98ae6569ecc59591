/** Changes the user's own password, which ends every other session. */
import type { JSX } from 'preact'
import { call } from '../../api/call.ts'
import { TextField } from '../../kit/form/fields.tsx'
import { Form } from '../../kit/form/form.tsx'
import { useForm } from '../../kit/form/use-form.ts'
import { Section } from '../../kit/page.tsx'
import { toast } from '../../kit/toasts.tsx'
import { loadSession } from '../../session/session.ts'

const empty = { current: '', next: '', again: '' }

export function PasswordSection(): JSX.Element {
  const form = useForm({
    initial: empty,
    check: ({ current, next, again }) => ({
      current: current === '' ? 'Enter your current password.' : null,
      next: next === '' ? 'Enter a new password.' : null,
      again: next === again ? null : 'The passwords do not match.',
    }),
    send: ({ current, next }) => call('POST /account/password', { body: { current, next } }),
    onDone: () => {
      form.reset(empty)
      toast('Password changed. All other sessions have been signed out.')
      void loadSession()
    },
  })
  return (
    <Section title="Password">
      <Form form={form} act="Change password">
        <TextField label="Current password" type="password" autoComplete="current-password" at={form.at('current')} />
        <TextField
          label="New password"
          hint="Use letters and digits, for example three unusual words and a number."
          type="password"
          autoComplete="new-password"
          at={form.at('next')}
        />
        <TextField label="Repeat new password" type="password" autoComplete="new-password" at={form.at('again')} />
      </Form>
    </Section>
  )
}
