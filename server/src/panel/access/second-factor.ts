/** The second factor: who must have one, until when one may be missing, who has one, and whether a code is valid. PCI DSS 8.4 and 8.5. */

import type { SignInRules } from '#domain/sign-in/sign-in-rules.ts'
import { dayMs } from '#domain/time.ts'
import { type UserRow, userStore } from '../../store/people/users.ts'
import { PLATFORM_SCOPE } from '../../vault/port.ts'
import type { AdminContext } from '../context.ts'
import { stepOfCode } from './totp.ts'

export const needsSecondFactor = (
  { secondFactor }: SignInRules,
  { role, requireSecondFactor }: Pick<UserRow, 'role' | 'requireSecondFactor'>,
): boolean => requireSecondFactor || secondFactor === 'all' || secondFactor.has(role)

/** A passkey counts by itself: it combines the device and what unlocks it. */
export const hasSecondFactor = ({ totpEnabledAt, passkeys }: UserRow): boolean => totpEnabledAt !== null || passkeys > 0

/** When the missing second factor begins to hold the user up; null if none is missing. A user who was not asked yet has all days left. */
export function factorDueAt(rules: SignInRules, user: UserRow, now: Date): Date | null {
  // Users of an identity provider have theirs there.
  if (user.ssoSubject !== null || !needsSecondFactor(rules, user) || hasSecondFactor(user)) return null
  return new Date((user.factorDemandedAt ?? now).getTime() + rules.factorGraceDays * dayMs)
}

/** A code is accepted once, even from two simultaneous requests (8.5.1). */
export async function isRightCode(context: AdminContext, user: UserRow, code: string): Promise<boolean> {
  if (user.totpEnabledAt === null || user.totpSealed === null) return false
  const of = await context.vault.open(PLATFORM_SCOPE, 'totp', user.totpSealed)
  const step = stepOfCode(of, code, context.machine.now(), user.totpLastStep)
  return step !== null && (await userStore(context.pool).useTotpStep(user.id, step))
}
