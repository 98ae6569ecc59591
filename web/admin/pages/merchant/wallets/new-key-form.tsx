/** Adds a key in one of three ways: generated here with a certificate request, pasted, or a certificate for an existing key. */
import type { JSX } from 'preact'
import type { Result } from '../../../api/call.ts'
import { type Choice, FieldRow, SelectField, TextArea } from '../../../kit/form/fields.tsx'
import { Form } from '../../../kit/form/form.tsx'
import { useForm } from '../../../kit/form/use-form.ts'
import { addRemedy } from './entry-remedy.ts'
import type { KeyChange, KeyEndpoints, NewKeyRequest } from './key-endpoints.ts'

type Way = 'make' | 'paste' | 'certificate'
type Role = 'processing' | 'identity'

interface Values {
  readonly way: Way
  readonly role: Role
  readonly make: 'EC' | 'RSA'
  readonly privateKey: string
  readonly certificate: string
}

interface NewKeyFormProps {
  readonly endpoints: KeyEndpoints
  readonly onDone: (words: string) => void
  readonly onCancel: () => void
}

export function NewKeyForm({ endpoints, onDone, onCancel }: NewKeyFormProps): JSX.Element {
  const form = useForm<Values, KeyChange>({
    initial: { way: 'make', role: 'processing', make: 'EC', privateKey: '', certificate: '' },
    guards: false,
    send: async (values) => withRemedies(await endpoints.add(requestOf(values)), values.role),
    onDone: ({ key, notes }) => onDone([`The ${key.role} key is ${key.state}.`, ...notes].join(' ')),
  })
  const { way } = form.values
  return (
    <Form form={form} act="Add" onCancel={onCancel} always>
      <FieldRow>
        <SelectField label="Source" at={form.at('way')} options={ways} />
        {endpoints.wallet === 'walletapay' && <SelectField label="Purpose" at={form.at('role')} options={roles} />}
        {way === 'make' && <SelectField label="Type" at={form.at('make')} options={types} />}
      </FieldRow>
      {way === 'paste' && (
        <TextArea
          label="Private key"
          mono
          rows={5}
          hint="On one line, or with its BEGIN and END markers."
          at={form.at('privateKey')}
        />
      )}
      {way !== 'make' && (
        <TextArea label="Certificate" optional={way === 'paste'} mono rows={5} at={form.at('certificate')} />
      )}
    </Form>
  )
}

/** The server has different field names for the two roles of a key; the form uses one name for both. */
function withRemedies(result: Result<KeyChange>, role: Role): Result<KeyChange> {
  if (result.ok) return result
  const own = (field: string): string =>
    role === 'processing' ? field.replace(/^processing(.)/, lowerFirstLetter) : field
  const fields = result.fault.fields.map(({ field, text }) => ({ field: own(field), text: addRemedy(text) }))
  return { ok: false, fault: { ...result.fault, fields } }
}

const lowerFirstLetter = (_: string, letter: string): string => letter.toLowerCase()

function requestOf({ way, role, make, privateKey, certificate }: Values): NewKeyRequest {
  if (way === 'make') return { role, make }
  if (way === 'certificate') return { role, certificate }
  return { role, privateKey, ...(certificate.trim() === '' ? {} : { certificate }) }
}

const ways: readonly Choice<Way>[] = [
  { value: 'make', text: 'Create a key here' },
  { value: 'paste', text: 'Paste a key' },
  { value: 'certificate', text: 'Add a certificate to a key' },
]

const roles: readonly Choice<Role>[] = [
  { value: 'processing', text: 'processing' },
  { value: 'identity', text: 'identity' },
]

const types: readonly Choice<'EC' | 'RSA'>[] = [
  { value: 'EC', text: 'EC P-256' },
  { value: 'RSA', text: 'RSA 2048' },
]
