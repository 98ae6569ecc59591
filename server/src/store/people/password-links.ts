/** Links by mail with which users choose a password. A user has at most one: another replaces it. */
import { type Nothing, type Queryable, query, sql } from '../database/pool.ts'

export type LinkPurpose = 'invitation' | 'reset'

interface PasswordLinkRow {
  readonly userId: string
  readonly purpose: LinkPurpose
  readonly createdAt: Date
  readonly expiresAt: Date
}

interface Columns {
  user_id: string
  purpose: LinkPurpose
  created_at: Date
  expires_at: Date
}

// Any visitor can ask for a reset. It must not shorten an invitation, which then continues with the new code.
const putLink = sql<{ expires_at: Date }, readonly [Buffer, string, LinkPurpose, Date, Date]>(
  'password-link.put',
  `insert into password_links as link (code_hash, user_id, purpose, created_at, expires_at) values ($1, $2, $3, $4, $5)
   on conflict (user_id) do update set code_hash = excluded.code_hash, created_at = excluded.created_at,
     purpose = case when link.purpose = 'invitation' and link.expires_at > excluded.expires_at then link.purpose else excluded.purpose end,
     expires_at = case when link.purpose = 'invitation' then greatest(link.expires_at, excluded.expires_at) else excluded.expires_at end
   returning expires_at`,
)
const findLink = sql<Columns, readonly [Buffer]>(
  'password-link.find',
  'select user_id, purpose, created_at, expires_at from password_links where code_hash = $1',
)
/** Of two requests with the same link, one succeeds. */
const takeLink = sql<{ user_id: string }, readonly [Buffer]>(
  'password-link.take',
  'delete from password_links where code_hash = $1 returning user_id',
)
const removeLink = sql<Nothing, readonly [string]>(
  'password-link.remove',
  'delete from password_links where user_id = $1',
)
const listInvitations = sql<Columns, readonly [readonly string[]]>(
  'password-link.invitations',
  `select user_id, purpose, created_at, expires_at from password_links
   where user_id = any($1::uuid[]) and purpose = 'invitation'`,
)

export const passwordLinkStore = (on: Queryable) => ({
  /** When the link ends. */
  put: async (codeHash: Buffer, { userId, purpose, createdAt, expiresAt }: PasswordLinkRow): Promise<Date> => {
    const [row] = await query(on, putLink, [codeHash, userId, purpose, createdAt, expiresAt])
    return row?.expires_at ?? expiresAt
  },
  find: async (codeHash: Buffer): Promise<PasswordLinkRow | null> => {
    const [row] = await query(on, findLink, [codeHash])
    return row ? linkFrom(row) : null
  },
  /** False if it was used or replaced. */
  take: async (codeHash: Buffer): Promise<boolean> => (await query(on, takeLink, [codeHash])).length === 1,
  remove: async (userId: string): Promise<void> => {
    await query(on, removeLink, [userId])
  },
  /** When the invitation of each user ends; users without one are absent. */
  listInvitations: async (userIds: readonly string[]): Promise<ReadonlyMap<string, Date>> =>
    new Map((await query(on, listInvitations, [userIds])).map((row) => [row.user_id, row.expires_at])),
})

const linkFrom = (row: Columns): PasswordLinkRow => ({
  userId: row.user_id,
  purpose: row.purpose,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
})
