/**
 * Links by mail with which a user chooses a password: an invitation, or a reset that the user asked for. A link works once and for a time.
 * It replaces the password alone: the second factor is still required at the next sign-in. Chapter 70 §9.
 */

import { hash } from 'node:crypto'
import type { Secret } from '#domain/secret.ts'
import { passwordFault } from '#domain/sign-in/password-quality.ts'
import { hourMs } from '#domain/time.ts'
import type { Queryable } from '../../store/database/pool.ts'
import { inTransaction } from '../../store/database/transaction.ts'
import { mailStore } from '../../store/instance/mails.ts'
import { adminSessionStore } from '../../store/people/admin-sessions.ts'
import { passwordHistory } from '../../store/people/password-history.ts'
import { type LinkPurpose, passwordLinkStore } from '../../store/people/password-links.ts'
import { signInFailureStore } from '../../store/people/sign-in-failures.ts'
import { type UserRow, userStore } from '../../store/people/users.ts'
import { AdminRefused, invalid } from '../admin-refused.ts'
import { note } from '../audit/audit.ts'
import type { AdminContext, SignInContext, Visitor } from '../context.ts'
import { emailSubject } from './lock-out.ts'
import { mostFormer, requireNew } from './own-account.ts'
import { hashPassword } from './password.ts'

/** 192 bits: too many to guess a link. */
const codeBytes = 24

const validFor: Readonly<Record<LinkPurpose, number>> = { invitation: 7 * 24 * hourMs, reset: hourMs }

interface WrittenLink {
  readonly address: string
  readonly expiresAt: Date
}

interface PasswordLinkContext extends Pick<AdminContext, 'ids' | 'machine'> {
  readonly panelUrl: () => string
}

/** The code stands behind `#`, so that it reaches no server and no log before the user acts. */
export async function writePasswordLink(
  { ids, machine, panelUrl }: PasswordLinkContext,
  on: Queryable,
  user: UserRow,
  purpose: LinkPurpose,
): Promise<WrittenLink> {
  const code = ids.random(codeBytes)
  const createdAt = machine.now()
  const wanted = new Date(createdAt.getTime() + validFor[purpose])
  const link = { userId: user.id, purpose, createdAt, expiresAt: wanted }
  const expiresAt = await passwordLinkStore(on).put(hashOf(code), link)
  return { address: `${panelUrl()}/admin/choose-password#${code}`, expiresAt }
}

const hashOf = (code: string): Buffer => hash('sha256', code, 'buffer')

interface OpenLink {
  readonly purpose: LinkPurpose
  readonly user: UserRow
}

export async function readPasswordLink(
  { pool, machine }: Pick<AdminContext, 'pool' | 'machine'>,
  code: string,
): Promise<OpenLink> {
  const link = await passwordLinkStore(pool).find(hashOf(code))
  const user = link && link.expiresAt > machine.now() ? await userStore(pool).find(link.userId) : null
  if (link === null || user?.status !== 'active') throw usedUp()
  return { purpose: link.purpose, user }
}

const usedUp = (): AdminRefused =>
  new AdminRefused('conflict', { message: 'This link has expired or was already used. Ask for a new one.' })

/** Ends all sessions of the user, so that a person who knew the old password is signed out. */
export async function choosePassword(
  context: SignInContext & { readonly sendsMail: boolean },
  { code, next }: { readonly code: string; readonly next: Secret<string> },
  visitor: Visitor,
): Promise<void> {
  const { purpose, user } = await readPasswordLink(context, code)
  const fault = passwordFault(next.reveal(), user, context.rules.passwordLength)
  if (fault !== null) throw invalid('next', fault)
  if (!user.passwordTemporary) await requireNew(context, user, next)
  const passwordHash = await hashPassword(next, Buffer.from(context.ids.random(16), 'hex'))
  await inTransaction(context.pool, async (client) => {
    if (!(await passwordLinkStore(client).take(hashOf(code)))) throw usedUp()
    await userStore(client).setPassword(user.id, passwordHash, context.machine.now(), false)
    await passwordHistory(client).sweep(user.id, mostFormer)
    await adminSessionStore(client).removeOthers(user.id, null)
    await signInFailureStore(client).forget(emailSubject(user.email))
    await note(
      client,
      context.clock,
      { label: user.email, address: visitor.address },
      {
        action: purpose === 'reset' ? 'user.reset-own-password' : 'user.accept-invitation',
        subject: `user ${user.id}`,
        merchantId: null,
      },
    )
    if (context.sendsMail) await mailStore(client, context).add(changeNotice(user))
  })
}

/** For the owner of the account, who may not have done it. */
const changeNotice = ({ email, name }: UserRow) => ({
  to: email,
  subject: 'Your Gatehouse password was changed',
  text: [
    `Hello ${name},`,
    '',
    'The password of your account was changed with a link that was sent to this address. All sessions have ended.',
    'If this was not you, contact an owner of the instance at once.',
    '',
  ].join('\n'),
})
