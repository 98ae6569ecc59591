/** Attempts to prove one's identity, counted by account and by network address before they are verified. PCI DSS 8.3.4. */
import { inTransaction } from '../../store/database/transaction.ts'
import { lockAttempts, putAttempts, signInFailureStore } from '../../store/people/sign-in-failures.ts'
import { AdminRefused } from '../admin-refused.ts'
import type { SignInContext, Visitor } from '../context.ts'
import {
  addressSubject,
  byAddress,
  byEmail,
  emailSubject,
  forgottenAfterSeconds,
  type LockOutRule,
  type LockOuts,
  waitSeconds,
} from './lock-out.ts'
import { noteLockOuts } from './refused-sign-ins.ts'

/** Throws if the account or the address must wait. A lockout that this attempt causes is written to the audit log even then. */
export async function countAttempt(context: SignInContext, email: string, visitor: Visitor): Promise<Attempt> {
  const address = await countSubject(context, addressSubject(visitor.network), byAddress(context.rules))
  if (address.waitsUntil !== null) throw tooManyAttempts(context, address.waitsUntil)
  const account = await countSubject(context, emailSubject(email), byEmail(context.rules))
  if (account.waitsUntil === null)
    return { email, visitor, lockedUntil: { email: account.lockedUntil, address: address.lockedUntil } }
  await noteLockOuts(context, visitor, { email: null, address: address.lockedUntil })
  throw tooManyAttempts(context, account.waitsUntil)
}

/** What was counted, so that it can be undone if the attempt was no failure. */
export interface Attempt {
  readonly email: string
  readonly visitor: Visitor
  readonly lockedUntil: LockOuts
}

/** The attempt succeeded: clears the account's earlier failures; those of the network address stay. */
export async function forgiveAttempts(context: SignInContext, { email, visitor, lockedUntil }: Attempt): Promise<void> {
  const failures = signInFailureStore(context.pool)
  await failures.forget(emailSubject(email))
  await failures.withdraw(addressSubject(visitor.network), lockedUntil.address)
  await failures.sweep(secondsBefore(context.machine.now(), forgottenAfterSeconds))
}

/** The attempt was neither right nor wrong, so it does not count. */
export async function withdrawAttempt(
  { pool }: SignInContext,
  { email, visitor, lockedUntil }: Attempt,
): Promise<void> {
  await signInFailureStore(pool).withdraw(emailSubject(email), lockedUntil.email)
  await signInFailureStore(pool).withdraw(addressSubject(visitor.network), lockedUntil.address)
}

interface SubjectCount {
  /** Attempts are not verified before this time; null if this attempt was counted. */
  readonly waitsUntil: Date | null
  readonly lockedUntil: Date | null
}

export async function countSubject(
  { pool, machine }: Pick<SignInContext, 'pool' | 'machine'>,
  subject: string,
  rule: LockOutRule,
): Promise<SubjectCount> {
  const now = machine.now()
  return inTransaction(pool, async (client) => {
    const before = await lockAttempts(client, subject, now)
    if (before.lockedUntil !== null && before.lockedUntil > now)
      return { waitsUntil: before.lockedUntil, lockedUntil: null }
    const isForgotten = before.lastAt < secondsBefore(now, forgottenAfterSeconds)
    const failures = isForgotten ? 1 : before.failures + 1
    const wait = waitSeconds(failures, rule)
    const until = wait === 0 ? null : secondsBefore(now, -wait)
    await putAttempts(client, subject, { failures, lastAt: now, lockedUntil: until })
    return { waitsUntil: null, lockedUntil: until }
  })
}

export function tooManyAttempts({ machine }: Pick<SignInContext, 'machine'>, until: Date): AdminRefused {
  const retryAfterSeconds = Math.ceil((until.getTime() - machine.now().getTime()) / 1000)
  return new AdminRefused('too_many_attempts', { retryAfterSeconds })
}

const secondsBefore = (now: Date, seconds: number): Date => new Date(now.getTime() - seconds * 1000)
