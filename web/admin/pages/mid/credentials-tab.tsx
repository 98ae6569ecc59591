/** What connects a MID with its acquirer: the credentials, their check, and the address for notifications. */
import type { JSX } from 'preact'
import type { Answer } from '../../api/call.ts'
import { Section } from '../../kit/page.tsx'
import { credentialFields } from './credential-schema.ts'
import { CredentialsCheck } from './credentials-check.tsx'
import { CredentialsForm } from './credentials-form.tsx'
import { NotificationAddress } from './notification-address.tsx'

interface CredentialsTabProps {
  readonly mid: Answer<'GET /mids/:midId'>
  readonly connector: Answer<'GET /connectors'>['connectors'][number] | undefined
}

export function CredentialsTab({ mid, connector }: CredentialsTabProps): JSX.Element {
  return (
    <>
      <CredentialsCheck midId={mid.id} fields={credentialFields(connector?.credentials)} />
      {mid.notificationUrl !== null && <NotificationAddress url={mid.notificationUrl} />}
      <Section title="Replace credentials">
        <CredentialsForm mid={mid} connector={connector} />
      </Section>
    </>
  )
}
