/** Sign-up links: who made them, what they give, and how often they were used. */
import { columnsOf } from '../database/columns.ts'
import { insertion } from '../database/insertion.ts'
import { type Nothing, type Queryable, query, sql } from '../database/pool.ts'

export interface SignUpLinkRow {
  readonly id: string
  readonly role: string
  readonly merchantIds: readonly string[]
  /** Domains of mail addresses; empty allows all. */
  readonly domains: readonly string[]
  readonly needsApproval: boolean
  readonly note: string
  readonly uses: number
  readonly used: number
  /** As audit entries name the person. */
  readonly createdBy: string
  readonly creatorId: string | null
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly revokedAt: Date | null
}

interface Columns {
  id: string
  role: string
  merchant_ids: string[]
  domains: string[]
  needs_approval: boolean
  note: string
  uses: number
  used: number
  created_by: string
  creator_id: string | null
  created_at: Date
  expires_at: Date
  revoked_at: Date | null
}

// biome-ignore format: a list of names.
const columns = columnsOf<Columns>()([
  'id', 'role', 'merchant_ids', 'domains', 'needs_approval', 'note', 'uses', 'used', 'created_by', 'creator_id', 'created_at', 'expires_at', 'revoked_at',
])

type NewLink = SignUpLinkRow & { readonly codeHash: Buffer }

// biome-ignore format: a table is read in columns.
const linkInsertion = insertion<NewLink>('sign_up_links', [
  ['id',             (link) => link.id],
  ['code_hash',      (link) => link.codeHash],
  ['role',           (link) => link.role],
  ['merchant_ids',   (link) => link.merchantIds],
  ['domains',        (link) => link.domains],
  ['needs_approval', (link) => link.needsApproval],
  ['note',           (link) => link.note],
  ['uses',           (link) => link.uses],
  ['created_by',     (link) => link.createdBy],
  ['creator_id',     (link) => link.creatorId],
  ['created_at',     (link) => link.createdAt],
  ['expires_at',     (link) => link.expiresAt],
])

const addLink = sql<Nothing, readonly unknown[]>('sign-up-link.add', linkInsertion.text(1))
const listLinks = sql<Columns, readonly [number]>(
  'sign-up-link.list',
  `select ${columns()} from sign_up_links order by created_at desc, id desc limit $1`,
)
const findLink = sql<Columns, readonly [string]>(
  'sign-up-link.find',
  `select ${columns()} from sign_up_links where id = $1`,
)
const findByCode = sql<Columns, readonly [Buffer]>(
  'sign-up-link.find-by-code',
  `select ${columns()} from sign_up_links where code_hash = $1`,
)
/** Of two confirmations with one use left, one succeeds: the second waits for the row and then finds none left. */
const takeUse = sql<Columns, readonly [string, Date]>(
  'sign-up-link.take-use',
  `update sign_up_links set used = used + 1
   where id = $1 and used < uses and revoked_at is null and expires_at > $2 returning ${columns()}`,
)
const revokeLink = sql<Columns, readonly [string, Date]>(
  'sign-up-link.revoke',
  `update sign_up_links set revoked_at = $2 where id = $1 and revoked_at is null returning ${columns()}`,
)

export const signUpLinkStore = (on: Queryable) => ({
  add: async (link: NewLink): Promise<void> => {
    await query(on, addLink, linkInsertion.values(link))
  },
  /** Newest first. */
  list: async (limit: number): Promise<readonly SignUpLinkRow[]> => (await query(on, listLinks, [limit])).map(linkFrom),
  find: async (id: string): Promise<SignUpLinkRow | null> => firstOf(await query(on, findLink, [id])),
  findByCode: async (codeHash: Buffer): Promise<SignUpLinkRow | null> =>
    firstOf(await query(on, findByCode, [codeHash])),
  /** Null if the link has no use left, has expired or was revoked. */
  takeUse: async (id: string, now: Date): Promise<SignUpLinkRow | null> => firstOf(await query(on, takeUse, [id, now])),
  /** Null if it was revoked before. */
  revoke: async (id: string, now: Date): Promise<SignUpLinkRow | null> =>
    firstOf(await query(on, revokeLink, [id, now])),
})

const firstOf = ([row]: readonly Columns[]): SignUpLinkRow | null => (row ? linkFrom(row) : null)

const linkFrom = (row: Columns): SignUpLinkRow => ({
  id: row.id,
  role: row.role,
  merchantIds: row.merchant_ids,
  domains: row.domains,
  needsApproval: row.needs_approval,
  note: row.note,
  uses: row.uses,
  used: row.used,
  createdBy: row.created_by,
  creatorId: row.creator_id,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  revokedAt: row.revoked_at,
})
