/** Sessions of the panel: made by a sign-in, proven by a cookie, ended by time, by their owner or by whoever disables the owner. */
import { hash } from 'node:crypto'
import {
  type AdminSessionRow,
  adminSessionStore,
  type SessionHolder,
  type SignInMethod,
} from '../store/admin-sessions.ts'
import type { UserRow } from '../store/users.ts'
import type { AdminDesk, Visitor } from './desk.ts'
import { type Grant, permissionsOfRole } from './permissions.ts'

const minute = 60_000
/** Nobody was there. */
const idleMs = 30 * minute
/** However busy. */
const longestMs = 12 * 60 * minute
/** A session is noted as seen no more often than this. */
const touchMs = minute
const longestAgent = 256

export interface SignedIn {
  readonly session: AdminSessionRow
  readonly user: UserRow
  readonly grant: Grant
  /** To be sent with every change. */
  readonly csrf: string
}

/** The token goes into the cookie and is kept nowhere. */
export async function openSession(
  { pool, machine, ids }: AdminDesk,
  user: UserRow,
  method: SignInMethod,
  { address, userAgent }: Visitor,
): Promise<{ readonly token: string; readonly session: AdminSessionRow }> {
  const token = ids.random(32)
  const now = machine.now()
  const session: AdminSessionRow = {
    id: ids.next(),
    userId: user.id,
    method,
    createdAt: now,
    seenAt: now,
    expiresAt: new Date(now.getTime() + longestMs),
    userAgent: userAgent.slice(0, longestAgent),
    address,
  }
  const store = adminSessionStore(pool)
  await store.add({ session, tokenHash: hashOfToken(token) })
  await store.sweep(now)
  return { token, session }
}

/** Null when the token is unknown, its time is over, or its user may not sign in any more. */
export async function sessionOf({ pool, machine }: AdminDesk, token: string): Promise<SignedIn | null> {
  if (!/^[0-9a-f]{64}$/.test(token)) return null
  const store = adminSessionStore(pool)
  const holder = await store.holder(hashOfToken(token))
  const now = machine.now()
  if (holder === null || !lives(holder, now)) return null
  if (now.getTime() - holder.session.seenAt.getTime() > touchMs) await store.touch(holder.session.id, now)
  return {
    session: holder.session,
    user: holder.user,
    grant: grantOf(holder.user, holder.permissions),
    csrf: csrfOf(token),
  }
}

export function sessionsOf({ pool, machine }: AdminDesk, userId: string): Promise<readonly AdminSessionRow[]> {
  const now = machine.now()
  return adminSessionStore(pool).list(userId, now, new Date(now.getTime() - idleMs))
}

/** False when there is no such session of this user. */
export const endSession = ({ pool }: AdminDesk, userId: string, id: string): Promise<boolean> =>
  adminSessionStore(pool).remove(userId, id)

/** All but one; answers how many. */
export const endSessions = ({ pool }: AdminDesk, userId: string, keep: string): Promise<number> =>
  adminSessionStore(pool).removeOthers(userId, keep)

export const grantOf = (
  { role, allMerchants, merchantIds }: Pick<UserRow, 'role' | 'allMerchants' | 'merchantIds'>,
  custom: readonly string[] | null,
): Grant => ({
  permissions: permissionsOfRole(role, custom),
  merchants: allMerchants ? 'all' : new Set(merchantIds),
})

/** Follows from the token, which no other page can read; so it needs no keeping. */
export const csrfOf = (token: string): string => hash('sha256', `csrf ${token}`, 'hex')

const lives = ({ session, user }: SessionHolder, now: Date): boolean =>
  user.status === 'active' && session.expiresAt > now && session.seenAt.getTime() + idleMs > now.getTime()

const hashOfToken = (token: string): Buffer => hash('sha256', token, 'buffer')
