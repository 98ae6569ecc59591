/**
 * A user who forgot the password asks for a link by mail. Neither the answer nor its time tells whether the address has an account.
 * Chapter 70 §9.
 */

import { setTimeout as pause } from 'node:timers/promises'
import { utcText } from '#domain/time.ts'
import { inTransaction } from '../../store/database/transaction.ts'
import { mailStore } from '../../store/instance/mails.ts'
import { type UserRow, userStore } from '../../store/people/users.ts'
import { note } from '../audit/audit.ts'
import type { Visitor } from '../context.ts'
import type { PanelContext } from '../panel-context.ts'
import { countSubject, tooManyAttempts } from './attempts.ts'
import { requireMail } from './invitations.ts'
import { addressSubject, emailSubject, type LockOutRule } from './lock-out.ts'
import { writePasswordLink } from './password-links.ts'

const perEmail: LockOutRule = { free: 3, locking: 8, lockSeconds: 3600 }
/** An office shares one network address. */
const perAddress: LockOutRule = { free: 30, locking: 60, lockSeconds: 3600 }

/** Longer than looking up the user and writing the mail takes. */
const minimumAnswerMs = 400

export async function askPasswordReset(context: PanelContext, typed: string, visitor: Visitor): Promise<void> {
  requireMail(context)
  const email = typed.trim().toLowerCase()
  // Counted apart from sign-ins, so that a person who asks for a reset is not locked out of signing in.
  for (const [subject, rule] of [
    [`reset ${addressSubject(visitor.network)}`, perAddress],
    [`reset ${emailSubject(email)}`, perEmail],
  ] as const) {
    const { waitsUntil } = await countSubject(context, subject, rule)
    if (waitsUntil !== null) throw tooManyAttempts(context, waitsUntil)
  }
  const answer = pause(minimumAnswerMs)
  const user = await userStore(context.pool).findByEmail(email)
  if (user !== null && mayReset(user)) await mailReset(context, user, visitor)
  await answer
}

const mayReset = ({ status, isService, ssoSubject }: UserRow): boolean =>
  status === 'active' && !isService && ssoSubject === null

async function mailReset(context: PanelContext, user: UserRow, { address: network }: Visitor): Promise<void> {
  const { pool, clock, ids } = context
  await inTransaction(pool, async (client) => {
    const { address, expiresAt } = await writePasswordLink(context, client, user, 'reset')
    await mailStore(client, { clock, ids }).add({
      to: user.email,
      subject: 'Choose a new password for Gatehouse',
      text: [
        `Hello ${user.name},`,
        '',
        'A new password was requested for your account. Choose it here:',
        '',
        address,
        '',
        `The link works once, until ${utcText(expiresAt)}. Your second factor does not change.`,
        'If you did not request this, ignore this e-mail: your password has not changed.',
        '',
      ].join('\n'),
    })
    await note(
      client,
      clock,
      { label: user.email, address: network },
      {
        action: 'user.ask-password-reset',
        subject: `user ${user.id}`,
        merchantId: null,
      },
    )
  })
}
