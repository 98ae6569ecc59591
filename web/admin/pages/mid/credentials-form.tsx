/** Replaces the credentials of a MID as a whole, because the old ones are never shown. */
import type { JSX } from 'preact'
import { type Answer, call } from '../../api/call.ts'
import { Form } from '../../kit/form/form.tsx'
import { useForm } from '../../kit/form/use-form.ts'
import { Empty, Notice } from '../../kit/states.tsx'
import { toast } from '../../kit/toasts.tsx'
import { CredentialFields } from './credential-fields.tsx'
import { credentialFields, credentialsOf } from './credential-schema.ts'

type Mid = Answer<'GET /mids/:midId'>
type Connector = Answer<'GET /connectors'>['connectors'][number]

interface CredentialsFormProps {
  readonly mid: Mid
  readonly connector: Connector | undefined
}

export function CredentialsForm({ mid, connector }: CredentialsFormProps): JSX.Element {
  const fields = credentialFields(connector?.credentials)
  const none: Readonly<Record<string, string>> = {}
  const form = useForm({
    initial: { credentials: none },
    send: ({ credentials }) =>
      call('PATCH /mids/:midId', {
        params: { midId: mid.id },
        body: { credentials: credentialsOf(fields, credentials) },
      }),
    onDone: () => {
      toast(`Credentials of ${mid.name} replaced.`)
      form.reset({ credentials: none })
    },
  })
  if (!connector) return <Empty title={`This release has no connector ${mid.connector}.`} />
  return (
    <Form form={form} act="Replace credentials">
      <Notice>
        <p>
          The current credentials are encrypted and cannot be shown. Your entries replace all of them from the next
          request to the acquirer.
        </p>
      </Notice>
      <CredentialFields fields={fields} at={form.at('credentials')} />
    </Form>
  )
}
