/**
 * Refused sign-ins in the audit log. Chapter 50 §8.
 *
 * Password guessing must not fill the log: per network address one refusal a minute is logged, and the others as a number with the next
 * sign-in by any user after that minute. Lockouts are logged one by one, because each prolongs the next wait. An unknown e-mail address is
 * not stored: people type passwords into the wrong field.
 */
import type { PoolClient } from '../../store/database/pool.ts'
import { inTransaction } from '../../store/database/transaction.ts'
import { signInFailureStore } from '../../store/people/sign-in-failures.ts'
import { note } from '../audit/audit.ts'
import type { Actor, AdminContext, Visitor } from '../context.ts'
import { addressSubject, type LockOuts } from './lock-out.ts'

export type RefusalReason =
  | 'wrong password'
  | 'wrong code'
  | 'wrong recovery code'
  | 'wrong passkey'
  | 'unknown e-mail address'
  | 'disabled user'
  | 'first password used before'
  | 'passkey needed'

interface RefusedSignIn {
  /** Null if no user has the e-mail address. */
  readonly userId: string | null
  readonly reason: RefusalReason
  /** Until when this refusal locks out, if it does. */
  readonly lockedUntil?: LockOuts
  /** The signed-in user who had to prove their identity again. */
  readonly by?: string
}

const oncePerMs = 60_000
const mostEntries = 20
export const noActor = 'nobody'

export async function noteRefused(context: AdminContext, visitor: Visitor, refused: RefusedSignIn): Promise<void> {
  const { userId, reason, lockedUntil, by = noActor } = refused
  const actor = { label: by, address: visitor.address }
  const user = userId === null ? 'unknown e-mail address' : `user ${userId}`
  const now = context.machine.now()
  await inTransaction(context.pool, async (client) => {
    const failures = signInFailureStore(client)
    if (await failures.countForLog(addressSubject(visitor.network), now, minuteBefore(now)))
      await note(client, context.clock, actor, { ...auditEntry('session.refuse', user), after: { reason } })
    await noteLockOut(client, context, actor, { subject: user, until: lockedUntil?.email ?? null })
    await noteLockOut(client, context, actor, {
      subject: addressSubject(visitor.network),
      until: lockedUntil?.address ?? null,
    })
  })
}

/** For an attempt that was not verified: it may lock out the address while the account already waits. */
export async function noteLockOuts(context: AdminContext, visitor: Visitor, { address }: LockOuts): Promise<void> {
  if (address === null) return
  const actor = { label: noActor, address: visitor.address }
  const subject = addressSubject(visitor.network)
  await inTransaction(context.pool, (client) => noteLockOut(client, context, actor, { subject, until: address }))
}

/** Logs the refusals that were counted while their address already had an entry; there may be none. */
export const noteCountedRefusals = (context: AdminContext): Promise<void> =>
  inTransaction(context.pool, async (client) => {
    const counted = await signInFailureStore(client).takeCounted(minuteBefore(context.machine.now()), mostEntries)
    for (const { subject, failures, since } of counted) {
      const address = subject.replace(/^address /, '')
      const entry = { ...auditEntry('session.refuse', subject), after: { failures, since } }
      await note(client, context.clock, { label: noActor, address }, entry)
    }
  })

async function noteLockOut(
  client: PoolClient,
  { clock }: AdminContext,
  actor: Actor,
  { subject, until }: { readonly subject: string; readonly until: Date | null },
): Promise<void> {
  if (until !== null) await note(client, clock, actor, { ...auditEntry('session.lock-out', subject), after: { until } })
}

const auditEntry = (action: string, subject: string) => ({ action, subject, merchantId: null })

const minuteBefore = (now: Date): Date => new Date(now.getTime() - oncePerMs)
