/** The fields of both wallets, by the tables of chapter 40 §3. */
import type { JSX } from 'preact'
import {
  CheckField,
  type Choice,
  FieldGroup,
  FieldRow,
  SelectField,
  TextArea,
  TextField,
} from '../../../kit/form/fields.tsx'
import { MultiSelect } from '../../../kit/form/multi-select.tsx'
import type { FormState } from '../../../kit/form/use-form.ts'
import type { Mode } from '../../../session/mode.ts'
import { authMethods, type Values } from './wallet-entry.ts'

interface WalletAFieldsProps {
  readonly form: FormState<Values>
  /** Existing keys are changed by rotation, not here. */
  readonly hasKeys: boolean
}

export function WalletAFields({ form, hasKeys }: WalletAFieldsProps): JSX.Element {
  const isOwn = form.values.setup === 'own_account'
  return (
    <>
      {isOwn && (
        <TextField
          label="Merchant identifier"
          mono
          hint="Such as merchant.com.example.shop."
          at={form.at('merchantIdentifier')}
        />
      )}
      <FieldRow>
        <TextField
          label="Shop name"
          hint={isOwn ? 'As in the developer account.' : 'Shown to the payer on the payment sheet.'}
          maxLength={64}
          at={form.at('shopName')}
        />
        <TextField
          label="Country"
          suggest="country"
          hint="Two letters, such as DE."
          mono
          maxLength={2}
          at={form.at('country')}
        />
      </FieldRow>
      <MultiSelect
        label="Merchant capabilities"
        hint="supports3DS is required."
        at={form.at('merchantCapabilities')}
        options={capabilities.map(asChoice)}
      />
      <MultiSelect label="Supported networks" at={form.at('supportedNetworks')} options={networksA.map(asChoice)} />
      {isOwn && !hasKeys && <KeyFields form={form} />}
    </>
  )
}

/** Entered by a merchant with its own account, and by the operator for the platform. */
export interface KeyValues {
  readonly certificate: string
  readonly privateKey: string
  readonly processingPrivateKey: string
  readonly processingCertificate: string
}

export const noKeys: KeyValues = {
  certificate: '',
  privateKey: '',
  processingPrivateKey: '',
  processingCertificate: '',
}

export const KeyFields = <T extends KeyValues>({ form }: { readonly form: FormState<T> }): JSX.Element => (
  <FieldGroup
    title="Keys and certificates"
    hint="Encrypted when saved and never shown again. Add later keys below, so that old and new overlap."
  >
    <KeyArea
      label="Certificate"
      hint="The merchant identity certificate issued by the wallet provider."
      at={form.at('certificate')}
    />
    <KeyArea label="Private key" hint="The key of the identity certificate." at={form.at('privateKey')} />
    <KeyArea
      label="Processing private key"
      hint="One line: the text between the BEGIN and END markers. Without it, the acquirer decrypts (virtual flow)."
      at={form.at('processingPrivateKey')}
    />
    <KeyArea
      label="Processing certificate"
      optional
      hint="Shows when the key expires."
      at={form.at('processingCertificate')}
    />
  </FieldGroup>
)

interface WalletBFieldsProps extends WalletAFieldsProps {
  readonly mode: Mode
}

export function WalletBFields({ form, hasKeys, mode }: WalletBFieldsProps): JSX.Element {
  return (
    <>
      <FieldRow>
        <SelectField
          label="Environment"
          hint="Tokens of another environment are refused."
          at={form.at('environment')}
          options={mode === 'live' ? [production] : [{ value: 'TEST', text: 'TEST' }, production]}
        />
        <TextField
          label="Merchant identifier"
          mono
          hint="From the wallet provider’s business console. Required for Checkout in PRODUCTION."
          at={form.at('merchantIdentifier')}
        />
      </FieldRow>
      <FieldRow>
        <TextField
          label="Gateway"
          optional
          mono
          hint="Leave empty for this instance’s gateway name."
          at={form.at('gateway')}
        />
        <TextField
          label="Gateway merchant id"
          optional
          mono
          hint="Leave empty for the merchant’s id, in test mode with test- before it."
          at={form.at('gatewayMerchantId')}
        />
      </FieldRow>
      <FieldRow>
        <TextField label="Shop name" optional maxLength={64} at={form.at('shopName')} />
        <TextField label="Country" suggest="country" optional mono maxLength={2} at={form.at('country')} />
      </FieldRow>
      <MultiSelect
        label="Allowed authentication methods"
        hint="Checkout only. PAN_ONLY leaves 3-D Secure to the acquirer."
        at={form.at('authMethods')}
        options={authMethods.map(asChoice)}
      />
      <MultiSelect
        label="Supported networks"
        hint="Checkout only."
        at={form.at('supportedNetworks')}
        options={networksB.map(asChoice)}
      />
      <CheckField label="Ask for the billing address" at={form.at('billingAddress')} />
      <CheckField label="Ask for the phone number" at={form.at('phone')} />
      {!hasKeys && (
        <KeyArea
          label="Private key"
          optional
          hint="P-256. Required when this service decrypts."
          at={form.at('privateKey')}
        />
      )}
    </>
  )
}

type KeyAreaProps = Omit<Parameters<typeof TextArea>[0], 'mono' | 'rows'>

const KeyArea = (props: KeyAreaProps): JSX.Element => <TextArea {...props} mono rows={4} />

/** Only a sandbox has a choice. */
export const trustSources = [
  { value: 'sandbox authority', text: 'the sandbox authority' },
  { value: 'wallet maker', text: 'the wallet provider' },
] as const

const asChoice = (value: string): Choice => ({ value, text: value })
const production: Choice<Values['environment']> = { value: 'PRODUCTION', text: 'PRODUCTION' }

const capabilities = ['supports3DS', 'supportsCredit', 'supportsDebit', 'supportsEMV']

/** As the wallet providers spell them. */
// biome-ignore format: a list is read in lines.
const networksA = [
  'visa', 'masterCard', 'amex', 'discover', 'jcb', 'maestro', 'electron', 'vPay', 'chinaUnionPay', 'cartesBancaires', 'girocard',
  'bancontact', 'bancomat', 'pagoBancomat', 'postFinance', 'dankort', 'eftpos', 'elo', 'interac', 'mada', 'meeza', 'mir', 'napas', 'nspk',
  'privateLabel',
]
const networksB = ['VISA', 'MASTERCARD', 'AMEX', 'DISCOVER', 'JCB']
