/** The settings of a wallet; its setup determines the fields. */
import type { JSX } from 'preact'
import { type Answer, call } from '../../../api/call.ts'
import { CheckField, FieldGroup, SelectField } from '../../../kit/form/fields.tsx'
import { Form } from '../../../kit/form/form.tsx'
import { useForm } from '../../../kit/form/use-form.ts'
import { toast } from '../../../kit/toasts.tsx'
import { may, session } from '../../../session/session.ts'
import { entryOf, type Values, valuesOf } from './wallet-entry.ts'
import { trustSources, WalletAFields, WalletBFields } from './wallet-fields.tsx'
import { Remarks, useJudgement, withJudgement } from './wallet-judgement.tsx'
import type { WalletRecordKey, WalletView } from './wallet-record.ts'

interface WalletSettingsProps {
  readonly recordKey: WalletRecordKey
  readonly view: WalletView | null
  readonly onSaved: () => void
}

export function WalletSettings({ recordKey, view, onSaved }: WalletSettingsProps): JSX.Element {
  const params = { ...recordKey }
  const isSandbox = session.value?.mode === 'sandbox'
  const version = view === null ? {} : { version: view.settings.version }
  const bodyOf = (values: Values) => ({ ...entryOf(values, recordKey, isSandbox), ...version })
  const plain = useForm<Values, Answer<'PUT /merchants/:merchantId/wallets/:mode/:wallet'>>({
    initial: valuesOf(recordKey, view),
    send: (values) => call('PUT /merchants/:merchantId/wallets/:mode/:wallet', { params, body: bodyOf(values) }),
    onDone: ({ notes }) => {
      toast(['Wallet saved.', ...notes].join(' '))
      onSaved()
    },
  })
  const mayWrite = may('wallets.write')
  const judgement = useJudgement(
    plain,
    mayWrite
      ? (values, signal) =>
          call('POST /merchants/:merchantId/wallets/:mode/:wallet/validate', { params, body: bodyOf(values), signal })
      : null,
  )
  const form = withJudgement(plain, judgement)
  const hasKeys = view !== null && view.keys.length > 0
  return (
    <Form form={form} act={view === null ? 'Set up wallet' : 'Save'} always={view === null} readOnly={!mayWrite}>
      {recordKey.wallet === 'walletapay' && (
        <SelectField
          label="Setup"
          hint="Through the platform: uses the operator’s account and keys. Own account: uses the merchant’s own identifier, certificates and keys."
          at={form.at('setup')}
          options={setups}
        />
      )}
      <CheckField label="Enabled" at={form.at('enabled')} />
      {isSandbox && <SelectField label="Accept tokens from" at={form.at('trustSource')} options={trustSources} />}
      <FieldGroup title="Wallet provider settings">
        {recordKey.wallet === 'walletapay' ? (
          <WalletAFields form={form} hasKeys={hasKeys} />
        ) : (
          <WalletBFields form={form} hasKeys={hasKeys} mode={recordKey.mode} />
        )}
      </FieldGroup>
      <Remarks judgement={judgement} />
    </Form>
  )
}

const setups = [
  { value: 'platform', text: 'Through the platform' },
  { value: 'own_account', text: 'Own account' },
] as const
