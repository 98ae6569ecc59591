/** Sessions of the panel: made by a sign-in, proven by a cookie, ended by time, by their owner or by whoever disables the owner. */
import { hash } from 'node:crypto'
import type { SignInRules } from '#domain/sign-in/sign-in-rules.ts'
import { type AdminSessionRow, adminSessionStore, type SignInMethod } from '../../store/people/admin-sessions.ts'
import type { UserRow } from '../../store/people/users.ts'
import type { AdminDesk, SignInDesk, Visitor } from '../desk.ts'
import { type Grant, permissionsOfRole } from './permissions.ts'

const minute = 60_000
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
  { pool, machine, ids, rules }: SignInDesk,
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
    expiresAt: new Date(now.getTime() + rules.sessionHours * 60 * minute),
    userAgent: userAgent.slice(0, longestAgent),
    address,
    provenAt: now,
    provenBy: method === 'password+totp' ? 'totp' : method,
  }
  const store = adminSessionStore(pool)
  await store.add({ session, tokenHash: hashOfToken(token) })
  await store.sweep(now)
  return { token, session }
}

/**
 * Null when the token is unknown, its time is over, or its user may not sign in any more. What the panel asks for by itself, without a
 * person at it, keeps no session alive (PCI DSS 8.2.8).
 */
export async function sessionOf(
  { pool, machine, rules }: SignInDesk,
  token: string,
  { isBackground }: { readonly isBackground: boolean },
): Promise<SignedIn | null> {
  if (!/^[0-9a-f]{64}$/.test(token)) return null
  const store = adminSessionStore(pool)
  const holder = await store.holder(hashOfToken(token))
  const now = machine.now()
  if (holder === null || holder.user.status !== 'active' || endOf(holder.session, rules) <= now) return null
  const isTouched = !isBackground && now.getTime() - holder.session.seenAt.getTime() > touchMs
  if (isTouched) await store.touch(holder.session.id, now)
  const session = isTouched ? { ...holder.session, seenAt: now } : holder.session
  return { session, user: holder.user, grant: grantOf(holder.user, holder.permissions), csrf: csrfOf(token) }
}

/** When a session ends unless its person does something. */
export function endOf({ seenAt, expiresAt }: AdminSessionRow, { idleMinutes }: SignInRules): Date {
  return new Date(Math.min(seenAt.getTime() + idleMinutes * minute, expiresAt.getTime()))
}

export function sessionsOf({ pool, machine, rules }: SignInDesk, userId: string): Promise<readonly AdminSessionRow[]> {
  const now = machine.now()
  return adminSessionStore(pool).list(userId, now, new Date(now.getTime() - rules.idleMinutes * minute))
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

const hashOfToken = (token: string): Buffer => hash('sha256', token, 'buffer')
