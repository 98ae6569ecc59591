/** Sign-ups that wait for an approval by a person who may invite users of these merchants. Chapter 70 §9. */
import type { PoolClient } from '../../store/database/pool.ts'
import { inTransaction } from '../../store/database/transaction.ts'
import { mailStore } from '../../store/instance/mails.ts'
import type { SignUpLinkRow } from '../../store/people/sign-up-links.ts'
import { type SignUpRow, signUpStore } from '../../store/people/sign-ups.ts'
import type { UserRow } from '../../store/people/users.ts'
import type { Grant } from '../access/permissions.ts'
import { addUser, type Grantor } from '../access/users.ts'
import { AdminRefused, notFound } from '../admin-refused.ts'
import { note } from '../audit/audit.ts'
import type { PanelContext } from '../panel-context.ts'
import { linkAudit, listSignUpLinksFor, requireReachableLink, rightsOf } from './sign-up-links.ts'
import { decisionMail } from './sign-up-mails.ts'

const listedSignUps = 500

interface WaitingSignUp {
  readonly signUp: SignUpRow
  readonly link: SignUpLinkRow
}

/** Lists the sign-ups of links whose merchants are all among the caller's, oldest first. */
export async function listWaitingSignUpsFor(context: PanelContext, grant: Grant): Promise<readonly WaitingSignUp[]> {
  const links = new Map((await listSignUpLinksFor(context, grant)).map((link) => [link.id, link]))
  const waiting = await signUpStore(context.pool).listConfirmed(context.machine.now(), listedSignUps)
  return waiting.flatMap((signUp) => {
    const link = links.get(signUp.linkId)
    return link === undefined ? [] : [{ signUp, link }]
  })
}

/** The approver gives the rights, and must have them. A link that was revoked meanwhile does not matter: a person decides. */
export async function approveSignUp(context: PanelContext, giver: Grantor, id: string): Promise<UserRow> {
  return inTransaction(context.pool, async (client) => {
    const { signUp, link } = await takeWaiting(context, client, giver, id)
    const { email, name, passwordHash } = signUp
    const wishes = { ...rightsOf(link), email, name, passwordHash, isTemporary: false }
    const user = await addUser(client, context, giver, wishes)
    await note(client, context.clock, giver.actor, {
      ...linkAudit('sign-up.approve', link),
      after: { signUpId: id, userId: user.id, email },
    })
    await mailStore(client, context).add(decisionMail(signUp, true, context.panelUrl()))
    return user
  })
}

export async function refuseSignUp(context: PanelContext, giver: Grantor, id: string): Promise<void> {
  await inTransaction(context.pool, async (client) => {
    const { signUp, link } = await takeWaiting(context, client, giver, id)
    const before = { signUpId: id, email: signUp.email, name: signUp.name }
    await note(client, context.clock, giver.actor, { ...linkAudit('sign-up.refuse', link), before })
    await mailStore(client, context).add(decisionMail(signUp, false, context.panelUrl()))
  })
}

async function takeWaiting(
  { machine }: PanelContext,
  client: PoolClient,
  giver: Grantor,
  id: string,
): Promise<WaitingSignUp> {
  const signUp = await signUpStore(client).take(id)
  if (signUp === null) throw notFound()
  const link = await requireReachableLink(client, giver, signUp.linkId)
  if (signUp.expiresAt <= machine.now())
    throw new AdminRefused('conflict', { message: 'The sign-up has expired. Ask the person to sign up again.' })
  return { signUp, link }
}
