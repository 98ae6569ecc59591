/** Creates a user: invited by mail, or with an initial password that is shown once. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { call } from '../../api/call.ts'
import { Dialog } from '../../kit/dialog.tsx'
import { CheckField, TextField } from '../../kit/form/fields.tsx'
import { Form } from '../../kit/form/form.tsx'
import { useForm } from '../../kit/form/use-form.ts'
import { toast } from '../../kit/toasts.tsx'
import { SecretOnce } from '../../kit/values/secret-once.tsx'
import { session } from '../../session/session.ts'
import { noRights, RightsFields, rightsFaults, sentRights } from './rights-fields.tsx'

export function NewUserDialog(props: { readonly onDone: () => void; readonly onClose: () => void }): JSX.Element {
  const newAccount = useSignal<readonly (readonly [string, string])[] | null>(null)
  const canMail = session.value?.sendsMail === true
  const form = useForm({
    initial: {
      email: '',
      name: '',
      ...noRights,
      requireSecondFactor: false,
      invite: canMail,
    },
    check: ({ name, email, ...rights }) => ({
      name: name.trim() === '' ? 'Enter a name.' : null,
      email: email.trim() === '' ? 'Enter an e-mail address.' : null,
      role: rights.role === '' ? 'Select a role.' : null,
      ...rightsFaults(rights),
    }),
    send: ({ email, name, requireSecondFactor, invite, ...rights }) =>
      call('POST /users', { body: { email, name, requireSecondFactor, invite, ...sentRights(rights) } }),
    onDone: ({ user, password }) => {
      const waits = user.waitingApproval !== null
      if (waits) toast('Another administrator must now approve the account under Approvals.')
      if (password === null) {
        if (!waits) toast(`An invitation is being sent to ${user.email}.`)
        props.onDone()
        props.onClose()
        return
      }
      newAccount.value = [
        ['E-mail address', user.email],
        ['Initial password', password],
      ]
      props.onDone()
    },
  })
  if (newAccount.value !== null)
    return <SecretOnce title="User created" secrets={newAccount.value} onClose={props.onClose} />
  return (
    <Dialog title="New user" onClose={props.onClose}>
      <Form form={form} act="Create user" onCancel={props.onClose}>
        <TextField label="Name" at={form.at('name')} maxLength={100} />
        <TextField label="E-mail address" type="email" at={form.at('email')} />
        <RightsFields form={form} />
        <CheckField label="Require second factor" at={form.at('requireSecondFactor')} />
        {canMail && (
          <CheckField
            label="Send an invitation by e-mail"
            hint="The user chooses the password with a link. Otherwise you are shown an initial password to pass on."
            at={form.at('invite')}
          />
        )}
      </Form>
    </Dialog>
  )
}
