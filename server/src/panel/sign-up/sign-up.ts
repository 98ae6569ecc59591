/**
 * A person signs up with a link: name, mail address and password, then a confirmation by mail. Only then is there a user, or with a link that
 * asks for it a sign-up that waits for an approval. Neither the answer nor its time tells whether the address has an account. Chapter 70 §9.
 */

import { setTimeout as pause } from 'node:timers/promises'
import type { Secret } from '#domain/secret.ts'
import { passwordFault } from '#domain/sign-in/password-quality.ts'
import { dayMs } from '#domain/time.ts'
import type { PoolClient } from '../../store/database/pool.ts'
import { inTransaction } from '../../store/database/transaction.ts'
import { mailStore } from '../../store/instance/mails.ts'
import { type SignUpLinkRow, signUpLinkStore } from '../../store/people/sign-up-links.ts'
import { type SignUpRow, signUpStore } from '../../store/people/sign-ups.ts'
import { userStore } from '../../store/people/users.ts'
import { countSubject, tooManyAttempts } from '../access/attempts.ts'
import { requireMail } from '../access/invitations.ts'
import { addressSubject, emailSubject, type LockOutRule } from '../access/lock-out.ts'
import { hashPassword, verifyPassword } from '../access/password.ts'
import { addUser, readGrant } from '../access/users.ts'
import { AdminRefused, invalid } from '../admin-refused.ts'
import { note } from '../audit/audit.ts'
import type { Visitor } from '../context.ts'
import type { PanelContext } from '../panel-context.ts'
import { linkAudit, linkEnded, linkHashOf, openLink, rightsOf, stateOf } from './sign-up-links.ts'
import { confirmationMail, knownAddressMail, waitingMail } from './sign-up-mails.ts'

const confirmWithinMs = dayMs
/** A sign-up without a decision is then forgotten. */
const decideWithinMs = 30 * dayMs
const codeBytes = 24

/** An office shares one network address. */
const perAddress: LockOutRule = { free: 30, locking: 60, lockSeconds: 3600 }
const perEmail: LockOutRule = { free: 3, locking: 8, lockSeconds: 3600 }
/** A link that became public must not send mail to the whole world. */
const perLink: LockOutRule = { free: 60, locking: 120, lockSeconds: 3600 }

/** Longer than hashing the password and writing the mail takes. */
const minimumAnswerMs = 600

interface SignUpForm {
  readonly code: string
  readonly name: string
  readonly email: string
  readonly password: Secret<string>
}

export async function signUp(context: PanelContext, form: SignUpForm, visitor: Visitor): Promise<void> {
  requireMail(context)
  await requireWithinRate(context, `sign-up ${addressSubject(visitor.network)}`, perAddress)
  const link = await openLink(context, form.code)
  const email = form.email.trim().toLowerCase()
  requireDomain(link, email)
  const fault = passwordFault(form.password.reveal(), { email, name: form.name }, context.rules.passwordLength)
  if (fault !== null) throw invalid('password', fault)
  await requireWithinRate(context, `sign-up ${emailSubject(email)}`, perEmail)
  await requireWithinRate(context, `sign-up link ${link.id}`, perLink)
  const answer = pause(minimumAnswerMs)
  // Hashed also for an address with an account, so that both take the same time.
  const passwordHash = await hashPassword(form.password, Buffer.from(context.ids.random(16), 'hex'))
  await writeSignUp(context, link, { ...form, email, passwordHash }, visitor)
  await answer
}

async function requireWithinRate(context: PanelContext, subject: string, rule: LockOutRule): Promise<void> {
  const { waitsUntil } = await countSubject(context, subject, rule)
  if (waitsUntil !== null) throw tooManyAttempts(context, waitsUntil)
}

function requireDomain({ domains }: SignUpLinkRow, email: string): void {
  const domain = email.split('@').at(-1) ?? ''
  if (domains.length > 0 && !domains.includes(domain))
    throw invalid('email', `Use an e-mail address of ${domains.join(' or ')}.`)
}

interface HashedForm extends Omit<SignUpForm, 'password'> {
  readonly passwordHash: string
}

