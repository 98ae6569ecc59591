/** One user: permissions, status, password, sessions. */
import type { JSX } from 'preact'
import { call } from '../../api/call.ts'
import { useReading } from '../../api/use-reading.ts'
import { Button } from '../../kit/button.tsx'
import { DataTable, pageOfRead } from '../../kit/data-table.tsx'
import { Page, Section } from '../../kit/page.tsx'
import { Empty, ReadResult } from '../../kit/states.tsx'
import { toast, toastFault } from '../../kit/toasts.tsx'
import { DateTime } from '../../kit/values/date-time.tsx'
import { KeyValues } from '../../kit/values/key-values.tsx'
import { may } from '../../session/session.ts'
import { deviceOf, methodWords } from '../account/sessions-section.tsx'
import type { PageArguments } from '../page-arguments.ts'
import { FactorState, UserState } from '../users/user-state.tsx'
import { UserActions } from './user-actions.tsx'
import { UserForm } from './user-form.tsx'

export function UserPage({ params }: PageArguments): JSX.Element {
  const userId = params['userId'] ?? ''
  const read = useReading('GET /users/:userId', { params: { userId } })
  const user = read.value?.user
  const actions = user && may('users.write') ? <UserActions user={user} onChanged={read.reload} /> : undefined
  const end = async (sessionId: string): Promise<void> => {
    const result = await call('DELETE /users/:userId/sessions/:sessionId', { params: { userId, sessionId } })
    if (!result.ok) return toastFault(result.fault)
    toast('Session ended.')
    read.reload()
  }
  return (
    <Page title={user?.name ?? 'User'} above={[['Users', '/users']]} actions={actions}>
      <Section>
        <ReadResult read={read}>
          {(value) => (
            <KeyValues
              rows={[
                ['E-mail address', value.user.email],
                ['Status', <UserState user={value.user} />],
                ['Second factor', <FactorState user={value.user} />],
                ['Passkeys', value.user.passkeys],
                [
                  'Password',
                  value.user.isSso ? (
                    'none: signs in with the identity provider'
                  ) : value.user.passwordTemporary ? (
                    'must be changed at the next sign-in'
                  ) : (
                    <>
                      Set by the user on <DateTime at={value.user.passwordChangedAt} />
                    </>
                  ),
                ],
                value.user.invitedUntil !== null && ['Invited until', <DateTime at={value.user.invitedUntil} />],
                ['Created', <DateTime at={value.user.createdAt} />],
                ['Last sign-in', <DateTime at={value.user.lastSignInAt} />],
              ]}
            />
          )}
        </ReadResult>
      </Section>
      {user && may('users.write') && (
        <Section title="Permissions">
          <UserForm key={JSON.stringify(user)} user={user} onChanged={read.reload} />
        </Section>
      )}
      <Section title="Sessions">
        <DataTable
          caption="Sessions"
          list={pageOfRead(read, ({ sessions }) => sessions)}
          keyOf={({ id }) => id}
          columns={[
            { title: 'Device', cell: ({ userAgent }) => deviceOf(userAgent) },
            { title: 'Address', cell: ({ address }) => address },
            { title: 'Method', cell: ({ method }) => methodWords[method] ?? method, minor: true },
            { title: 'Last seen', cell: ({ seenAt }) => <DateTime at={seenAt} /> },
            {
              title: 'Actions',
              end: true,
              cell: ({ id }) =>
                may('users.write') && (
                  <Button small onClick={() => void end(id)}>
                    End
                  </Button>
                ),
            },
          ]}
          empty={<Empty title="No active sessions." />}
        />
      </Section>
    </Page>
  )
}
