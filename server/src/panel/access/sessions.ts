/** Sessions of the panel: opened by a sign-in, identified by a cookie, ended by time, by their user or when the user is disabled. */

import { hash } from 'node:crypto'
import type { SignInRules } from '#domain/sign-in/sign-in-rules.ts'
import { minuteMs } from '#domain/time.ts'
import {
  type AdminSessionRow,
  adminSessionStore,
  type ProofMethod,
  type SignInMethod,
} from '../../store/people/admin-sessions.ts'
import type { UserRow } from '../../store/people/users.ts'
import type { AdminContext, SignInContext, Visitor } from '../context.ts'
import { type Grant, permissionsOfRole } from './permissions.ts'

/** How often a session's last use is recorded at most. */
const touchMs = minuteMs
const longestAgent = 256

const proofOf: Readonly<Record<SignInMethod, ProofMethod>> = {
  password: 'password',
  'password+totp': 'totp',
  'password+recovery': 'recovery',
  passkey: 'passkey',
  sso: 'sso',
}

/** `key`: a request of a service account, which has no stored session. */
type CallerSession = Omit<AdminSessionRow, 'method'> & { readonly method: SignInMethod | 'key' }

export interface SignedIn {
  readonly session: CallerSession
  readonly user: UserRow
  readonly grant: Grant
  /** To be sent with every change. */
  readonly csrf: string
}

/** How the user signed in, and how long ago the identity was proven; null if that is not known. */
export interface SignInProof {
  readonly method: SignInMethod
  readonly provenMsAgo: number | null
}

/** The token goes into the cookie; only its hash is stored. */
export async function openSession(
  { pool, machine, ids, rules }: SignInContext,
  user: UserRow,
  { method, provenMsAgo }: SignInProof,
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
    expiresAt: new Date(now.getTime() + rules.sessionHours * 60 * minuteMs),
    userAgent: userAgent.slice(0, longestAgent),
    address,
    provenAt: provenMsAgo === null ? null : new Date(now.getTime() - provenMsAgo),
    provenBy: provenMsAgo === null ? null : proofOf[method],
  }
  const store = adminSessionStore(pool)
  await store.add({ session, tokenHash: hashOfToken(token) })
  await store.sweep(now)
  return { token, session }
}

/**
 * Null if the token is unknown, the session has expired, or the user may no longer sign in. The panel's background requests do not keep a
 * session alive (PCI DSS 8.2.8).
 */
export async function findSession(
  { pool, machine, rules }: SignInContext,
  token: string,
  { isBackground }: { readonly isBackground: boolean },
): Promise<SignedIn | null> {
  if (!/^[0-9a-f]{64}$/.test(token)) return null
  const store = adminSessionStore(pool)
  const holder = await store.findHolder(hashOfToken(token))
  const now = machine.now()
  if (holder === null || holder.user.status !== 'active' || endOf(holder.session, rules) <= now) return null
  const isTouched = !isBackground && now.getTime() - holder.session.seenAt.getTime() > touchMs
  if (isTouched) await store.touch(holder.session.id, now)
  const session = isTouched ? { ...holder.session, seenAt: now } : holder.session
  return { session, user: holder.user, grant: grantOf(holder.user, holder.permissions), csrf: csrfOf(token) }
}

/** When a session ends without activity. */
export function endOf(
  { seenAt, expiresAt }: Pick<AdminSessionRow, 'seenAt' | 'expiresAt'>,
  { idleMinutes }: SignInRules,
): Date {
  return new Date(Math.min(seenAt.getTime() + idleMinutes * minuteMs, expiresAt.getTime()))
}

export function listSessions(
  { pool, machine, rules }: SignInContext,
  userId: string,
): Promise<readonly AdminSessionRow[]> {
  const now = machine.now()
  return adminSessionStore(pool).list(userId, now, new Date(now.getTime() - rules.idleMinutes * minuteMs))
}

/** False if the user has no such session. */
export const endSession = ({ pool }: AdminContext, userId: string, id: string): Promise<boolean> =>
  adminSessionStore(pool).remove(userId, id)

/** Ends all sessions but one. Returns how many. */
export const endSessions = ({ pool }: AdminContext, userId: string, keep: string): Promise<number> =>
  adminSessionStore(pool).removeOthers(userId, keep)

export const grantOf = (
  { role, allMerchants, merchantIds }: Pick<UserRow, 'role' | 'allMerchants' | 'merchantIds'>,
  custom: readonly string[] | null,
): Grant => ({
  permissions: permissionsOfRole(role, custom),
  merchants: allMerchants ? 'all' : new Set(merchantIds),
})

/** Derived from the token, which no other page can read, so it need not be stored. */
export const csrfOf = (token: string): string => hash('sha256', `csrf ${token}`, 'hex')

const hashOfToken = (token: string): Buffer => hash('sha256', token, 'buffer')
