/** The state of an account: whether the user can sign in, and with which second factor. */
import type { JSX } from 'preact'
import type { Answer } from '../../api/call.ts'
import { Badge, Status } from '../../kit/badge.tsx'
import { DateTime } from '../../kit/values/date-time.tsx'

export type User = Answer<'GET /users/:userId'>['user']

export const savedText = (waits: boolean, done: string): string =>
  waits ? 'Another administrator must now approve the change under Approvals.' : done

export function UserState({ user }: { readonly user: User }): JSX.Element {
  if (user.waitingApproval !== null)
    return (
      <>
        {user.status === 'active' && <Status of={user.status} />} <Badge tone="info">waits for approval</Badge>
      </>
    )
  if (user.disabledReason === 'unused') return <Badge tone="warn">disabled: not used</Badge>
  if (user.status === 'active' && user.lockedUntil !== null)
    return (
      <>
        <Badge tone="bad">locked</Badge> until <DateTime at={user.lockedUntil} />
      </>
    )
  if (user.status === 'active' && user.invitedUntil !== null) return <Badge tone="info">invited</Badge>
  return <Status of={user.status} />
}

export function FactorState({ user }: { readonly user: User }): JSX.Element {
  if (user.isSso) return <Badge tone="good">single sign-on</Badge>
  const kinds = [...(user.secondFactor ? ['app'] : []), ...(user.passkeys > 0 ? ['passkey'] : [])]
  if (kinds.length > 0) return <Badge tone="good">{kinds.join(', ')}</Badge>
  if (user.factorDueAt === null) return <Badge>none</Badge>
  return (
    <>
      <Badge tone="warn">setup required</Badge> from <DateTime at={user.factorDueAt} />
    </>
  )
}
