/**
 * Sign-up links: an address with which people of a merchant make their own accounts. A link gives a merchant role for chosen merchants and
 * never more; its code is shown once and stored as a hash. Chapter 70 §9.
 */

import { hash } from 'node:crypto'
import { type Secret, secret } from '#domain/secret.ts'
import { dayMs } from '#domain/time.ts'
import type { PoolClient } from '../../store/database/pool.ts'
import { inTransaction } from '../../store/database/transaction.ts'
import { type SignUpLinkRow, signUpLinkStore } from '../../store/people/sign-up-links.ts'
import { requireMail } from '../access/invitations.ts'
import { type Grant, merchantRoles, reaches } from '../access/permissions.ts'
import { type Grantor, requireGrantable } from '../access/users.ts'
import { AdminRefused, invalid, notFound } from '../admin-refused.ts'
import { note } from '../audit/audit.ts'
import type { PanelContext } from '../panel-context.ts'

/** No person finds a link by trying. */
const codeBytes = 24
/** The newest ones are listed. */
const listedLinks = 500

interface NewSignUpLink
  extends Pick<SignUpLinkRow, 'role' | 'merchantIds' | 'domains' | 'needsApproval' | 'note' | 'uses'> {
  readonly expiresInDays: number
}

export type SignUpLinkState = 'open' | 'used up' | 'expired' | 'revoked'

export async function createSignUpLink(
  context: PanelContext,
  giver: Grantor,
  { expiresInDays, ...wishes }: NewSignUpLink,
): Promise<{ readonly link: SignUpLinkRow; readonly address: Secret<string> }> {
  requireMail(context)
  if (!merchantRoles.includes(wishes.role))
    throw invalid('role', `A sign-up link gives a role of merchants: ${merchantRoles.join(' or ')}.`)
  const code = context.ids.random(codeBytes)
  const createdAt = context.machine.now()
  const link: SignUpLinkRow = {
    ...wishes,
    id: context.ids.next(),
    used: 0,
    createdBy: giver.actor.label,
    creatorId: giver.userId,
    createdAt,
    expiresAt: new Date(createdAt.getTime() + expiresInDays * dayMs),
    revokedAt: null,
  }
  await inTransaction(context.pool, async (client) => {
    await requireGrantable(client, giver, rightsOf(link))
    await signUpLinkStore(client).add({ ...link, codeHash: linkHashOf(code) })
    const { role, merchantIds, domains, needsApproval, note: about, uses, expiresAt } = link
    await note(client, context.clock, giver.actor, {
      ...linkAudit('sign-up-link.create', link),
      after: { role, merchantIds, domains, needsApproval, note: about, uses, expiresAt },
    })
  })
  // Behind `#`, so that the code reaches no server and no log before the person acts.
  return { link, address: secret(`${context.panelUrl()}/admin/sign-up#${code}`) }
}

/** Sign-ups that were confirmed already stay; those that are not confirmed yet end with the link. */
export async function revokeSignUpLink(context: PanelContext, giver: Grantor, id: string): Promise<void> {
  await inTransaction(context.pool, async (client) => {
    await requireReachableLink(client, giver, id)
    const revoked = await signUpLinkStore(client).revoke(id, context.machine.now())
    if (revoked === null) throw new AdminRefused('conflict', { message: 'The link was revoked already.' })
    await note(client, context.clock, giver.actor, {
      ...linkAudit('sign-up-link.revoke', revoked),
      before: { used: revoked.used, uses: revoked.uses },
    })
  })
}

/** Lists the links whose merchants are all among the caller's, newest first. */
export const listSignUpLinksFor = async ({ pool }: PanelContext, grant: Grant): Promise<readonly SignUpLinkRow[]> =>
  (await signUpLinkStore(pool).list(listedLinks)).filter((link) => isWithin(grant, link))

/** A link out of reach is answered like one that does not exist. */
export async function requireReachableLink(client: PoolClient, { grant }: Grantor, id: string): Promise<SignUpLinkRow> {
  const link = await signUpLinkStore(client).find(id)
  if (link === null || (grant !== 'everything' && !isWithin(grant, link))) throw notFound()
  return link
}

const isWithin = (grant: Grant, { merchantIds }: SignUpLinkRow): boolean =>
  merchantIds.every((id) => reaches(grant, id))

export function stateOf({ revokedAt, expiresAt, used, uses }: SignUpLinkRow, now: Date): SignUpLinkState {
  if (revokedAt !== null) return 'revoked'
  if (expiresAt <= now) return 'expired'
  return used < uses ? 'open' : 'used up'
}

/** The link of a code that a visitor sent; refused if it cannot be used. */
export async function openLink({ pool, machine }: PanelContext, code: string): Promise<SignUpLinkRow> {
  const link = await signUpLinkStore(pool).findByCode(linkHashOf(code))
  if (link === null || stateOf(link, machine.now()) !== 'open') throw linkEnded()
  return link
}

export const linkEnded = (): AdminRefused =>
  new AdminRefused('conflict', {
    message: 'This sign-up link cannot be used any more. Ask the person who gave it to you for a new one.',
  })

/** Returns the rights of a user who signs up with this link. */
export const rightsOf = ({ role, merchantIds }: SignUpLinkRow) => ({ role, allMerchants: false, merchantIds })

export const linkHashOf = (code: string): Buffer => hash('sha256', code, 'buffer')

/** A merchant sees audit entries about links of that merchant alone. */
export const linkAudit = (action: string, { id, merchantIds }: SignUpLinkRow) => ({
  action,
  subject: `sign-up-link ${id}`,
  merchantId: merchantIds.length === 1 ? (merchantIds[0] ?? null) : null,
})
