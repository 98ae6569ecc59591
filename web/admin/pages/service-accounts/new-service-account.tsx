/** Creates a service account; its key is shown once. */
import type { JSX } from 'preact'
import { call } from '../../api/call.ts'
import { Dialog } from '../../kit/dialog.tsx'
import { SelectField, TextField } from '../../kit/form/fields.tsx'
import { Form } from '../../kit/form/form.tsx'
import { useForm } from '../../kit/form/use-form.ts'
import { noRights, RightsFields, rightsFaults, sentRights } from '../users/rights-fields.tsx'

interface NewServiceAccountProps {
  readonly onDone: (bearer: string) => void
  readonly onClose: () => void
}

export function NewServiceAccountDialog({ onDone, onClose }: NewServiceAccountProps): JSX.Element {
  const form = useForm({
    initial: { name: '', ...noRights, expiresInDays: '90' },
    check: ({ name, ...rights }) => ({
      name: name.trim() === '' ? 'Enter a name.' : null,
      role: rights.role === '' ? 'Select a role.' : null,
      ...rightsFaults(rights),
    }),
    send: ({ name, expiresInDays, ...rights }) =>
      call('POST /service-accounts', { body: { name, expiresInDays: Number(expiresInDays), ...sentRights(rights) } }),
    onDone: ({ bearer }) => onDone(bearer),
  })
  return (
    <Dialog title="New service account" onClose={onClose}>
      <Form form={form} act="Create service account" onCancel={onClose}>
        <TextField
          label="Name"
          at={form.at('name')}
          maxLength={63}
          hint="Lower-case letters, digits and hyphens. The audit log shows it."
        />
        <RightsFields form={form} />
        <SelectField label="The key expires after" at={form.at('expiresInDays')} options={terms} />
      </Form>
    </Dialog>
  )
}

const terms = [30, 90, 180, 365].map((days) => ({ value: String(days), text: `${days} days` }))
