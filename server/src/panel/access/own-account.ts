/**
 * Users' changes to their own account: the password, which requires the old one, and the second factor, which requires a fresh proof of
 * identity (`re-authentication.ts`).
 */
import { type Secret, secret } from '#domain/secret.ts'
import { passwordFault } from '#domain/sign-in/password-quality.ts'
import { inTransaction } from '../../store/database/transaction.ts'
import { adminSessionStore } from '../../store/people/admin-sessions.ts'
import { passwordHistory } from '../../store/people/password-history.ts'
import { passwordLinkStore } from '../../store/people/password-links.ts'
import { type UserRow, userStore } from '../../store/people/users.ts'
import { PLATFORM_SCOPE } from '../../vault/port.ts'
import { AdminRefused, invalid } from '../admin-refused.ts'
import { note } from '../audit/audit.ts'
import type { SignInContext, Visitor } from '../context.ts'
import { hashPassword, verifyPassword } from './password.ts'
import { writeRecoveryCodes } from './recovery-codes.ts'
import { hasSecondFactor, needsSecondFactor } from './second-factor.ts'
import { requirePassword } from './sign-in.ts'
import { newTotpSecret, stepOfCode, totpAddress } from './totp.ts'

/** The user, the session and the network that a request comes from. */
export interface OwnAccount {
  readonly user: UserRow
  readonly sessionId: string
  readonly visitor: Visitor
}

/** The longest history that a setting may require. */
export const mostFormer = 24

/** Ends all other sessions, so that a person who knew the old password is signed out. */
export async function changePassword(
  context: SignInContext,
  own: OwnAccount,
  { current, next }: { readonly current: Secret<string>; readonly next: Secret<string> },
): Promise<void> {
  const { user } = own
  const fault = passwordFault(next.reveal(), user, context.rules.passwordLength)
  if (fault !== null) throw invalid('next', fault)
  await requirePassword(context, user, current, own.visitor)
  await requireNew(context, user, next)
  const hash = await hashPassword(next, Buffer.from(context.ids.random(16), 'hex'))
  await inTransaction(context.pool, async (client) => {
    await userStore(client).setPassword(user.id, hash, context.machine.now(), false)
    await passwordHistory(client).sweep(user.id, mostFormer)
    await passwordLinkStore(client).remove(user.id)
    await adminSessionStore(client).removeOthers(user.id, own.sessionId)
    await note(client, context.clock, actorOf(own), { action: 'user.change-password', ...userAudit(user) })
  })
}

/** PCI DSS 8.3.7: not one of the last passwords, including the current one. */
export async function requireNew({ pool, rules }: SignInContext, user: UserRow, next: Secret<string>): Promise<void> {
  const former = await passwordHistory(pool).list(user.id, rules.passwordHistory - 1)
  const isUsed = await Promise.all([user.passwordHash, ...former].map((hash) => verifyPassword(next, hash)))
  if (isUsed.includes(true))
    throw invalid(
      'next',
      rules.passwordHistory === 1
        ? 'Choose a password different from the current one.'
        : `Choose a password different from your last ${rules.passwordHistory}.`,
    )
}

/** Shown once, for the authenticator. It becomes active when `confirmTotp` gets a valid code; an active secret stays until then. */
export async function beginTotp(
  context: SignInContext,
  { user }: OwnAccount,
): Promise<{ readonly secret: Secret<string>; readonly address: Secret<string> }> {
  const totpSecret = newTotpSecret((bytes) => context.ids.random(bytes))
  await userStore(context.pool).offerTotp(user.id, await context.vault.seal(PLATFORM_SCOPE, 'totp', totpSecret))
  return { secret: totpSecret, address: secret(totpAddress(totpSecret, user.email, 'Gatehouse')) }
}

/** Returns new recovery codes, which are shown once. */
export async function confirmTotp(
  context: SignInContext,
  own: OwnAccount,
  code: string,
): Promise<readonly Secret<string>[]> {
  const { user, sessionId } = own
  const sealed = user.totpPending
  if (sealed === null)
    throw new AdminRefused('conflict', {
      message: 'No second factor is waiting for confirmation. Start the setup again.',
    })
  const now = context.machine.now()
  const step = stepOfCode(await context.vault.open(PLATFORM_SCOPE, 'totp', sealed), code, now, 0n)
  if (step === null) throw invalid('code', 'Wrong code. Check that the clock of your phone is right.')
  return inTransaction(context.pool, async (client) => {
    await userStore(client).enableTotp(user.id, sealed, now, step)
    await adminSessionStore(client).raise(sessionId, 'password+totp', now, 'totp')
    // Earlier sessions were opened with the password alone, or with a device that is now replaced.
    await adminSessionStore(client).removeOthers(user.id, sessionId)
    await note(client, context.clock, actorOf(own), { action: 'user.enable-second-factor', ...userAudit(user) })
    return writeRecoveryCodes(client, context, user.id)
  })
}

/** Without a second factor they would replace nothing. */
export async function renewRecoveryCodes(context: SignInContext, own: OwnAccount): Promise<readonly Secret<string>[]> {
  const { user } = own
  if (!hasSecondFactor(user)) throw new AdminRefused('conflict', { message: 'Set up a second factor first.' })
  return inTransaction(context.pool, async (client) => {
    const codes = await writeRecoveryCodes(client, context, user.id)
    await note(client, context.clock, actorOf(own), { action: 'user.renew-recovery-codes', ...userAudit(user) })
    return codes
  })
}

export async function removeTotp(context: SignInContext, own: OwnAccount): Promise<void> {
  const { user } = own
  if (needsSecondFactor(context.rules, user) && !hasSecondFactor({ ...user, totpEnabledAt: null }))
    throw new AdminRefused('conflict', {
      message: 'Your account requires a second factor. Add a passkey first, or set up another device.',
    })
  await inTransaction(context.pool, async (client) => {
    await userStore(client).removeTotp(user.id)
    await note(client, context.clock, actorOf(own), { action: 'user.remove-second-factor', ...userAudit(user) })
  })
}

const userAudit = (user: UserRow) => ({ subject: `user ${user.id}`, merchantId: null })

const actorOf = ({ user, visitor }: OwnAccount) => ({ label: user.email, address: visitor.address })
