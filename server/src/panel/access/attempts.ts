/** Attempts to prove who somebody is: counted by account and by network address before they are judged. PCI DSS 8.3.4. */
import { inTransaction } from '../../store/database/transaction.ts'
import { lockAttempts, putAttempts, signInFailureStore } from '../../store/people/sign-in-failures.ts'
import { AdminRefused } from '../admin-refused.ts'
import type { SignInDesk, Visitor } from '../desk.ts'
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

/** Throws when either has to wait. A lock-out that began with this attempt is told in the audit log also then. */
export async function countAttempt(desk: SignInDesk, email: string, visitor: Visitor): Promise<Attempt> {
  const address = await counted(desk, addressSubject(visitor.network), byAddress(desk.rules))
  if (address.waitsUntil !== null) throw tooMany(desk, address.waitsUntil)
  const account = await counted(desk, emailSubject(email), byEmail(desk.rules))
  if (account.waitsUntil === null)
    return { email, visitor, lockedUntil: { email: account.lockedUntil, address: address.lockedUntil } }
  await noteLockOuts(desk, visitor, { email: null, address: address.lockedUntil })
  throw tooMany(desk, account.waitsUntil)
}

/** What was counted, to be taken back when it was no failure. */
export interface Attempt {
  readonly email: string
  readonly visitor: Visitor
  readonly lockedUntil: LockOuts
}

/** The attempt succeeded: earlier failures of the account are forgotten, those of the address stay. */
export async function forgiveAttempts(desk: SignInDesk, { email, visitor, lockedUntil }: Attempt): Promise<void> {
  const failures = signInFailureStore(desk.pool)
  await failures.forget(emailSubject(email))
  await failures.takeBack(addressSubject(visitor.network), lockedUntil.address)
  await failures.sweep(secondsBefore(desk.machine.now(), forgottenAfterSeconds))
}

/** The attempt was neither right nor wrong: it counts for nothing. */
export async function withdrawAttempt({ pool }: SignInDesk, { email, visitor, lockedUntil }: Attempt): Promise<void> {
  await signInFailureStore(pool).takeBack(emailSubject(email), lockedUntil.email)
  await signInFailureStore(pool).takeBack(addressSubject(visitor.network), lockedUntil.address)
}

interface Counted {
  /** Until when nothing is judged; then nothing was counted. */
  readonly waitsUntil: Date | null
  readonly lockedUntil: Date | null
}

async function counted({ pool, machine }: SignInDesk, subject: string, rule: LockOutRule): Promise<Counted> {
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

function tooMany({ machine }: SignInDesk, until: Date): AdminRefused {
  const retryAfterSeconds = Math.ceil((until.getTime() - machine.now().getTime()) / 1000)
  return new AdminRefused('too_many_attempts', { retryAfterSeconds })
}

const secondsBefore = (now: Date, seconds: number): Date => new Date(now.getTime() - seconds * 1000)
