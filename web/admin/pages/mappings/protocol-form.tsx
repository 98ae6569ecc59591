/** The options of one protocol. The domain's option table defines the options, their values and their defaults. */
import type { JSX } from 'preact'
import { mappingOptions, parseMappingOptions, payerFieldChoices } from '#domain/mapping.ts'
import type { Protocol } from '#domain/merchant.ts'
import { languages } from '#domain/place/language.ts'
import { fieldsFor, type Place } from '#domain/report-fields.ts'
import { type Answer, type Body, call } from '../../api/call.ts'
import {
  CheckField,
  type Choice,
  FieldGroup,
  FieldRow,
  SelectField,
  TextArea,
  TextField,
} from '../../kit/form/fields.tsx'
import { Form } from '../../kit/form/form.tsx'
import { MultiSelect } from '../../kit/form/multi-select.tsx'
import { type FormState, useForm } from '../../kit/form/use-form.ts'
import { Section } from '../../kit/page.tsx'
import { Notice } from '../../kit/states.tsx'
import { toast } from '../../kit/toasts.tsx'
import { may } from '../../session/session.ts'
import { optionsFrom, type TypedOptions, typedOf } from './typed-options.ts'

type StoredMapping = Answer<'GET /merchants/:merchantId/protocol-mappings'>['mappings'][number]

type MappingBody = Body<'PUT /merchants/:merchantId/protocol-mappings/:protocol'>

interface ProtocolFormProps {
  readonly merchantId: string
  readonly protocol: Protocol
  /** Absent: the merchant cannot use the protocol. */
  readonly stored: StoredMapping | undefined
  readonly onSaved: () => void
}

export function ProtocolForm({ merchantId, protocol, stored, onSaved }: ProtocolFormProps): JSX.Element {
  const { mapping } = parseMappingOptions({ merchantId, protocol, options: stored?.chosen ?? {} })
  const form = useForm<TypedOptions, StoredMapping>({
    initial: typedOf(stored?.enabled ?? false, mapping),
    send: (typed) =>
      call('PUT /merchants/:merchantId/protocol-mappings/:protocol', {
        params: { merchantId, protocol },
        body: { ...bodyOf(typed, protocol), over: stored ? keptOf(stored) : null },
      }),
    onDone: () => {
      toast('Mapping saved.')
      onSaved()
    },
  })
  return (
    <Section>
      {stored === undefined && (
        <Notice tone="warn">
          <p>The merchant has no mapping for this protocol and cannot use it. Save to create one.</p>
        </Notice>
      )}
      <Form
        form={form}
        act={stored === undefined ? 'Create mapping' : 'Save'}
        always={stored === undefined}
        readOnly={!may('mappings.write')}
      >
        <CheckField
          label="Enabled"
          hint="If disabled, every request on this protocol is refused."
          at={form.at('enabled')}
        />
        <General form={form} protocol={protocol} />
        <AdditionalFields form={form} protocol={protocol} />
        {protocol !== 'S2S_APM' && <PayerFields form={form} protocol={protocol} />}
        {protocol === 'CHECKOUT' && <CheckoutOptions form={form} />}
      </Form>
    </Section>
  )
}

/** The form has the values of the option table; the server reports any that it refuses. */
const bodyOf = (typed: TypedOptions, protocol: Protocol): MappingBody => ({
  enabled: typed.enabled,
  options: optionsFrom(typed, protocol),
})

/** Sent back exactly as received, so the server can tell whether another user has saved since. */
const keptOf = ({ enabled, chosen }: StoredMapping) => ({ enabled, options: chosen as MappingBody['options'] })

interface PartProps {
  readonly form: FormState<TypedOptions>
  readonly protocol: Protocol
}

const PayerFields = ({ form, protocol }: PartProps): JSX.Element => (
  <FieldGroup
    title={mappingOptions.requiredPayerFields.title}
    hint={
      protocol === 'CHECKOUT'
        ? 'The hosted page asks card payers for these, unless the request has them.'
        : 'Unselected fields are optional.'
    }
  >
    <MultiSelect
      label="Payer fields"
      at={form.at('requiredPayerFields')}
      options={payerFieldChoices(protocol).map(asChoice)}
      none={protocol === 'CHECKOUT' ? 'only the card and its holder’s name' : 'all optional'}
    />
  </FieldGroup>
)

const General = ({ form, protocol }: PartProps): JSX.Element => (
  <FieldGroup title="General">
    <FieldRow>
      <SelectField
        label={mappingOptions.digest.title}
        hint="Used for every hash of this protocol."
        at={form.at('digest')}
        options={digests}
      />
      <SelectField
        label={mappingOptions.requestSignature.title}
        hint="The hash leaves out parts of a request, such as the amount of a card payment. A signature in headers covers all of it. Choose the same in every mapping of the merchant."
        at={form.at('requestSignature')}
        options={requestSignatures}
      />
      <SelectField label={mappingOptions.callbackFormat.title} at={form.at('callbackFormat')} options={formats} />
      {protocol === 'CHECKOUT' && (
        <SelectField
          label={mappingOptions.hashUpperCasing.title}
          hint="Unicode if the shop refuses callbacks with letters such as é."
          at={form.at('hashUpperCasing')}
          options={upperCasings}
        />
      )}
      {protocol !== 'CHECKOUT' && (
        <SelectField
          label={mappingOptions.redirectMode.title}
          hint="With memory storage, the redirect data is stored here and the answer has a single address."
          at={form.at('redirectMode')}
          options={redirectModes}
        />
      )}
    </FieldRow>
    <TextField
      label={mappingOptions.callbackRetrySeconds.title}
      optional
      hint="Seconds before each retry, separated by commas. Leave empty for the default plan."
      mono
      at={form.at('callbackRetrySeconds')}
    />
    <CheckField
      label={mappingOptions.cascadingContext.title}
      hint="GET_TRANS_STATUS returns the newest attempt of the cascade."
      at={form.at('cascadingContext')}
    />
    <CheckField label={mappingOptions.rejectDuplicateOrders.title} at={form.at('rejectDuplicateOrders')} />
    <CheckField
      label={mappingOptions.payouts.title}
      hint="Requests may pay money out. A live instance first needs the merchant’s allowed addresses, or signed requests."
      at={form.at('payouts')}
    />
    <SelectField
      label={mappingOptions.returnSignature.title}
      hint="Danger: the callback’s formula gives every payer a hash that also signs a forged callback or another request. Use it only for a shop that cannot be changed, and without payouts."
      at={form.at('returnSignature')}
      options={returnSignatures}
    />
  </FieldGroup>
)

