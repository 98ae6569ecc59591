/**
 * Who approves requests is decided by two people: a user who makes an account an owner or an approver, enables one, or extends the rights of one asks, and a second
 * one approves. A user who is the only one who could decide does it alone, and so do the command line and the identity provider. Chapter 70
 * §9, decisions/people#second-person.
 */
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { Queryable } from '../../store/database/pool.ts'
import { inTransaction } from '../../store/database/transaction.ts'
import { type ApprovalRow, approvalStore } from '../../store/people/approvals.ts'
import { type RoleRow, roleStore } from '../../store/people/roles.ts'
import { type UserRow, userStore } from '../../store/people/users.ts'
import { type InvitationContext, inviteUser } from '../access/invitations.ts'
import { covers, type Grant, permissionsOfRole } from '../access/permissions.ts'
import { grantOf } from '../access/sessions.ts'
import {
  changeUser,
  createUser,
  type Grantor,
  lockReachableUser,
  type NewPassword,
  type NewUser,
  type Rights,
  readGrant,
  requireGrantable,
  type UserChange,
} from '../access/users.ts'
import { AdminRefused, notFound } from '../admin-refused.ts'
import type { AdminContext } from '../context.ts'
import { askApproval, type endApproval, type Requester } from './approvals.ts'
import { decidesAboutRights, readSecondPersons } from './second-person.ts'

/** A user of the panel, who changes another one. */
type Asker = Requester & { readonly grant: Grant }

const giverOf = ({ user, actor, grant }: Asker): Grantor => ({ actor, userId: user.id, grant })

/** An account that waits for a second person is disabled until then. */
export const createUserOrAsk = (
  context: InvitationContext,
  asker: Asker,
  wishes: NewUser,
  { invite }: { readonly invite: boolean },
): Promise<NewPassword> =>
  inTransaction(context.pool, async (client) => {
    const inside = { ...context, pool: client }
    const isShared = await needsSecondPerson(inside, asker, { target: null, before: null, after: wishes })
    const created = await createUser(inside, giverOf(asker), { ...wishes, status: isShared ? 'disabled' : 'active' })
    if (isShared) await askRights(inside, asker, created.user, { after: { ...created.user, status: 'active' }, invite })
    else if (invite) await inviteUser(inside, giverOf(asker), created.user.id)
    return created
  })

/** Returns the user as the account is now: unchanged if the change waits for a second person. */
export const changeUserOrAsk = (
  context: AdminContext,
  asker: Asker,
  userId: string,
  change: UserChange,
): Promise<UserRow> =>
  inTransaction(context.pool, async (client) => {
    const inside = { ...context, pool: client }
    const giver = giverOf(asker)
    // In the order of `changeUser`.
    await userStore(client).lockOwners()
    const user = await lockReachableUser(client, giver, userId)
    const after = { ...user, ...change }
    const before = await readGrant(inside, userId)
    const isShared =
      after.status === 'active' &&
      !user.isService &&
      (await needsSecondPerson(inside, asker, { target: user, before, after }))
    if (!isShared) return changeUser(inside, giver, userId, change)
    await requireGrantable(client, giver, after)
    await askRights(inside, asker, user, { after, invite: false })
    return user
  })

interface RightsChange {
  readonly target: UserRow | null
  /** Null without any rights. */
  readonly before: Grant | null
  readonly after: Rights
}

async function needsSecondPerson(
  context: AdminContext,
  { user }: Asker,
  { target, before, after }: RightsChange,
): Promise<boolean> {
  const rights = grantOf(after, await readCustom(context.pool, after.role))
  if (!rights.permissions.has('approvals.decide') || (before !== null && covers(before, rights))) return false
  const canDecide = (grant: Grant): boolean => decidesAboutRights(grant) && covers(grant, rights)
  const others = (await readSecondPersons(context)).listOthers(user.id, canDecide)
  return others.some((id) => id !== target?.id)
}

const readCustom = async (on: Queryable, role: string): Promise<readonly string[] | null> =>
  (await roleStore(on).list()).find(({ name }) => name === role)?.permissions ?? null

