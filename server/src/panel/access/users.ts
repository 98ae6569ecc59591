/**
 * The panel's users: created, changed, disabled. Users cannot grant more than they have or change their own rights, and the last owner
 * stays. Chapter 50 §8.
 */
import type { Secret } from '#domain/secret.ts'
import type { PoolClient, Queryable } from '../../store/database/pool.ts'
import { inTransaction } from '../../store/database/transaction.ts'
import { adminSessionStore } from '../../store/people/admin-sessions.ts'
import { passkeyStore } from '../../store/people/passkeys.ts'
import { passwordLinkStore } from '../../store/people/password-links.ts'
import { recoveryCodeStore } from '../../store/people/recovery-codes.ts'
import { roleStore } from '../../store/people/roles.ts'
import { signInFailureStore } from '../../store/people/sign-in-failures.ts'
import { type UserRow, userStore } from '../../store/people/users.ts'
import { AdminRefused, invalid, notFound } from '../admin-refused.ts'
import { difference, note } from '../audit/audit.ts'
import type { Actor, AdminContext } from '../context.ts'
import { emailSubject } from './lock-out.ts'
import { hashPassword, readablePassword } from './password.ts'
import { builtInRoles, covers, type Grant, isBuiltInRole, merchantRoles } from './permissions.ts'
import { grantOf } from './sessions.ts'

/** Who grants rights: a user with their own rights, or the command line, which has all. */
export interface Grantor {
  readonly actor: Actor
  readonly userId: string | null
  readonly grant: Grant | 'everything'
}

export type Rights = Pick<UserRow, 'role' | 'allMerchants' | 'merchantIds'>

export interface NewUser extends Rights, Partial<Pick<UserRow, 'status'>> {
  readonly email: string
  readonly name: string
  readonly requireSecondFactor?: boolean | undefined
  readonly isService?: boolean
  readonly ssoSubject?: string
}

/** The password is shown once and must be changed at the first sign-in. */
export interface NewPassword {
  readonly user: UserRow
  readonly password: Secret<string>
}

/** A password that is given need not be changed. */
export async function createUser(
  context: AdminContext,
  giver: Grantor,
  wishes: NewUser,
  chosenPassword?: Secret<string>,
): Promise<NewPassword> {
  const { password, hash } = await createPassword(context, chosenPassword)
  const isTemporary = chosenPassword === undefined
  const user = await inTransaction(context.pool, (client) =>
    addUser(client, context, giver, { ...wishes, passwordHash: hash, isTemporary }),
  )
  return { user, password }
}

interface HashedUser extends NewUser {
  readonly passwordHash: string
  readonly isTemporary: boolean
}

/** Call in a transaction, for example with the row that the user comes from. */
export async function addUser(
  client: PoolClient,
  context: AdminContext,
  giver: Grantor,
  { isTemporary, ...wishes }: HashedUser,
): Promise<UserRow> {
  await requireGrantable(client, giver, wishes)
  const now = context.machine.now()
  const user: UserRow = {
    ...wishes,
    id: context.ids.next(),
    email: wishes.email.trim().toLowerCase(),
    isService: wishes.isService ?? false,
    ssoSubject: wishes.ssoSubject ?? null,
    passwordChangedAt: now,
    passwordTemporary: isTemporary,
    totpSealed: null,
    totpPending: null,
    totpEnabledAt: null,
    totpLastStep: 0n,
    passkeys: 0,
    recoveryCodes: 0,
    requireSecondFactor: wishes.requireSecondFactor ?? false,
    factorDemandedAt: null,
    status: wishes.status ?? 'active',
    disabledReason: null,
    createdAt: now,
    enabledAt: null,
    lastSignInAt: null,
  }
  if (!(await userStore(client).add(user)))
    throw user.isService
      ? invalid('name', 'Another service account has this name.')
      : invalid('email', 'This e-mail address is already in use.')
  await note(client, context.clock, giver.actor, { ...userAudit('user.create', user), after: shownUser(user) })
  return user
}

export type UserChange = Partial<Rights & Pick<UserRow, 'name' | 'status' | 'requireSecondFactor'>>

