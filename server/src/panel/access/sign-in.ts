/**
 * Sign-in with e-mail address, password and, if set up, a code of the second factor or a recovery code.
 *
 * Neither the answer nor its timing reveals whether an address has an account: an unknown one is verified against a dummy hash and locked
 * out like any other. Passkeys are never locked out, so that password guessing does not keep their owners from working.
 */
import { type Secret, secret } from '#domain/secret.ts'
import type { AdminSessionRow, SignInMethod } from '../../store/people/admin-sessions.ts'
import { type UserRow, userStore } from '../../store/people/users.ts'
import { AdminRefused } from '../admin-refused.ts'
import { noteAlone } from '../audit/audit.ts'
import type { AdminContext, SignInContext, Visitor } from '../context.ts'
import { type Attempt, countAttempt, forgiveAttempts, withdrawAttempt } from './attempts.ts'
import { dummyHash, hashPassword, isOutdated, verifyPassword } from './password.ts'
import { looksLikeRecoveryCode, useRecoveryCode } from './recovery-codes.ts'
import { noteCountedRefusals, noteRefused, type RefusalReason } from './refused-sign-ins.ts'
import { hasSecondFactor, isRightCode, needsSecondFactor } from './second-factor.ts'
import { openSession, type SignInProof } from './sessions.ts'

export interface SignInResult {
  readonly token: string
  readonly session: AdminSessionRow
  readonly user: UserRow
}

interface Credentials {
  readonly email: string
  readonly password: Secret<string>
  readonly code: string | null
}

export async function signIn(
  context: SignInContext,
  credentials: Credentials,
  visitor: Visitor,
): Promise<SignInResult> {
  const email = credentials.email.trim().toLowerCase()
  const attempt = await countAttempt(context, email, visitor)
  await noteCountedRefusals(context)

  const user = await userStore(context.pool).findByEmail(email)
  const isRight = await verifyPassword(credentials.password, user?.passwordHash ?? dummyHash)
  const reason = refusalOf(user, isRight)
  if (user === null || reason !== null)
    throw await recordRefusal(context, attempt, user, { reason: reason ?? 'unknown e-mail address' })

  const method = await proveFactor(context, attempt, user, credentials.code)
  if (user.passwordTemporary && !(await userStore(context.pool).useTemporaryPassword(user.id, context.machine.now())))
    throw await recordRefusal(context, attempt, user, { reason: 'first password used before' })

  await forgiveAttempts(context, attempt)
  if (isOutdated(user.passwordHash)) await rehash(context, user, credentials.password)
  return completeSignIn(context, user, { method, provenMsAgo: 0 }, visitor)
}

export async function completeSignIn(
  context: SignInContext,
  user: UserRow,
  proof: SignInProof,
  visitor: Visitor,
): Promise<SignInResult> {
  const { method } = proof
  const { token, session } = await openSession(context, user, proof, visitor)
  const store = userStore(context.pool)
  await store.recordSignIn(user.id, context.machine.now())
  if (method !== 'sso' && needsSecondFactor(context.rules, user) && !hasSecondFactor(user))
    await store.demandFactor(user.id, context.machine.now())
  await noteAlone(
    context.pool,
    context.clock,
    { label: user.email, address: visitor.address },
    { action: 'session.open', subject: `user ${user.id}`, merchantId: null, after: { method } },
  )
  return { token, session, user }
}

/** For actions inside a session that require the password again, such as changing it. Counted like a sign-in. */
export async function requirePassword(
  context: SignInContext,
  user: UserRow,
  password: Secret<string>,
  visitor: Visitor,
): Promise<void> {
  const attempt = await countAttempt(context, user.email, visitor)
  if (!(await verifyPassword(password, user.passwordHash)))
    throw await recordRefusal(context, attempt, user, { reason: 'wrong password', by: user.email })
  await forgiveAttempts(context, attempt)
}

/** The same for a code of the second factor. */
export async function requireCode(
  context: SignInContext,
  user: UserRow,
  code: string,
  visitor: Visitor,
): Promise<void> {
  const attempt = await countAttempt(context, user.email, visitor)
  if (!(await isRightCode(context, user, code)))
    throw await recordRefusal(context, attempt, user, { reason: 'wrong code', by: user.email })
  await forgiveAttempts(context, attempt)
}

/** Null if the credentials are right. */
function refusalOf(user: UserRow | null, isRight: boolean): RefusalReason | null {
  if (user === null) return 'unknown e-mail address'
  if (!isRight || user.isService || user.ssoSubject !== null) return 'wrong password'
  return user.status === 'active' ? null : 'disabled user'
}

/** Asking for the code is not a failure: every sign-in with a second factor begins that way. */
async function proveFactor(
  context: SignInContext,
  attempt: Attempt,
  user: UserRow,
  code: string | null,
): Promise<Exclude<SignInMethod, 'passkey' | 'sso'>> {
  if (user.totpEnabledAt === null && (!needsSecondFactor(context.rules, user) || !hasSecondFactor(user)))
    return 'password'
  if (code !== null && looksLikeRecoveryCode(code)) {
    if (await useRecoveryCode(context, user, code)) return 'password+recovery'
    throw await recordRefusal(context, attempt, user, { reason: 'wrong recovery code' })
  }
  if (user.totpEnabledAt === null) {
    // With the password alone, an attacker could set up a second factor of their own.
    await withdrawAttempt(context, attempt)
    throw new AdminRefused('passkey_required')
  }
  if (code === null) {
    await withdrawAttempt(context, attempt)
    throw new AdminRefused('second_factor_required')
  }
  if (!(await isRightCode(context, user, code)))
    throw await recordRefusal(context, attempt, user, { reason: 'wrong code' })
  return 'password+totp'
}

async function recordRefusal(
  context: AdminContext,
  { visitor, lockedUntil }: Attempt,
  user: UserRow | null,
  refusal: { readonly reason: RefusalReason; readonly by?: string },
): Promise<AdminRefused> {
  const userId = user?.id ?? null
  await noteRefused(context, visitor, { userId, lockedUntil, ...refusal })
  return new AdminRefused(refusal.reason === 'first password used before' ? 'first_password_used' : 'wrong_credentials')
}

async function rehash({ pool, ids }: AdminContext, user: UserRow, password: Secret<string>): Promise<void> {
  const anew = await hashPassword(secret(password.reveal()), Buffer.from(ids.random(16), 'hex'))
  await userStore(pool).rehash(user.id, user.passwordHash, anew)
}
