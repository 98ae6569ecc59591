/** Users of the identity provider: made at their first sign-in, with the rights of their groups at every sign-in. Chapter 70 §9. */

import { secret } from '#domain/secret.ts'
import { rightsOfGroups } from '#domain/sign-in/group-rights.ts'
import type { SingleSignOnConfig } from '../../process/single-sign-on-settings.ts'
import { merchantStore } from '../../store/configuration/merchants.ts'
import { type UserRow, userStore } from '../../store/people/users.ts'
import { changeUser, createUser, type Grantor, type Rights } from '../access/users.ts'
import { AdminRefused } from '../admin-refused.ts'
import type { PanelContext } from '../panel-context.ts'
import type { ProvenIdentity } from './provider.ts'
import { SsoRefused } from './sso-refused.ts'

/** The provider decides about rights. */
const giver: Grantor = { actor: { label: 'single sign-on', address: null }, userId: null, grant: 'everything' }

export async function findUserOfIdentity(
  context: PanelContext,
  config: SingleSignOnConfig,
  identity: ProvenIdentity,
): Promise<UserRow> {
  const rights = await readRights(context, config, identity)
  const store = userStore(context.pool)
  const subject = `${config.issuer} ${identity.subject}`
  const known = await store.findBySubject(subject)
  if (known?.status === 'disabled') throw new SsoRefused('disabled', known.email)
  try {
    return known === null
      ? await makeUser(context, identity, subject, rights)
      : await refreshUser(context, known, identity, rights)
  } catch (error) {
    // A role of the setting that does not exist, or the last owner, who would lose the role.
    if (error instanceof AdminRefused) throw new SsoRefused('group', error)
    throw error
  }
}

async function readRights(
  { pool }: PanelContext,
  { groups: rules }: SingleSignOnConfig,
  { groups }: ProvenIdentity,
): Promise<Rights> {
  const found = rightsOfGroups(rules, groups)
  if (found === null) throw new SsoRefused('group', `groups: ${groups.join(', ')}`)
  const { role, merchants } = found
  if (merchants === 'all') return { role, allMerchants: true, merchantIds: [] }
  const merchantIds = (await merchantStore(pool).list())
    .filter(({ name }) => merchants.includes(name))
    .map(({ id }) => id)
  if (merchantIds.length === 0) throw new SsoRefused('group', `No such merchants: ${merchants.join(', ')}`)
  return { role, allMerchants: false, merchantIds: merchantIds.toSorted() }
}

async function makeUser(
  context: PanelContext,
  { email, name }: ProvenIdentity,
  subject: string,
  rights: Rights,
): Promise<UserRow> {
  if (email === null) throw new SsoRefused('invalid', 'The provider sends no verified e-mail address.')
  // A person who controls an address at the provider must not take over the local account that has it.
  if ((await userStore(context.pool).findByEmail(email)) !== null) throw new SsoRefused('taken', email)
  const wishes = { ...rights, email, name: name ?? email, ssoSubject: subject }
  const { user } = await createUser(context, giver, wishes, secret(context.ids.random(32)))
  return user
}

async function refreshUser(
  context: PanelContext,
  known: UserRow,
  { name }: ProvenIdentity,
  rights: Rights,
): Promise<UserRow> {
  const wish = { ...rights, name: name ?? known.name }
  const isSame =
    known.role === wish.role &&
    known.name === wish.name &&
    known.allMerchants === wish.allMerchants &&
    known.merchantIds.join() === wish.merchantIds.join()
  return isSame ? known : changeUser(context, giver, known.id, wish)
}