/** A role of users who may approve is not extended by one person: a new role is given to each of them by two. */
export async function requireSharedRole(
  context: AdminContext,
  asker: Pick<Asker, 'user'>,
  { name, permissions }: RoleRow,
): Promise<void> {
  const after = permissionsOfRole(name, permissions)
  const before = permissionsOfRole(name, await readCustom(context.pool, name))
  const isExtended = [...after].some((permission) => !before.has(permission))
  if (!after.has('approvals.decide') || !isExtended) return
  const holders = (await userStore(context.pool).list()).filter(({ role, isService }) => role === name && !isService)
  if (holders.length === 0) return
  const others = (await readSecondPersons(context)).listOthers(asker.user.id, decidesAboutRights)
  if (others.length === 0) return
  throw new AdminRefused('conflict', {
    message:
      'Users with this role may approve requests, so that two people decide about their permissions. Create another role, and give it to the users.',
  })
}

/** `after` has everything that a change may change, so that exactly it is approved. */
function askRights(
  context: AdminContext,
  asker: Asker,
  before: UserRow,
  { after, invite }: { readonly after: UserRow; readonly invite: boolean },
): Promise<ApprovalRow> {
  const { id, name, email } = before
  const [merchantId] = after.merchantIds
  return askApproval(
    context,
    asker,
    {
      kind: 'user-rights',
      merchantId: after.allMerchants || after.merchantIds.length !== 1 ? null : (merchantId ?? null),
      subject: `user ${id}`,
      request: { userId: id, name, email, invite, before: settingsOf(before), after: settingsOf(after) },
      reason: before.status === 'active' ? 'More rights' : 'A new or enabled account',
    },
    { replacesEarlier: true },
  )
}

const settingsOf = (user: UserRow) => {
  const { status, name, role, allMerchants, merchantIds, requireSecondFactor } = user
  return {
    status,
    name,
    role,
    allMerchants,
    merchantIds: allMerchants ? [] : merchantIds.toSorted(),
    requireSecondFactor,
  }
}

/** Before the decision, so that a person who may not give these rights leaves the request to others. */
export const requireGranter = (context: AdminContext, approver: Requester, approval: ApprovalRow): Promise<void> =>
  inTransaction(context.pool, async (client) => {
    const { userId, after } = requestSchema.parse(approval.request)
    const giver = giverOf({ ...approver, grant: await requireGrant({ pool: client }, approver.user.id) })
    const user = await lockReachableUser(client, giver, userId)
    if (user.id === approver.user.id)
      throw new AdminRefused('forbidden', { message: 'You cannot decide about your own rights.' })
    await requireGrantable(client, giver, after)
  })

/** Carries out an approved request. An account that was changed meanwhile is not what was approved. */
export async function giveApprovedRights(
  context: InvitationContext,
  approver: Requester,
  approval: ApprovalRow,
): Promise<Parameters<typeof endApproval>[3]> {
  const { userId, before, after, invite, email } = requestSchema.parse(approval.request)
  const giver = giverOf({ ...approver, grant: await requireGrant(context, approver.user.id) })
  // In the order of `changeUser`.
  await userStore(context.pool).lockOwners()
  const user = await userStore(context.pool).lock(userId)
  if (user === null || !isDeepStrictEqual(settingsOf(user), before))
    return { state: 'failed', result: { refused: 'The account was changed after the request. Request it again.' } }
  await changeUser(context, giver, userId, after)
  if (invite && context.sendsMail) await inviteUser(context, giver, userId)
  return { state: 'done', result: { email } }
}

async function requireGrant(context: Pick<AdminContext, 'pool'>, userId: string): Promise<Grant> {
  const grant = await readGrant(context, userId)
  if (grant === null) throw notFound()
  return grant
}

/** The requests that wait about some users, by the user's id. */
export async function findWaitingRights(
  { pool, clock }: Pick<AdminContext, 'pool' | 'clock'>,
  users: readonly UserRow[],
): Promise<ReadonlyMap<string, string>> {
  const waiting = await approvalStore(pool).findWaitingAbout(
    'user-rights',
    users.map(({ id }) => `user ${id}`),
    clock.now(),
  )
  return new Map([...waiting].map(([subject, { id }]) => [subject.slice('user '.length), id]))
}

const settingsSchema = z.object({
  status: z.enum(['active', 'disabled']),
  name: z.string(),
  role: z.string(),
  allMerchants: z.boolean(),
  merchantIds: z.array(z.string()),
  requireSecondFactor: z.boolean(),
})

const requestSchema = z.object({
  userId: z.uuid(),
  email: z.string(),
  invite: z.boolean(),
  before: settingsSchema,
  after: settingsSchema,
})
