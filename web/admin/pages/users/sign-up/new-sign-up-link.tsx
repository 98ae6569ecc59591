/** Creates a sign-up link; its address is shown once. */

import type { JSX } from 'preact'
import { call } from '../../../api/call.ts'
import { useMerchants } from '../../../api/merchants.ts'
import { Dialog } from '../../../kit/dialog.tsx'
import { CheckField, FieldRow, SelectField, TextField } from '../../../kit/form/fields.tsx'
import { Form } from '../../../kit/form/form.tsx'
import { MultiSelect } from '../../../kit/form/multi-select.tsx'
import { useForm } from '../../../kit/form/use-form.ts'
import { splitList } from '../../../kit/values/split-list.ts'

interface NewSignUpLinkProps {
  readonly onDone: (address: string) => void
  readonly onClose: () => void
}

const mostUses = 1000

export function NewSignUpLinkDialog({ onDone, onClose }: NewSignUpLinkProps): JSX.Element {
  const merchants = useMerchants()
  const [only] = merchants.list.length === 1 ? merchants.list : []
  const chosen: readonly string[] = only === undefined ? [] : [only.id]
  const form = useForm({
    initial: {
      note: '',
      role: 'merchant-viewer',
      merchantIds: chosen,
      uses: '1',
      expiresInDays: '14',
      domains: '',
      needsApproval: true,
    },
    check: ({ merchantIds, uses }) => ({
      merchantIds: merchantIds.length === 0 ? 'Select at least one merchant.' : null,
      uses:
        /^[0-9]{1,4}$/.test(uses) && Number(uses) >= 1 && Number(uses) <= mostUses ? null : `Enter 1 to ${mostUses}.`,
    }),
    send: ({ uses, expiresInDays, domains, ...values }) =>
      call('POST /sign-up-links', {
        body: {
          ...values,
          uses: Number(uses),
          expiresInDays: Number(expiresInDays),
          domains: splitList(domains),
        },
      }),
    onDone: ({ address }) => onDone(address),
  })
  return (
    <Dialog title="New sign-up link" onClose={onClose}>
      <Form form={form} act="Create link" onCancel={onClose}>
        <TextField
          label="Note"
          optional
          maxLength={200}
          hint="The person or company that the link is for. Only users of the panel see it."
          at={form.at('note')}
        />
        <SelectField label="Role" options={roles} at={form.at('role')} />
        <MultiSelect label="Merchants" options={merchants.choices} at={form.at('merchantIds')} />
        <FieldRow>
          <TextField label="Uses" inputMode="numeric" maxLength={4} at={form.at('uses')} />
          <SelectField label="Expires after" options={terms} at={form.at('expiresInDays')} />
        </FieldRow>
        <TextField
          label="E-mail domains"
          optional
          hint="Such as shop.example, other.example. Leave empty to allow any domain."
          at={form.at('domains')}
        />
        <CheckField
          label="Approve each sign-up"
          hint="Each sign-up is approved by a user who may create users of these merchants. Otherwise everyone with the link gets access."
          at={form.at('needsApproval')}
        />
      </Form>
    </Dialog>
  )
}

const roles = ['merchant-viewer', 'merchant-admin'].map((role) => ({ value: role, text: role }))
const terms = [1, 7, 14, 30, 90].map((days) => ({ value: String(days), text: days === 1 ? '1 day' : `${days} days` }))
