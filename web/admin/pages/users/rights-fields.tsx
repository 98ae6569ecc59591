/** The role of a user, and the merchants to which the user is restricted. */
import type { JSX } from 'preact'
import { useMerchants } from '../../api/merchants.ts'
import { useReading } from '../../api/use-reading.ts'
import { CheckField, SelectField } from '../../kit/form/fields.tsx'
import { MultiSelect } from '../../kit/form/multi-select.tsx'
import type { FormState } from '../../kit/form/use-form.ts'
import { session } from '../../session/session.ts'

interface Rights {
  readonly role: string
  readonly allMerchants: boolean
  /** The meaning of all merchants was confirmed. */
  readonly knowsAll: boolean
  readonly merchantIds: readonly string[]
}

export const noRights: Rights = { role: '', allMerchants: false, knowsAll: false, merchantIds: [] }

/** A user who is restricted to some merchants can grant access to no others. */
const isRestricted = (): boolean => session.value?.merchantIds !== null

/** All merchants must be chosen on purpose, and an empty list would leave a user without any. */
export const rightsFaults = ({ allMerchants, knowsAll, merchantIds }: Rights) => ({
  merchantIds: allMerchants || merchantIds.length > 0 ? null : 'Select at least one merchant, or all merchants.',
  knowsAll: allMerchants && !knowsAll ? 'Confirm this, or select merchants instead.' : null,
})

/** What is sent: the confirmation is between the panel and its user. */
export const sentRights = ({ role, allMerchants, merchantIds }: Rights) => ({
  role,
  allMerchants,
  merchantIds: allMerchants ? [] : merchantIds,
})

/** The server refuses a role with a permission that the user who grants it does not have. */
const isGrantable = ({ permissions }: { readonly permissions: readonly string[] }): boolean =>
  permissions.every((name) => session.value?.permissions.some((own) => own === name))

export function RightsFields<Values extends Rights>({ form }: { readonly form: FormState<Values> }): JSX.Element {
  const roles = useReading('GET /roles').value?.roles ?? []
  const merchants = useMerchants()
  const options = roles.filter(isGrantable).map(({ name, title, builtIn }) => ({
    value: name,
    text: builtIn ? name : `${title} (${name})`,
  }))
  const at: FormState<Rights>['at'] = form.at
  return (
    <>
      <SelectField
        label="Role"
        options={[{ value: '', text: 'Select a role' }, ...options]}
        at={at('role')}
        hint="See the Roles page for the permissions of each role."
      />
      {!isRestricted() && <CheckField label="All merchants, including new ones" at={at('allMerchants')} />}
      {form.values.allMerchants && (
        <CheckField
          label="I confirm: this account sees and changes every merchant, also those that are created later"
          at={at('knowsAll')}
        />
      )}
      {!form.values.allMerchants && (
        <MultiSelect label="Merchants" options={merchants.choices} at={at('merchantIds')} />
      )}
    </>
  )
}
