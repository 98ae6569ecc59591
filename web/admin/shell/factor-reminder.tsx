/** Reminds a user in the days of grace that a second factor will be required. */
import type { JSX } from 'preact'
import { Notice } from '../kit/states.tsx'
import { DateTime } from '../kit/values/date-time.tsx'
import { Link } from '../router/link.tsx'
import { session } from '../session/session.ts'

export function FactorReminder(): JSX.Element | null {
  const here = session.value
  if (here === null || here.duty !== null || here.user.factorDueAt === null) return null
  return (
    <Notice tone="warn">
      Your account needs a second factor from <DateTime at={here.user.factorDueAt} />.{' '}
      <Link to="/account">Set it up now</Link>
    </Notice>
  )
}
