/** A MID: its health, its settings and its credentials. */
import type { JSX } from 'preact'
import type { Answer } from '../../api/call.ts'
import { useReading } from '../../api/use-reading.ts'
import { Page, Section } from '../../kit/page.tsx'
import { Notice, ReadResult } from '../../kit/states.tsx'
import { Tabs } from '../../kit/tabs.tsx'
import { toast } from '../../kit/toasts.tsx'
import { may } from '../../session/session.ts'
import type { PageArguments } from '../page-arguments.ts'
import { CredentialsTab } from './credentials-tab.tsx'
import { HealthSection } from './health-section.tsx'
import { NewMid } from './new-mid.tsx'
import { SettingsForm } from './settings-form.tsx'

const above = [['MIDs', '/mids']] as const

export function MidPage({ params: { midId = '' } }: PageArguments): JSX.Element {
  if (midId !== 'new') return <KnownMid key={midId} midId={midId} />
  return (
    <Page title="New MID" above={above}>
      <Section>
        <NewMid />
      </Section>
    </Page>
  )
}

function KnownMid({ midId }: { readonly midId: string }): JSX.Element {
  const read = useReading('GET /mids/:midId', { params: { midId } })
  const connectors = useReading('GET /connectors')
  return (
    <Page title={read.value?.name ?? 'MID'} above={above}>
      <ReadResult read={read}>
        {(mid) => (
          <>
            {mid.credentialsFault && <CredentialsFault fault={mid.credentialsFault} />}
            <Tabs
              label="MID"
              tabs={[
                { name: 'health', title: 'Health', content: () => <HealthSection midId={midId} /> },
                {
                  name: 'settings',
                  title: 'Settings',
                  content: () => (
                    <Section>
                      <SettingsForm
                        mid={mid}
                        onSaved={() => {
                          toast(`MID ${mid.name} saved.`)
                          read.reload()
                        }}
                      />
                    </Section>
                  ),
                },
                ...(may('mids.write')
                  ? [
                      {
                        name: 'credentials',
                        title: 'Credentials',
                        content: () => (
                          <ReadResult read={connectors}>
                            {({ connectors: list }) => (
                              <CredentialsTab mid={mid} connector={list.find(({ id }) => id === mid.connector)} />
                            )}
                          </ReadResult>
                        ),
                      },
                    ]
                  : []),
              ]}
            />
          </>
        )}
      </ReadResult>
    </Page>
  )
}

interface CredentialsFaultProps {
  readonly fault: NonNullable<Answer<'GET /mids/:midId'>['credentialsFault']>
}

const CredentialsFault = ({ fault: { field, text } }: CredentialsFaultProps): JSX.Element => (
  <Notice tone="bad">
    <p>
      <strong>No payment is sent to this MID.</strong> Its stored credentials do not fit the connector.{' '}
      {field !== null && <code>{field}</code>} {text}
    </p>
  </Notice>
)