export async function changeUser(
  context: AdminContext,
  giver: Grantor,
  id: string,
  change: UserChange,
): Promise<UserRow> {
  return inTransaction(context.pool, async (client) => {
    const store = userStore(client)
    // Owners are locked before the user, so that two changes cannot deadlock.
    const owners = await store.lockOwners()
    const before = await lockReachableUser(client, giver, id)
    const isEnabled = before.status === 'disabled' && change.status === 'active'
    const after = {
      ...before,
      ...change,
      ...(change.status === undefined ? {} : { disabledReason: null }),
      ...(isEnabled ? { enabledAt: context.machine.now() } : {}),
    }
    if (after.allMerchants) after.merchantIds = []
    if (giver.userId === id && rightsDiffer(before, after))
      throw new AdminRefused('forbidden', {
        message: 'You cannot change your own permissions. Ask another administrator.',
      })
    await requireGrantable(client, giver, after)
    const isOwner = after.role === 'owner' && after.status === 'active' && after.allMerchants
    if (!isOwner && owners.length === 1 && owners[0] === id)
      throw new AdminRefused('conflict', { message: 'The last owner cannot be disabled or changed.' })
    await store.change(after)
    if (after.status === 'disabled') {
      await adminSessionStore(client).removeOthers(id, null)
      // It would work again once the account is enabled.
      await passwordLinkStore(client).remove(id)
    }
    await note(client, context.clock, giver.actor, {
      ...userAudit('user.change', after),
      ...difference(shownUser(before), shownUser(after)),
    })
    return after
  })
}

/**
 * `withoutFactors` also removes the second factor and the passkeys, for a user who lost the phone. Users cannot do this for themselves: an
 * open session would otherwise suffice to take over the account.
 */
export async function resetPassword(
  context: AdminContext,
  giver: Grantor,
  id: string,
  { withoutFactors }: { readonly withoutFactors: boolean },
): Promise<NewPassword> {
  if (giver.userId === id)
    throw new AdminRefused('forbidden', { message: 'Change your own password under Your account.' })
  const { password, hash } = await createPassword(context)
  return inTransaction(context.pool, async (client) => {
    const user = await lockReachableUser(client, giver, id)
    if (user.isService) throw notFound()
    if (user.ssoSubject !== null)
      throw new AdminRefused('conflict', { message: 'The user signs in with the identity provider.' })
    await userStore(client).setPassword(id, hash, context.machine.now(), true)
    await passwordLinkStore(client).remove(id)
    await adminSessionStore(client).removeOthers(id, null)
    if (withoutFactors) await removeFactors(client, id)
    await note(client, context.clock, giver.actor, {
      ...userAudit('user.reset-password', user),
      after: { withoutFactors },
    })
    return { user, password }
  })
}

/** For a user who lost the phone: the next sign-in sets up another factor. Users cannot do this for themselves, as above. */
export async function resetFactors(context: AdminContext, giver: Grantor, id: string): Promise<UserRow> {
  if (giver.userId === id)
    throw new AdminRefused('forbidden', { message: 'Change your own second factor under Your account.' })
  return inTransaction(context.pool, async (client) => {
    const user = await lockReachableUser(client, giver, id)
    await removeFactors(client, id)
    await adminSessionStore(client).removeOthers(id, null)
    const before = { secondFactor: user.totpEnabledAt !== null, passkeys: user.passkeys }
    await note(client, context.clock, giver.actor, { ...userAudit('user.reset-factor', user), before })
    return user
  })
}

/** Clears the account's failed sign-ins. False if there were none. */
export async function unlockUser(context: AdminContext, giver: Grantor, id: string): Promise<boolean> {
  return inTransaction(context.pool, async (client) => {
    const user = await lockReachableUser(client, giver, id)
    const wasLocked = await signInFailureStore(client).forget(emailSubject(user.email))
    await note(client, context.clock, giver.actor, { ...userAudit('user.unlock', user), after: { wasLocked } })
    return wasLocked
  })
}

/** The end of each lockout by user id; users who are not locked are absent. */
export async function findLockOuts(
  { pool, machine }: Pick<AdminContext, 'pool' | 'machine'>,
  users: readonly UserRow[],
): Promise<ReadonlyMap<string, Date>> {
  const subjects = users.map(({ id, email }) => [id, emailSubject(email)] as const)
  const locked = await signInFailureStore(pool).findLocked(
    subjects.map(([, subject]) => subject),
    machine.now(),
  )
  return new Map(subjects.flatMap(([id, subject]) => [[id, locked.get(subject)] as const]).filter(isLocked))
}

