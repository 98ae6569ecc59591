/** Sessions of the panel. Only the hash of the token is stored, so that this table is no use for signing in. */
import { type Nothing, type Queryable, query, sql } from '../database/pool.ts'
import { type UserColumns, type UserRow, userColumns, userFrom } from './users.ts'

export type SignInMethod = 'password' | 'password+totp' | 'password+recovery' | 'passkey' | 'sso'
export type ProofMethod = 'password' | 'totp' | 'recovery' | 'passkey' | 'sso'

export interface AdminSessionRow {
  readonly id: string
  readonly userId: string
  readonly method: SignInMethod
  readonly createdAt: Date
  readonly seenAt: Date
  readonly expiresAt: Date
  readonly userAgent: string
  readonly address: string
  /** When and how the user last proved their identity: at sign-in, or later for an action that requires it. */
  readonly provenAt: Date | null
  readonly provenBy: ProofMethod | null
}

/** The owner of a session token. `permissions` are set if the role is a custom one. */
interface SessionHolder {
  readonly session: AdminSessionRow
  readonly user: UserRow
  readonly permissions: readonly string[] | null
}

interface Columns {
  id: string
  user_id: string
  method: SignInMethod
  created_at: Date
  seen_at: Date
  expires_at: Date
  user_agent: string
  address: string
  proven_at: Date | null
  proven_by: ProofMethod | null
}

interface HolderColumns extends UserColumns {
  session: string
  session_method: SignInMethod
  session_created: Date
  session_seen: Date
  session_expires: Date
  session_agent: string
  session_address: string
  session_proven_at: Date | null
  session_proven_by: ProofMethod | null
  role_permissions: string[] | null
}

const addSession = sql<Nothing, readonly unknown[]>(
  'admin-session.add',
  `insert into admin_sessions (id, token_hash, user_id, method, created_at, seen_at, expires_at, user_agent, address,
     proven_at, proven_by)
   values ($1, $2, $3, $4, $5, $5, $6, $7, $8, $9, $10)`,
)
const holderOf = sql<HolderColumns, readonly [Buffer]>(
  'admin-session.holder',
  `select ${userColumns}, s.id as session, s.method as session_method, s.created_at as session_created, s.seen_at as session_seen,
     s.expires_at as session_expires, s.user_agent as session_agent, s.address as session_address,
     s.proven_at as session_proven_at, s.proven_by as session_proven_by, r.permissions as role_permissions
   from admin_sessions s join users u on u.id = s.user_id left join roles r on r.name = u.role
   where s.token_hash = $1`,
)
const touchSession = sql<Nothing, readonly [string, Date]>(
  'admin-session.touch',
  'update admin_sessions set seen_at = $2 where id = $1 and seen_at < $2',
)
const proveSession = sql<Nothing, readonly [string, Date, ProofMethod]>(
  'admin-session.prove',
  'update admin_sessions set proven_at = $2, proven_by = $3 where id = $1',
)
/** A session opened with a password gains the rights of a second factor once one is set up in it. */
const raiseSession = sql<Nothing, readonly [string, SignInMethod, Date, ProofMethod]>(
  'admin-session.raise',
  'update admin_sessions set method = $2, proven_at = $3, proven_by = $4 where id = $1',
)
const listSessions = sql<Columns, readonly [string, Date, Date]>(
  'admin-session.list',
  `select id, user_id, method, created_at, seen_at, expires_at, user_agent, address, proven_at, proven_by from admin_sessions
   where user_id = $1 and expires_at > $2 and seen_at > $3 order by seen_at desc`,
)
const removeSession = sql<{ id: string }, readonly [string, string]>(
  'admin-session.remove',
  'delete from admin_sessions where user_id = $1 and id = $2 returning id',
)
const removeOthers = sql<{ id: string }, readonly [string, string | null]>(
  'admin-session.remove-others',
  'delete from admin_sessions where user_id = $1 and id is distinct from $2 returning id',
)
const sweepSessions = sql<Nothing, readonly [Date]>(
  'admin-session.sweep',
  'delete from admin_sessions where expires_at < $1',
)

export const adminSessionStore = (on: Queryable) => ({
  add: async ({ session, tokenHash }: { session: AdminSessionRow; tokenHash: Buffer }): Promise<void> => {
    const { id, userId, method, createdAt, expiresAt, userAgent, address, provenAt, provenBy } = session
    await query(on, addSession, [
      id,
      tokenHash,
      userId,
      method,
      createdAt,
      expiresAt,
      userAgent,
      address,
      provenAt,
      provenBy,
    ])
  },
  findHolder: async (tokenHash: Buffer): Promise<SessionHolder | null> => {
    const [row] = await query(on, holderOf, [tokenHash])
    return row ? holderFrom(row) : null
  },
  touch: async (id: string, at: Date): Promise<void> => {
    await query(on, touchSession, [id, at])
  },
  prove: async (id: string, at: Date, by: ProofMethod): Promise<void> => {
    await query(on, proveSession, [id, at, by])
  },
  raise: async (id: string, method: SignInMethod, at: Date, by: ProofMethod): Promise<void> => {
    await query(on, raiseSession, [id, method, at, by])
  },
  /** Sessions that are still valid; one not seen since `idleSince` has expired. */
  list: async (userId: string, now: Date, idleSince: Date): Promise<readonly AdminSessionRow[]> =>
    (await query(on, listSessions, [userId, now, idleSince])).map(sessionFrom),
  remove: async (userId: string, id: string): Promise<boolean> =>
    (await query(on, removeSession, [userId, id])).length === 1,
  /** Removes all sessions of the user except `keep`; all of them if it is null. */
  removeOthers: async (userId: string, keep: string | null): Promise<number> =>
    (await query(on, removeOthers, [userId, keep])).length,
  sweep: async (now: Date): Promise<void> => {
    await query(on, sweepSessions, [now])
  },
})

const sessionFrom = (row: Columns): AdminSessionRow => ({
  id: row.id,
  userId: row.user_id,
  method: row.method,
  createdAt: row.created_at,
  seenAt: row.seen_at,
  expiresAt: row.expires_at,
  userAgent: row.user_agent,
  address: row.address,
  provenAt: row.proven_at,
  provenBy: row.proven_by,
})

const holderFrom = (row: HolderColumns): SessionHolder => ({
  session: {
    id: row.session,
    userId: row.id,
    method: row.session_method,
    createdAt: row.session_created,
    seenAt: row.session_seen,
    expiresAt: row.session_expires,
    userAgent: row.session_agent,
    address: row.session_address,
    provenAt: row.session_proven_at,
    provenBy: row.session_proven_by,
  },
  user: userFrom(row),
  permissions: row.role_permissions,
})
