/**
 * Refused sign-ins in the audit log. Chapter 50 §8.
 *
 * Whoever guesses must not fill the log: of one network address one refusal a minute is told, and the others as a number, with the next
 * sign-in of anybody after that minute. Lock-outs are told one by one, since each makes the next wait longer. An e-mail address
 * that nobody has is not kept: people type their passwords into the wrong field.
 */
import type { PoolClient } from '../../store/database/pool.ts'
import { inTransaction } from '../../store/database/transaction.ts'
import { signInFailureStore } from '../../store/people/sign-in-failures.ts'
import { note } from '../audit/audit.ts'
import type { Actor, AdminDesk, Visitor } from '../desk.ts'
import { addressSubject, type LockOuts } from './lock-out.ts'

export type RefusalReason =
  | 'wrong password'
  | 'wrong code'
  | 'wrong passkey'
  | 'unknown e-mail address'
  | 'disabled user'
  | 'first password used before'
  | 'passkey needed'

interface RefusedSignIn {
  /** Null when nobody has the e-mail address. */
  readonly userId: string | null
  readonly reason: RefusalReason
  /** Until when this refusal locks out, if it does. */
  readonly lockedUntil?: LockOuts
  /** Who is signed in already and had to prove it again. */
  readonly by?: string
}

const oncePerMs = 60_000
const toldAtOnce = 20
const nobody = 'nobody'

export async function noteRefused(desk: AdminDesk, visitor: Visitor, refused: RefusedSignIn): Promise<void> {
  const { userId, reason, lockedUntil, by = nobody } = refused
  const actor = { label: by, address: visitor.address }
  const user = userId === null ? 'unknown e-mail address' : `user ${userId}`
  const now = desk.machine.now()
  await inTransaction(desk.pool, async (client) => {
    const failures = signInFailureStore(client)
    if (await failures.countForLog(addressSubject(visitor.network), now, minuteBefore(now)))
      await note(client, desk.clock, actor, { ...about('session.refuse', user), after: { reason } })
    await noteLockOut(client, desk, actor, user, lockedUntil?.email ?? null)
    await noteLockOut(client, desk, actor, addressSubject(visitor.network), lockedUntil?.address ?? null)
  })
}

/** Of an attempt that was not judged: the address may be locked out by it while the account waits already. */
export async function noteLockOuts(desk: AdminDesk, visitor: Visitor, { address }: LockOuts): Promise<void> {
  if (address === null) return
  const actor = { label: nobody, address: visitor.address }
  const subject = addressSubject(visitor.network)
  await inTransaction(desk.pool, (client) => noteLockOut(client, desk, actor, subject, address))
}

/** Those that were counted while their address had its entry; there may be none. */
export const noteCountedRefusals = (desk: AdminDesk): Promise<void> =>
  inTransaction(desk.pool, async (client) => {
    const counted = await signInFailureStore(client).takeCounted(minuteBefore(desk.machine.now()), toldAtOnce)
    for (const { subject, failures, since } of counted) {
      const address = subject.replace(/^address /, '')
      const entry = { ...about('session.refuse', subject), after: { failures, since } }
      await note(client, desk.clock, { label: nobody, address }, entry)
    }
  })

async function noteLockOut(
  client: PoolClient,
  { clock }: AdminDesk,
  actor: Actor,
  subject: string,
  until: Date | null,
): Promise<void> {
  if (until !== null) await note(client, clock, actor, { ...about('session.lock-out', subject), after: { until } })
}

const about = (action: string, subject: string) => ({ action, subject, merchantId: null })

const minuteBefore = (now: Date): Date => new Date(now.getTime() - oncePerMs)
