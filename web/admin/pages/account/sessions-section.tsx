/** The user's open sessions, and ending them. */
import type { JSX } from 'preact'
import { call } from '../../api/call.ts'
import { useReading } from '../../api/use-reading.ts'
import { Badge } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { DataTable, pageOfRead } from '../../kit/data-table.tsx'
import { Section } from '../../kit/page.tsx'
import { toast, toastFault } from '../../kit/toasts.tsx'
import { DateTime } from '../../kit/values/date-time.tsx'

export function SessionsSection(): JSX.Element {
  const read = useReading('GET /sessions')
  const end = async (sessionId: string): Promise<void> => {
    const result = await call('DELETE /sessions/:sessionId', { params: { sessionId } })
    if (!result.ok) return toastFault(result.fault)
    toast('Session ended.')
    read.reload()
  }
  const endOthers = async (): Promise<void> => {
    const result = await call('DELETE /sessions')
    if (!result.ok) return toastFault(result.fault)
    toast('All other sessions ended.')
    read.reload()
  }
  return (
    <Section title="Sessions" actions={<Button onClick={() => void endOthers()}>End all others</Button>}>
      <DataTable
        caption="Your sessions"
        list={pageOfRead(read, ({ sessions }) => sessions)}
        keyOf={({ id }) => id}
        columns={[
          { title: 'Device', cell: ({ userAgent }) => deviceOf(userAgent) },
          { title: 'Address', cell: ({ address }) => address },
          { title: 'Method', cell: ({ method }) => methodWords[method] ?? method, minor: true },
          { title: 'Last seen', cell: ({ seenAt }) => <DateTime at={seenAt} /> },
          { title: 'Ends', cell: ({ expiresAt }) => <DateTime at={expiresAt} />, minor: true },
          {
            title: 'Actions',
            end: true,
            cell: ({ id, current }) =>
              current ? (
                <Badge tone="info">current</Badge>
              ) : (
                <Button small onClick={() => void end(id)}>
                  End
                </Button>
              ),
          },
        ]}
      />
    </Section>
  )
}

/** The common name of a browser, as far as its user agent shows it. */
export function deviceOf(userAgent: string): string {
  const [, system = ''] = /\(([^;)]+)/.exec(userAgent) ?? []
  const browser = ['Edg', 'OPR', 'Firefox', 'Chrome', 'Safari'].find((name) => userAgent.includes(`${name}/`))
  if (browser === undefined) return userAgent === '' ? 'Unknown' : userAgent.slice(0, 40)
  return system === '' ? browser : `${browser}, ${system}`
}

/** How a user authenticated. */
export const methodWords: Readonly<Record<string, string>> = {
  password: 'password',
  'password+totp': 'password and code',
  'password+recovery': 'password and recovery code',
  passkey: 'passkey',
  sso: 'single sign-on',
}
