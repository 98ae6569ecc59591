/** A new MID: its name, its connector and the connector's credentials. Other settings can follow later. */
import type { JSX } from 'preact'
import { type Answer, call } from '../../api/call.ts'
import { useReading } from '../../api/use-reading.ts'
import { FieldGroup, FieldRow, SelectField, TextField } from '../../kit/form/fields.tsx'
import { Form } from '../../kit/form/form.tsx'
import { useForm } from '../../kit/form/use-form.ts'
import { ReadResult } from '../../kit/states.tsx'
import { toast } from '../../kit/toasts.tsx'
import { currentAddress, go } from '../../router/current-address.ts'
import { type Mode, mode } from '../../session/mode.ts'
import { CredentialFields } from './credential-fields.tsx'
import { credentialFields, credentialsOf } from './credential-schema.ts'

type Connector = Answer<'GET /connectors'>['connectors'][number]

interface Values {
  readonly name: string
  readonly connector: string
  readonly mode: Mode
  readonly credentials: Readonly<Record<string, string>>
}

export function NewMid(): JSX.Element {
  const read = useReading('GET /connectors')
  return (
    <ReadResult read={read}>{({ connectors }) => <NewMidForm connectors={connectors.filter(isUsable)} />}</ReadResult>
  )
}

/** One that needs a package which is not installed would only be refused. */
const isUsable = ({ unavailableBecause }: Connector): boolean => unavailableBecause === null

function NewMidForm({ connectors }: { readonly connectors: readonly Connector[] }): JSX.Element {
  const wanted = currentAddress.value.query.get('connector')
  const [first] = connectors
  const chosen = connectors.find(({ id }) => id === wanted) ?? first
  const fieldsOf = (id: string) => credentialFields(connectors.find((one) => one.id === id)?.credentials)
  const form = useForm<Values, Answer<'POST /mids'>>({
    initial: {
      name: '',
      connector: chosen?.id ?? '',
      mode: mode.value,
      credentials: {},
    },
    send: ({ name, connector, mode: midMode, credentials }) =>
      call('POST /mids', {
        body: {
          name: name.trim(),
          connector,
          mode: midMode,
          credentials: credentialsOf(fieldsOf(connector), credentials),
        },
      }),
    onDone: (mid) => {
      toast(`MID ${mid.name} created. Map it to a merchant to use it.`)
      go(`/mids/${mid.id}?tab=settings`)
    },
  })
  return (
    <Form form={form} act="Create MID" always>
      <FieldRow>
        <TextField
          label="Name"
          mono
          hint="Lowercase letters, digits and hyphens. Merchants may see it."
          at={form.at('name')}
        />
        <SelectField
          label="Connector"
          at={form.at('connector')}
          options={connectors.map(({ id, title }) => ({ value: id, text: title }))}
        />
        <SelectField label="Mode" at={form.at('mode')} options={modes} />
      </FieldRow>
      <FieldGroup title="Credentials">
        <CredentialFields fields={fieldsOf(form.values.connector)} at={form.at('credentials')} />
      </FieldGroup>
    </Form>
  )
}

const modes: readonly { readonly value: Mode; readonly text: string }[] = [
  { value: 'live', text: 'live' },
  { value: 'test', text: 'test' },
]