const AdditionalFields = ({ form, protocol }: PartProps): JSX.Element => (
  <FieldGroup title="Additional fields" hint="Added when they have a value.">
    <MultiSelect
      label={mappingOptions.addToCallback.title}
      at={form.at('addToCallback')}
      options={fieldChoices(protocol, 'callback')}
    />
    <TextField
      label={mappingOptions.extendedDataKeys.title}
      optional
      hint="Such as network_transaction_id, decline_class, separated by commas. Leave empty to send all of extended_data, if it is selected above."
      mono
      at={form.at('extendedDataKeys')}
    />
    <MultiSelect
      label={mappingOptions.addToStatus.title}
      at={form.at('addToStatus')}
      options={fieldChoices(protocol, 'status')}
    />
    {protocol !== 'S2S_CARD' && (
      <MultiSelect
        label={protocol === 'CHECKOUT' ? 'Return additional parameters' : mappingOptions.addToRedirect.title}
        at={form.at('addToRedirect')}
        options={fieldChoices(protocol, 'redirect')}
      />
    )}
  </FieldGroup>
)

const CheckoutOptions = ({ form }: { readonly form: FormState<TypedOptions> }): JSX.Element => (
  <FieldGroup title="Hosted page">
    <FieldRow>
      <SelectField
        label={mappingOptions.defaultLanguage.title}
        at={form.at('defaultLanguage')}
        options={languageChoices}
      />
      <TextField label={mappingOptions.maxDeclines.title} inputMode="numeric" at={form.at('maxDeclines')} />
      <TextField
        label={mappingOptions.declinesPerAddress.title}
        hint="Raise it if many payers share one address. Test keys are exempt."
        inputMode="numeric"
        at={form.at('declinesPerAddress')}
      />
    </FieldRow>
    <CheckField label={mappingOptions.terms.title} at={form.at('termsEnabled')} />
    {form.values.termsEnabled && (
      <TextField
        label="Terms and conditions address"
        optional
        type="url"
        hint="Leave empty to link to the platform’s terms."
        at={form.at('termsUrl')}
      />
    )}
    <CheckField label={mappingOptions.pinScripts.title} at={form.at('pinScripts')} />
    <CheckField
      label={mappingOptions.ownHost.title}
      hint="A subdomain of this instance’s checkout domain."
      at={form.at('ownHost')}
    />
    <TextArea
      label={mappingOptions.embeddingOrigins.title}
      optional
      rows={3}
      mono
      hint="One per line, such as https://shop.example; * allows any. If empty, the page can be embedded by the sites of its session, the fields by any site."
      at={form.at('embeddingOrigins')}
    />
    <SelectField
      label={mappingOptions.sessionUpdate.title}
      hint="A token in a page can be read by the payer, who can then change the amount. Prefer updates from the merchant’s listed addresses, or signed ones."
      at={form.at('sessionUpdate')}
      options={sessionUpdates}
    />
  </FieldGroup>
)

const asChoice = (value: string): Choice => ({ value, text: value })

const digests: readonly Choice<TypedOptions['digest']>[] = [
  { value: 'md5', text: 'md5' },
  { value: 'sha256', text: 'sha256' },
]

const requestSignatures: readonly Choice<TypedOptions['requestSignature']>[] = [
  { value: 'hash', text: 'hash alone; a signature is ignored' },
  { value: 'both', text: 'hash; a signature is checked if sent' },
  { value: 'required', text: 'hash and signature, else refused' },
]

const upperCasings: readonly Choice<TypedOptions['hashUpperCasing']>[] = [
  { value: 'ascii', text: 'a to z only' },
  { value: 'unicode', text: 'all letters (Unicode)' },
]

const returnSignatures: readonly Choice<TypedOptions['returnSignature']>[] = [
  { value: 'own', text: 'formula of its own' },
  { value: 'callback', text: 'callback’s formula (unsafe)' },
]

const sessionUpdates: readonly Choice<TypedOptions['sessionUpdate']>[] = [
  { value: 'listed-or-signed', text: 'from listed addresses, or signed' },
  { value: 'token', text: 'by the session token alone' },
]

const formats: readonly Choice<TypedOptions['callbackFormat']>[] = [
  { value: 'form', text: 'form' },
  { value: 'json', text: 'JSON' },
]

const redirectModes: readonly Choice<TypedOptions['redirectMode']>[] = [
  { value: 'standard', text: 'standard' },
  { value: 'memory_storage', text: 'memory storage' },
]

const languageChoices = languages.map(({ code, name }) => ({ value: code, text: name }))

const fieldChoices = (protocol: Protocol, at: Place): readonly Choice[] =>
  fieldsFor(protocol, at).map(({ name, group }) => ({ value: name, text: `${name} (${group})` }))