async function writeSignUp(
  context: PanelContext,
  link: SignUpLinkRow,
  { name, email, passwordHash }: HashedForm,
  { address: network }: Visitor,
): Promise<void> {
  const createdAt = context.machine.now()
  const expiresAt = new Date(Math.min(createdAt.getTime() + confirmWithinMs, link.expiresAt.getTime()))
  const code = context.ids.random(codeBytes)
  const id = context.ids.next()
  await inTransaction(context.pool, async (client) => {
    const mails = mailStore(client, context)
    if ((await userStore(client).findByEmail(email)) !== null)
      return mails.add(knownAddressMail({ name, email }, context.panelUrl()))
    const signUpRow = { id, linkId: link.id, email, name, passwordHash, createdAt, expiresAt }
    // A confirmed sign-up of this address waits for a decision already, and its person knows that.
    if (!(await signUpStore(client).put(linkHashOf(code), signUpRow))) return
    await mails.add(confirmationMail(signUpRow, `${context.panelUrl()}/admin/confirm-sign-up#${code}`))
    await note(client, context.clock, { label: email, address: network }, linkAudit('sign-up.request', link))
  })
}

type ConfirmedAs = 'user' | 'waiting'

/**
 * Asks for the password again: a person who gets the mail of a sign-up by another must not confirm an account whose password that other
 * person chose.
 */
export async function confirmSignUp(
  context: PanelContext,
  { code, password }: { readonly code: string; readonly password: Secret<string> },
  visitor: Visitor,
): Promise<ConfirmedAs> {
  await requireWithinRate(context, `sign-up ${addressSubject(visitor.network)}`, perAddress)
  const row = await openSignUp(context, code)
  if (!(await verifyPassword(password, row.passwordHash)))
    throw invalid('password', 'This is not the password that you chose when you signed up.')
  return inTransaction(context.pool, async (client) => {
    const now = context.machine.now()
    const decisionUntil = new Date(now.getTime() + decideWithinMs)
    if (!(await signUpStore(client).confirm(row.id, now, decisionUntil))) throw mailEnded()
    const link = await signUpLinkStore(client).takeUse(row.linkId, now)
    if (link === null) throw linkEnded()
    const actor = { label: row.email, address: visitor.address }
    await note(client, context.clock, actor, {
      ...linkAudit('sign-up.confirm', link),
      after: { signUpId: row.id, used: link.used, uses: link.uses },
    })
    if (link.needsApproval) {
      await announce(context, client, link, row)
      return 'waiting'
    }
    await makeUser(context, client, link, row)
    return 'user'
  })
}

/** The link gives what its author may give, and nothing once the author has left. */
async function makeUser(context: PanelContext, client: PoolClient, link: SignUpLinkRow, row: SignUpRow): Promise<void> {
  const grant = link.creatorId === null ? null : await readGrant({ pool: client }, link.creatorId)
  if (grant === null || !grant.permissions.has('users.write')) throw linkEnded()
  await signUpStore(client).take(row.id)
  const actor = { label: link.createdBy, address: null }
  const { email, name, passwordHash } = row
  const wishes = { ...rightsOf(link), email, name, passwordHash, isTemporary: false }
  await addUser(client, context, { actor, userId: link.creatorId, grant }, wishes)
}

/** To the author of the link; every other person who may invite finds the sign-up on the page Users. */
async function announce(context: PanelContext, client: PoolClient, link: SignUpLinkRow, row: SignUpRow): Promise<void> {
  const author = link.creatorId === null ? null : await userStore(client).find(link.creatorId)
  if (author?.status !== 'active' || author.isService) return
  await mailStore(client, context).add(waitingMail(author, row, context.panelUrl()))
}

/** Whose address the mail confirms. */
export async function openSignUp({ pool, machine }: PanelContext, code: string): Promise<SignUpRow> {
  const row = await signUpStore(pool).findByCode(linkHashOf(code))
  if (row === null || row.confirmedAt !== null || row.expiresAt <= machine.now()) throw mailEnded()
  const link = await signUpLinkStore(pool).find(row.linkId)
  if (link === null || stateOf(link, machine.now()) !== 'open') throw linkEnded()
  return row
}

const mailEnded = (): AdminRefused =>
  new AdminRefused('conflict', {
    message: 'This link has expired or was already used. Sign up again with the address that you were given.',
  })
