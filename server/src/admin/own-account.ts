/** What somebody changes of their own account: the password and the second factor. Each needs the password again. */
import { type Secret, secret } from '#domain/secret.ts'
import { adminSessionStore } from '../store/admin-sessions.ts'
import { inTransaction } from '../store/transaction.ts'
import { type UserRow, userStore } from '../store/users.ts'
import { PLATFORM_SCOPE } from '../vault/port.ts'
import { AdminRefused, invalid } from './admin-refused.ts'
import { note } from './audit.ts'
import type { AdminDesk, Visitor } from './desk.ts'
import { hashPassword, passwordFault } from './password.ts'
import { requirePassword } from './sign-in.ts'
import { newTotpSecret, stepOfCode, totpAddress } from './totp.ts'

/** The session that asks, whose owner it is, and from where. */
export interface Own {
  readonly user: UserRow
  readonly sessionId: string
  readonly visitor: Visitor
}

/** Every other session ends: whoever knew the old password is out. */
export async function changePassword(
  desk: AdminDesk,
  own: Own,
  { current, next }: { readonly current: Secret<string>; readonly next: Secret<string> },
): Promise<void> {
  const { user } = own
  const fault = passwordFault(next.reveal(), user.email)
  if (fault !== null) throw invalid('next', fault)
  await requirePassword(desk, user, current, own.visitor)
  if (current.reveal() === next.reveal()) throw invalid('next', 'Not the same as before.')
  const hash = await hashPassword(next, Buffer.from(desk.ids.random(16), 'hex'))
  await inTransaction(desk.pool, async (client) => {
    await userStore(client).setPassword(user.id, hash, desk.machine.now(), false)
    await adminSessionStore(client).removeOthers(user.id, own.sessionId)
    await note(client, desk.clock, actorOf(own), { action: 'user.change-password', ...about(user) })
  })
}

/** Shown once, for the authenticator; in force only when `confirmTotp` has seen a code of it. */
export async function beginTotp(
  desk: AdminDesk,
  own: Own,
  password: Secret<string>,
): Promise<{ readonly secret: Secret<string>; readonly address: Secret<string> }> {
  const { user } = own
  await requirePassword(desk, user, password, own.visitor)
  if (user.totpEnabledAt !== null)
    throw new AdminRefused('conflict', { message: 'There is a second factor; remove it first.' })
  const made = newTotpSecret((bytes) => desk.ids.random(bytes))
  await userStore(desk.pool).setTotp(user.id, await desk.vault.seal(PLATFORM_SCOPE, 'totp', made), null)
  return { secret: made, address: secret(totpAddress(made, user.email, 'Gatehouse')) }
}

export async function confirmTotp(desk: AdminDesk, own: Own, code: string): Promise<void> {
  const { user } = own
  if (user.totpSealed === null || user.totpEnabledAt !== null)
    throw new AdminRefused('conflict', { message: 'There is no second factor to confirm.' })
  const now = desk.machine.now()
  const step = stepOfCode(await desk.vault.open(PLATFORM_SCOPE, 'totp', user.totpSealed), code, now, user.totpLastStep)
  if (step === null) throw invalid('code', 'The code is wrong. Is the clock of your phone right?')
  const sealed = user.totpSealed
  await inTransaction(desk.pool, async (client) => {
    await userStore(client).useTotpStep(user.id, step)
    await userStore(client).setTotp(user.id, sealed, now)
    await note(client, desk.clock, actorOf(own), { action: 'user.enable-second-factor', ...about(user) })
  })
}

export async function removeTotp(desk: AdminDesk, own: Own, password: Secret<string>): Promise<void> {
  await requirePassword(desk, own.user, password, own.visitor)
  await inTransaction(desk.pool, async (client) => {
    await userStore(client).setTotp(own.user.id, null, null)
    await note(client, desk.clock, actorOf(own), { action: 'user.remove-second-factor', ...about(own.user) })
  })
}

const about = (user: UserRow) => ({ subject: `user ${user.id}`, merchantId: null })

const actorOf = ({ user, visitor }: Own) => ({ label: user.email, address: visitor.address })
