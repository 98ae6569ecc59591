/** Invitations: a new user chooses the first password with a link by mail, so that no other person ever knows it. Chapter 70 §9. */
import { utcText } from '#domain/time.ts'
import { inTransaction } from '../../store/database/transaction.ts'
import { mailStore } from '../../store/instance/mails.ts'
import { passwordLinkStore } from '../../store/people/password-links.ts'
import type { UserRow } from '../../store/people/users.ts'
import { AdminRefused, notFound } from '../admin-refused.ts'
import { note } from '../audit/audit.ts'
import type { AdminContext } from '../context.ts'
import type { PanelContext } from '../panel-context.ts'
import { writePasswordLink } from './password-links.ts'
import { type Grantor, lockReachableUser } from './users.ts'

/** Also within a transaction. */
export type InvitationContext = AdminContext & Pick<PanelContext, 'panelUrl' | 'sendsMail'>

export function requireMail({ sendsMail }: Pick<PanelContext, 'sendsMail'>): void {
  if (!sendsMail) throw new AdminRefused('conflict', { message: 'No mail server is configured (SMTP_URL).' })
}

/** Sent again, it replaces the earlier link. */
export async function inviteUser(context: InvitationContext, giver: Grantor, id: string): Promise<Date> {
  const { clock, ids, panelUrl } = context
  requireMail(context)
  return inTransaction(context.pool, async (client) => {
    const user = await lockReachableUser(client, giver, id)
    if (user.isService) throw notFound()
    if (user.ssoSubject !== null)
      throw new AdminRefused('conflict', { message: 'The user signs in with the identity provider.' })
    if (user.status !== 'active') throw new AdminRefused('conflict', { message: 'The user is disabled.' })
    if (!user.passwordTemporary)
      throw new AdminRefused('conflict', { message: 'The user has already chosen a password.' })
    const { address, expiresAt } = await writePasswordLink(context, client, user, 'invitation')
    await mailStore(client, { clock, ids }).add({
      to: user.email,
      subject: 'Your access to Gatehouse',
      text: [
        `Hello ${user.name},`,
        '',
        `${giver.actor.label} has created an account for you at ${panelUrl()}/admin.`,
        'Choose your password here:',
        '',
        address,
        '',
        `The link works once, until ${utcText(expiresAt)}. Do not share it.`,
        '',
      ].join('\n'),
    })
    await note(client, clock, giver.actor, {
      action: 'user.invite',
      subject: `user ${user.id}`,
      merchantId: user.allMerchants || user.merchantIds.length !== 1 ? null : (user.merchantIds[0] ?? null),
      after: { expiresAt: expiresAt.toISOString() },
    })
    return expiresAt
  })
}

/** When the unused invitation of each user ends; users without one are absent. */
export const findInvitations = (
  { pool }: Pick<PanelContext, 'pool'>,
  users: readonly UserRow[],
): Promise<ReadonlyMap<string, Date>> => passwordLinkStore(pool).listInvitations(users.map(({ id }) => id))
