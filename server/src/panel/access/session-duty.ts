/** What a user must do in a session before anything else: change the password, or set up a second factor. */
import { isOlderThanDays, type SignInRules } from '#domain/sign-in/sign-in-rules.ts'
import type { UserRow } from '../../store/people/users.ts'
import { AdminRefused } from '../admin-refused.ts'
import { factorDueAt, needsSecondFactor } from './second-factor.ts'
import type { SignedIn } from './sessions.ts'

type Duty = 'password' | 'second factor'

/**
 * A password set by another person must be changed first (PCI DSS 8.3.5), and so must one that is the only factor and too old (8.3.9). A
 * session opened with a password alone requires a second factor if the user must have one (8.4) and the days of grace are over.
 */
export function dutyOf(
  rules: SignInRules,
  user: UserRow,
  session: Pick<SignedIn['session'], 'method'>,
  now: Date,
): Duty | null {
  if (user.passwordTemporary) return 'password'
  if (session.method !== 'password') return null
  if (isOlderThanDays(user.passwordChangedAt, now, rules.passwordDays)) return 'password'
  if (!needsSecondFactor(rules, user)) return null
  const dueAt = factorDueAt(rules, user, now)
  return dueAt !== null && now < dueAt ? null : 'second factor'
}

export const refusalOfDuty = (duty: Duty): AdminRefused =>
  new AdminRefused(duty === 'password' ? 'password_change_first' : 'second_factor_first')