const isLocked = (entry: readonly [string, Date | undefined]): entry is readonly [string, Date] =>
  entry[1] !== undefined

async function removeFactors(client: PoolClient, id: string): Promise<void> {
  await userStore(client).removeTotp(id)
  await passkeyStore(client).removeAll(id)
  await recoveryCodeStore(client).removeAll(id)
  await userStore(client).endGrace(id)
}

/** The users whom the caller may see: their merchants are within the caller's. */
export async function listUsersFor(
  context: AdminContext,
  grant: Grant,
  which: 'people' | 'service accounts' = 'people',
): Promise<readonly UserRow[]> {
  const users = await userStore(context.pool).list()
  return users.filter((user) => isWithin(grant, user) && user.isService === (which === 'service accounts'))
}

/** The user's current rights; null if the user may no longer sign in. */
export async function readGrant({ pool }: Pick<AdminContext, 'pool'>, id: string): Promise<Grant | null> {
  const user = await userStore(pool).find(id)
  return user?.status === 'active' ? grantOf(user, await readCustomPermissions(pool, user.role)) : null
}

/** The attributes shown to others and stored in the audit log: no credentials. */
function shownUser(user: UserRow) {
  const { id, email, name, status, role, allMerchants, merchantIds, requireSecondFactor } = user
  return { id, email, name, status, role, allMerchants, merchantIds, requireSecondFactor }
}

function rightsDiffer(before: UserRow, after: UserRow): boolean {
  const { name: _before, ...old } = shownUser(before)
  const { name: _after, ...anew } = shownUser(after)
  return JSON.stringify(old) !== JSON.stringify(anew)
}

/** A user out of reach is answered like one who does not exist. */
export async function lockReachableUser(client: PoolClient, { grant }: Grantor, id: string): Promise<UserRow> {
  const user = await userStore(client).lock(id)
  if (user === null || (grant !== 'everything' && !isWithin(grant, user))) throw notFound()
  if (grant !== 'everything') {
    const rights = grantOf(user, await readCustomPermissions(client, user.role))
    // Taking over an account with more rights would confer them.
    if (!covers(grant, rights)) throw new AdminRefused('forbidden')
  }
  return user
}

const isWithin = ({ merchants }: Grant, user: UserRow): boolean =>
  merchants === 'all' ||
  (!user.allMerchants && user.merchantIds.length > 0 && user.merchantIds.every((id) => merchants.has(id)))

/** Refuses rights that the role does not allow or the grantor does not have. */
export async function requireGrantable(client: PoolClient, { grant }: Grantor, rights: Rights): Promise<void> {
  const custom = await readCustomPermissions(client, rights.role)
  if (custom === null && !isBuiltInRole(rights.role))
    throw invalid('role', `Unknown role. Use ${builtInRoles().join(', ')}, or one of your own roles.`)
  if (rights.allMerchants && merchantRoles.includes(rights.role))
    throw invalid('allMerchants', 'This role is limited to merchants. Select the merchants.')
  if (!rights.allMerchants && rights.merchantIds.length === 0)
    throw invalid('merchantIds', 'Select at least one merchant, or all merchants.')
  if (grant !== 'everything' && !covers(grant, grantOf(rights, custom)))
    throw new AdminRefused('forbidden', { message: 'You cannot grant permissions that you do not have.' })
}

async function readCustomPermissions(on: Queryable, role: string): Promise<readonly string[] | null> {
  if (isBuiltInRole(role)) return null
  return (await roleStore(on).list()).find(({ name }) => name === role)?.permissions ?? null
}

async function createPassword(
  { ids }: AdminContext,
  chosenPassword?: Secret<string>,
): Promise<{ readonly password: Secret<string>; readonly hash: string }> {
  const password = chosenPassword ?? readablePassword((bytes) => ids.random(bytes))
  return { password, hash: await hashPassword(password, Buffer.from(ids.random(16), 'hex')) }
}

/** A merchant sees audit entries about users of that merchant alone. */
const userAudit = (action: string, user: UserRow) => ({
  action,
  subject: `user ${user.id}`,
  merchantId: user.allMerchants || user.merchantIds.length !== 1 ? null : (user.merchantIds[0] ?? null),
})
