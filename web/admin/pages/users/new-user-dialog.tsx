/** Creates a user and shows the first password once. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { call } from '../../api/call.ts'
import { Dialog } from '../../kit/dialog.tsx'
import { CheckField, TextField } from '../../kit/form/fields.tsx'
import { Form } from '../../kit/form/form.tsx'
import { useForm } from '../../kit/form/use-form.ts'
import { SecretOnce } from '../../kit/values/secret-once.tsx'
import { merchantsFault, RightsFields } from './rights-fields.tsx'

export function NewUserDialog(props: { readonly onDone: () => void; readonly onClose: () => void }): JSX.Element {
  const newAccount = useSignal<readonly (readonly [string, string])[] | null>(null)
  const noMerchants: readonly string[] = []
  const form = useForm({
    initial: {
      email: '',
      name: '',
      role: '',
      allMerchants: false,
      merchantIds: noMerchants,
      requireSecondFactor: false,
    },
    check: ({ name, email, role, allMerchants, merchantIds }) => ({
      name: name.trim() === '' ? 'Enter a name.' : null,
      email: email.trim() === '' ? 'Enter an e-mail address.' : null,
      role: role === '' ? 'Select a role.' : null,
      merchantIds: merchantsFault({ allMerchants, merchantIds }),
    }),
    send: (values) =>
      call('POST /users', { body: { ...values, merchantIds: values.allMerchants ? [] : values.merchantIds } }),
    onDone: ({ user, password }) => {
      newAccount.value = [
        ['E-mail address', user.email],
        ['First password', password],
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
      </Form>
    </Dialog>
  )
}
