/**
 * Service accounts: programs that call the admin API with a key. A service account is a user with a role and merchants, so that permissions,
 * audit and disabling are those of users; it has no password and no session. Chapter 70 §9.
 */

import { hash } from 'node:crypto'
import { type Secret, secret } from '#domain/secret.ts'
import { dayMs, hourMs, minuteMs } from '#domain/time.ts'
import { inTransaction } from '../../store/database/transaction.ts'
import { type ServiceKeyRow, serviceKeyStore } from '../../store/people/service-keys.ts'
import { type UserRow, userStore } from '../../store/people/users.ts'
import { AdminRefused, notFound } from '../admin-refused.ts'
import { note } from '../audit/audit.ts'
import type { AdminContext, SignInContext, Visitor } from '../context.ts'
import { grantOf, type SignedIn } from './sessions.ts'
import { createUser, type Grantor, listUsersFor, lockReachableUser, type Rights } from './users.ts'

/** How often the last use of a key is recorded at most. */
const touchMs = minuteMs
const prefix = 'ghsk_'

interface NewKey {
  readonly key: ServiceKeyRow
  /** Shown once. */
  readonly text: Secret<string>
}

interface ServiceAccount {
  readonly user: UserRow
  readonly keys: readonly ServiceKeyRow[]
}

export async function createServiceAccount(
  context: AdminContext,
  grantor: Grantor,
  wishes: Rights & { readonly name: string; readonly expiresInDays: number },
): Promise<ServiceAccount & NewKey> {
  const { name, expiresInDays, ...rights } = wishes
  const { user } = await createUser(context, grantor, { ...rights, name, email: `service:${name}`, isService: true })
  const newKey = await addServiceKey(context, grantor, user.id, { expiresInDays, othersEndInHours: 0 })
  return { ...newKey, user, keys: [newKey.key] }
}

/** The other keys end after some hours, in which the new one can be put in place. */
export async function addServiceKey(
  context: AdminContext,
  grantor: Grantor,
  userId: string,
  { expiresInDays, othersEndInHours }: { readonly expiresInDays: number; readonly othersEndInHours: number },
): Promise<NewKey> {
  const text = `${prefix}${context.ids.random(32)}`
  return inTransaction(context.pool, async (client) => {
    const user = await lockServiceAccount(client, grantor, userId)
    if (user.status !== 'active')
      throw new AdminRefused('conflict', { message: 'The service account is disabled. Enable it first.' })
    const now = context.machine.now()
    const expiresAt = new Date(now.getTime() + expiresInDays * dayMs)
    const key = { id: context.ids.next(), userId, createdAt: now, createdBy: grantor.actor.label, expiresAt }
    await serviceKeyStore(client).add(key, hashOf(text))
    const othersEnded = await serviceKeyStore(client).endOthers(userId, key.id, after(now, othersEndInHours))
    await note(client, context.clock, grantor.actor, {
      ...keyAudit('service-account.add-key', user),
      after: { keyId: key.id, expiresAt, othersEnded },
    })
    return { key: { ...key, lastUsedAt: null }, text: secret(text) }
  })
}

export async function removeServiceKey(
  context: AdminContext,
  grantor: Grantor,
  userId: string,
  keyId: string,
): Promise<void> {
  await inTransaction(context.pool, async (client) => {
    const user = await lockServiceAccount(client, grantor, userId)
    if (!(await serviceKeyStore(client).remove(userId, keyId))) throw notFound()
    await note(client, context.clock, grantor.actor, {
      ...keyAudit('service-account.remove-key', user),
      before: { keyId },
    })
  })
}

/** Lists the service accounts whose merchants are all among the caller's. */
export async function listServiceAccountsFor(
  context: AdminContext,
  grant: SignedIn['grant'],
): Promise<readonly ServiceAccount[]> {
  const users = await listUsersFor(context, grant, 'service accounts')
  const keys = await serviceKeyStore(context.pool).list(users.map(({ id }) => id))
  return users.map((user) => ({ user, keys: keys.filter(({ userId }) => userId === user.id) }))
}

/**
 * Null if the key is unknown or has ended, or the account is disabled. A program decides on no approval, because the second person must be a
 * person.
 */
export async function findServiceCaller(
  { pool, machine }: SignInContext,
  text: string,
): Promise<Pick<SignedIn, 'user' | 'grant'> | null> {
  if (!/^ghsk_[0-9a-f]{64}$/.test(text)) return null
  const store = serviceKeyStore(pool)
  const holder = await store.findHolder(hashOf(text))
  const now = machine.now()
  if (holder === null || holder.user.status !== 'active' || holder.key.expiresAt <= now) return null
  if (now.getTime() - (holder.key.lastUsedAt?.getTime() ?? 0) > touchMs) await store.touch(holder.key.id, now)
  const { permissions, merchants } = grantOf(holder.user, holder.permissions)
  const allowed = [...permissions].filter((name) => name !== 'approvals.decide')
  return { user: holder.user, grant: { permissions: new Set(allowed), merchants } }
}

/** For the steps of a request; it is not stored, and nothing can be proven in it. */
export const serviceSession = (user: UserRow, { address, userAgent }: Visitor, now: Date): SignedIn['session'] => ({
  id: user.id,
  userId: user.id,
  method: 'key',
  createdAt: now,
  seenAt: now,
  expiresAt: now,
  userAgent,
  address,
  provenAt: null,
  provenBy: null,
})

async function lockServiceAccount(
  client: Parameters<typeof lockReachableUser>[0],
  grantor: Grantor,
  userId: string,
): Promise<UserRow> {
  const found = await userStore(client).find(userId)
  if (found?.isService !== true) throw notFound()
  return lockReachableUser(client, grantor, userId)
}

const after = (now: Date, hours: number): Date => new Date(now.getTime() + hours * hourMs)

const hashOf = (text: string): Buffer => hash('sha256', text, 'buffer')

const keyAudit = (action: string, { id, allMerchants, merchantIds }: UserRow) => ({
  action,
  subject: `user ${id}`,
  merchantId: allMerchants || merchantIds.length !== 1 ? null : (merchantIds[0] ?? null),
})
