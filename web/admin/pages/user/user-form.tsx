/** A user's name, role and merchants. */
import type { JSX } from 'preact'
import { call } from '../../api/call.ts'
import { CheckField, TextField } from '../../kit/form/fields.tsx'
import { Form } from '../../kit/form/form.tsx'
import { useForm } from '../../kit/form/use-form.ts'
import { toast } from '../../kit/toasts.tsx'
import { RightsFields, rightsFaults, sentRights } from '../users/rights-fields.tsx'
import { savedText, type User } from '../users/user-state.tsx'

export function UserForm({ user, onChanged }: { readonly user: User; readonly onChanged: () => void }): JSX.Element {
  const { id, name, role, allMerchants, merchantIds, requireSecondFactor } = user
  const form = useForm({
    initial: { name, role, allMerchants, knowsAll: allMerchants, merchantIds, requireSecondFactor },
    check: rightsFaults,
    send: (values) =>
      call('PATCH /users/:userId', {
        params: { userId: id },
        body: { name: values.name, requireSecondFactor: values.requireSecondFactor, ...sentRights(values) },
      }),
    onDone: ({ waitingApproval }) => {
      toast(savedText(waitingApproval !== null, 'User saved.'))
      onChanged()
    },
  })
  return (
    <Form form={form} act="Save" always={false}>
      <TextField label="Name" at={form.at('name')} maxLength={100} />
      <RightsFields form={form} />
      <CheckField label="Require second factor" at={form.at('requireSecondFactor')} />
    </Form>
  )
}
