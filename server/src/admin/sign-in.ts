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
  const subjects = { email: `email ${hash('sha256', email, 'hex')}`, address: `address ${visitor.address}` }
  await countAttempt(desk, subjects.address, byAddress)
  await countAttempt(desk, subjects.email, byEmail)

  const user = await userStore(desk.pool).byEmail(email)
  const isRight = await verifyPassword(given.password, user?.passwordHash ?? nobodysHash)
  if (user === null || !isRight || user.status !== 'active') throw new AdminRefused('wrong_credentials')
  await requireSecondFactor(desk, user, given.code)

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
  await countAttempt(desk, `address ${visitor.address}`, byAddress)
  await countAttempt(desk, subject, byEmail)
  if (!(await verifyPassword(password, user.passwordHash))) throw new AdminRefused('wrong_credentials')
  await signInFailureStore(desk.pool).forget(subject)
  await signInFailureStore(desk.pool).takeBack(`address ${visitor.address}`)
}

async function requireSecondFactor(desk: AdminDesk, user: UserRow, code: string | null): Promise<void> {
  if (user.totpEnabledAt === null || user.totpSealed === null) return
  if (code === null) throw new AdminRefused('second_factor_required')
  const of = await desk.vault.open(PLATFORM_SCOPE, 'totp', user.totpSealed)
  const step = stepOfCode(of, code, desk.machine.now(), user.totpLastStep)
  const isTaken = step !== null && (await userStore(desk.pool).useTotpStep(user.id, step))
  if (!isTaken) throw new AdminRefused('wrong_credentials')
}

/** Counted before it is judged, with the wait that follows if it fails. */
async function countAttempt({ pool, machine }: AdminDesk, subject: string, rule: LockOutRule): Promise<void> {
  const now = machine.now()
  const waitsUntil = await inTransaction(pool, async (client) => {
    const before = await lockAttempts(client, subject, now)
    if (before.lockedUntil !== null && before.lockedUntil > now) return before.lockedUntil
    const forgotten = before.lastAt < secondsBefore(now, forgottenAfterSeconds)
    const failures = forgotten ? 1 : before.failures + 1
    const wait = waitSeconds(failures, rule)
    const lockedUntil = wait === 0 ? null : secondsBefore(now, -wait)
    await putAttempts(client, subject, { failures, lastAt: now, lockedUntil })
    return null
  })
  if (waitsUntil === null) return
  const retryAfterSeconds = Math.ceil((waitsUntil.getTime() - now.getTime()) / 1000)
  throw new AdminRefused('too_many_attempts', { retryAfterSeconds })
}

async function rehash({ pool, ids }: AdminDesk, user: UserRow, password: Secret<string>): Promise<void> {
  const anew = await hashPassword(secret(password.reveal()), Buffer.from(ids.random(16), 'hex'))
  await userStore(pool).rehash(user.id, user.passwordHash, anew)
}

const secondsBefore = (now: Date, seconds: number): Date => new Date(now.getTime() - seconds * 1000)
