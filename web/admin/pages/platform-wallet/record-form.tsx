/** The settings of the operator's record, validated while they are typed. */
import type { JSX } from 'preact'
import { type Answer, type Body, call, textAt } from '../../api/call.ts'
import { SelectField, TextField } from '../../kit/form/fields.tsx'
import { Form } from '../../kit/form/form.tsx'
import { useForm } from '../../kit/form/use-form.ts'
import { toast } from '../../kit/toasts.tsx'
import { may, session } from '../../session/session.ts'
import { KeyFields, type KeyValues, noKeys, trustSources } from '../merchant/wallets/wallet-fields.tsx'
import { Remarks, useJudgement, withJudgement } from '../merchant/wallets/wallet-judgement.tsx'
import type { WalletView } from '../merchant/wallets/wallet-record.ts'

interface Values extends KeyValues {
  readonly trustSource: (typeof trustSources)[number]['value']
  readonly merchantIdentifier: string
  readonly sessionUrl: string
}

interface RecordFormProps {
  /** Null if there is no record yet. */
  readonly view: WalletView | null
  readonly onSaved: () => void
}

export function RecordForm({ view, onSaved }: RecordFormProps): JSX.Element {
  const isSandbox = session.value?.mode === 'sandbox'
  const mayWrite = may('wallet-platform.write')
  const version = view === null ? {} : { version: view.settings.version }
  const bodyOf = (values: Values) => ({ ...entryOf(values, isSandbox), ...version })
  const plain = useForm<Values, Answer<'PUT /platform-wallet'>>({
    initial: valuesOf(view),
    send: (values) => call('PUT /platform-wallet', { body: bodyOf(values) }),
    onDone: ({ notes }) => {
      toast(['Record saved.', ...notes].join(' '))
      onSaved()
    },
  })
  const judgement = useJudgement(
    plain,
    mayWrite ? (values, signal) => call('POST /platform-wallet/validate', { body: bodyOf(values), signal }) : null,
  )
  const form = withJudgement(plain, judgement)
  return (
    <Form form={form} act={view === null ? 'Create record' : 'Save'} always={view === null} readOnly={!mayWrite}>
      <TextField
        label="Merchant identifier"
        mono
        hint="The identifier of the operator’s account with the wallet provider, such as merchant.com.example.gateway."
        at={form.at('merchantIdentifier')}
      />
      <TextField
        label="Session address"
        optional
        type="url"
        mono
        hint="Address for payment sessions. Leave empty for the wallet provider’s default."
        at={form.at('sessionUrl')}
      />
      {isSandbox && <SelectField label="Accept tokens from" at={form.at('trustSource')} options={trustSources} />}
      {(view === null || view.keys.length === 0) && <KeyFields form={form} />}
      <Remarks judgement={judgement} />
    </Form>
  )
}

const valuesOf = (view: WalletView | null): Values => ({
  trustSource: view?.settings.trustSource === 'wallet maker' ? 'wallet maker' : 'sandbox authority',
  merchantIdentifier: textAt(view?.settings.fields, 'merchantIdentifier'),
  sessionUrl: textAt(view?.settings.fields, 'sessionUrl'),
  ...noKeys,
})

/** Empty keys are not sent, so the stored ones stay. */
function entryOf(values: Values, isSandbox: boolean): Body<'PUT /platform-wallet'> {
  const { trustSource, merchantIdentifier, sessionUrl, ...keys } = values
  return {
    ...(isSandbox ? { trustSource } : {}),
    merchantIdentifier: merchantIdentifier.trim() || null,
    sessionUrl: sessionUrl.trim() || null,
    ...Object.fromEntries(Object.entries(keys).filter(([, text]) => text.trim() !== '')),
  }
}
