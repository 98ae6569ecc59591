/**
 * Signing in with e-mail address, password and, where it is set up, a code of the second factor.
 *
 * Nobody learns from an answer, or from how long it takes, whether an address has an account: an unknown one is verified against
 * nobody's hash, and is locked out like any other. A passkey is not locked out, so that an attacker who guesses passwords keeps nobody
 * from their work who has one.
 */
import { hash } from 'node:crypto'
import { type Secret, secret } from '#domain/secret.ts'
import type { AdminSessionRow, SignInMethod } from '../store/admin-sessions.ts'
import { lockAttempts, putAttempts, signInFailureStore } from '../store/sign-in-failures.ts'
import { inTransaction } from '../store/transaction.ts'
import { type UserRow, userStore } from '../store/users.ts'
import { PLATFORM_SCOPE } from '../vault/port.ts'
import { AdminRefused } from './admin-refused.ts'
import { noteAlone } from './audit.ts'
import type { AdminDesk, Visitor } from './desk.ts'
import { byAddress, byEmail, forgottenAfterSeconds, type LockOutRule, waitSeconds } from './lock-out.ts'
import { hashPassword, isOutdated, nobodysHash, verifyPassword } from './password.ts'
import { noteCountedRefusals, noteRefused, type RefusalReason } from './refused-sign-ins.ts'
import { openSession } from './sessions.ts'
import { stepOfCode } from './totp.ts'

export interface Entrance {
  readonly token: string
  readonly session: AdminSessionRow
  readonly user: UserRow
}

export interface Credentials {
  readonly email: string
  readonly password: Secret<string>
  readonly code: string | null
}

export async function signIn(desk: AdminDesk, given: Credentials, visitor: Visitor): Promise<Entrance> {
  const email = given.email.trim().toLowerCase()
  const subjects = { email: `email ${hash('sha256', email, 'hex')}`, address: `address ${visitor.network}` }
  const lockedUntil = {
    address: await countAttempt(desk, subjects.address, byAddress),
    email: await countAttempt(desk, subjects.email, byEmail),
  }
  await noteCountedRefusals(desk)

  const user = await userStore(desk.pool).byEmail(email)
  const isRight = await verifyPassword(given.password, user?.passwordHash ?? nobodysHash)
  const reason = await refusalOf(desk, user, isRight, given.code)
  if (user === null || reason !== null) {
    await noteRefused(desk, visitor, { userId: user?.id ?? null, reason: reason ?? 'wrong password', lockedUntil })
    throw new AdminRefused('wrong_credentials')
  }

  const failures = signInFailureStore(desk.pool)
  await failures.forget(subjects.email)
  await failures.takeBack(subjects.address)
  await failures.sweep(secondsBefore(desk.machine.now(), forgottenAfterSeconds))
  if (isOutdated(user.passwordHash)) await rehash(desk, user, given.password)
  return enter(desk, user, user.totpEnabledAt === null ? 'password' : 'password+totp', visitor)
}

export async function enter(desk: AdminDesk, user: UserRow, method: SignInMethod, visitor: Visitor): Promise<Entrance> {
  const { token, session } = await openSession(desk, user, method, visitor)
  await userStore(desk.pool).signedIn(user.id, desk.machine.now())
  await noteAlone(
    desk.pool,
    desk.clock,
    { label: user.email, address: visitor.address },
    { action: 'session.open', subject: `user ${user.id}`, merchantId: null, after: { method } },
  )
  return { token, session, user }
}

/** Also for what must be proven again inside a session, such as a change of password. It counts as a sign-in does. */
export async function requirePassword(
  desk: AdminDesk,
  user: UserRow,
  password: Secret<string>,
  visitor: Visitor,
): Promise<void> {
  const subject = `email ${hash('sha256', user.email, 'hex')}`
  const lockedUntil = {
    address: await countAttempt(desk, `address ${visitor.network}`, byAddress),
    email: await countAttempt(desk, subject, byEmail),
  }
  if (!(await verifyPassword(password, user.passwordHash))) {
    await noteRefused(desk, visitor, { userId: user.id, reason: 'wrong password', lockedUntil, by: user.email })
    throw new AdminRefused('wrong_credentials')
  }
  await signInFailureStore(desk.pool).forget(subject)
  await signInFailureStore(desk.pool).takeBack(`address ${visitor.network}`)
}

/** Null when it is right. */
async function refusalOf(
  desk: AdminDesk,
  user: UserRow | null,
  isRight: boolean,
  code: string | null,
): Promise<RefusalReason | null> {
  if (user === null) return 'unknown e-mail address'
  if (!isRight) return 'wrong password'
  if (user.status !== 'active') return 'disabled user'
  return (await hasSecondFactor(desk, user, code)) ? null : 'wrong code'
}

/** That a code is asked for at all is no refusal: it is how somebody with a second factor begins. */
async function hasSecondFactor(desk: AdminDesk, user: UserRow, code: string | null): Promise<boolean> {
  if (user.totpEnabledAt === null || user.totpSealed === null) return true
  if (code === null) throw new AdminRefused('second_factor_required')
  const of = await desk.vault.open(PLATFORM_SCOPE, 'totp', user.totpSealed)
  const step = stepOfCode(of, code, desk.machine.now(), user.totpLastStep)
  return step !== null && (await userStore(desk.pool).useTotpStep(user.id, step))
}

/** Counted before it is judged, with the wait that follows if it fails; answers until when that would be. */
async function countAttempt({ pool, machine }: AdminDesk, subject: string, rule: LockOutRule): Promise<Date | null> {
  const now = machine.now()
  const { waitsUntil, lockedUntil } = await inTransaction(pool, async (client) => {
    const before = await lockAttempts(client, subject, now)
    if (before.lockedUntil !== null && before.lockedUntil > now)
      return { waitsUntil: before.lockedUntil, lockedUntil: null }
    const forgotten = before.lastAt < secondsBefore(now, forgottenAfterSeconds)
    const failures = forgotten ? 1 : before.failures + 1
    const wait = waitSeconds(failures, rule)
    const until = wait === 0 ? null : secondsBefore(now, -wait)
    await putAttempts(client, subject, { failures, lastAt: now, lockedUntil: until })
    return { waitsUntil: null, lockedUntil: until }
  })
  if (waitsUntil === null) return lockedUntil
  const retryAfterSeconds = Math.ceil((waitsUntil.getTime() - now.getTime()) / 1000)
  throw new AdminRefused('too_many_attempts', { retryAfterSeconds })
}

async function rehash({ pool, ids }: AdminDesk, user: UserRow, password: Secret<string>): Promise<void> {
  const anew = await hashPassword(secret(password.reveal()), Buffer.from(ids.random(16), 'hex'))
  await userStore(pool).rehash(user.id, user.passwordHash, anew)
}

const secondsBefore = (now: Date, seconds: number): Date => new Date(now.getTime() - seconds * 1000)
