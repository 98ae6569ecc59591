/** Sign-ups that are no users yet: they wait for the confirmation of their mail address, or then for an approval. */
import { columnsOf } from '../database/columns.ts'
import { type Queryable, query, sql } from '../database/pool.ts'

export interface SignUpRow {
  readonly id: string
  readonly linkId: string
  readonly email: string
  readonly name: string
  readonly passwordHash: string
  readonly createdAt: Date
  readonly expiresAt: Date
  /** Null until the mail address is confirmed. */
  readonly confirmedAt: Date | null
}

interface Columns {
  id: string
  link_id: string
  email: string
  name: string
  password_hash: string
  created_at: Date
  expires_at: Date
  confirmed_at: Date | null
}

// biome-ignore format: a list of names.
const columns = columnsOf<Columns>()([
  'id', 'link_id', 'email', 'name', 'password_hash', 'created_at', 'expires_at', 'confirmed_at',
])

// A second sign-up with the same address replaces the first one, unless that was confirmed: then a person is deciding about it.
const putSignUp = sql<{ id: string }, readonly [string, string, Buffer, string, string, string, Date, Date]>(
  'sign-up.put',
  `insert into sign_ups as held (id, link_id, code_hash, email, name, password_hash, created_at, expires_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8)
   on conflict (link_id, email) do update set id = excluded.id, code_hash = excluded.code_hash, name = excluded.name,
     password_hash = excluded.password_hash, created_at = excluded.created_at, expires_at = excluded.expires_at, confirmed_at = null
   where held.confirmed_at is null or held.expires_at <= excluded.created_at
   returning id`,
)
const findByCode = sql<Columns, readonly [Buffer]>(
  'sign-up.find-by-code',
  `select ${columns()} from sign_ups where code_hash = $1`,
)
const listConfirmed = sql<Columns, readonly [Date, number]>(
  'sign-up.list-confirmed',
  `select ${columns()} from sign_ups where confirmed_at is not null and expires_at > $1 order by confirmed_at, id limit $2`,
)
/** Of two requests with the same mail, one succeeds. */
const confirmSignUp = sql<{ id: string }, readonly [string, Date, Date]>(
  'sign-up.confirm',
  'update sign_ups set confirmed_at = $2, expires_at = $3 where id = $1 and confirmed_at is null returning id',
)
/** Of two decisions about a sign-up, one succeeds. */
const takeSignUp = sql<Columns, readonly [string]>(
  'sign-up.take',
  `delete from sign_ups where id = $1 and confirmed_at is not null returning ${columns()}`,
)

export const signUpStore = (on: Queryable) => ({
  /** False if a confirmed sign-up of this address waits for a decision. */
  put: async (codeHash: Buffer, signUp: Omit<SignUpRow, 'confirmedAt'>): Promise<boolean> => {
    const { id, linkId, email, name, passwordHash, createdAt, expiresAt } = signUp
    const values = [id, linkId, codeHash, email, name, passwordHash, createdAt, expiresAt] as const
    return (await query(on, putSignUp, values)).length === 1
  },
  findByCode: async (codeHash: Buffer): Promise<SignUpRow | null> => {
    const [row] = await query(on, findByCode, [codeHash])
    return row ? signUpFrom(row) : null
  },
  /** Those that wait for an approval, oldest first. */
  listConfirmed: async (now: Date, limit: number): Promise<readonly SignUpRow[]> =>
    (await query(on, listConfirmed, [now, limit])).map(signUpFrom),
  /** False if it was confirmed before. */
  confirm: async (id: string, at: Date, expiresAt: Date): Promise<boolean> =>
    (await query(on, confirmSignUp, [id, at, expiresAt])).length === 1,
  /** Null if another decision was faster. */
  take: async (id: string): Promise<SignUpRow | null> => {
    const [row] = await query(on, takeSignUp, [id])
    return row ? signUpFrom(row) : null
  },
})

const signUpFrom = (row: Columns): SignUpRow => ({
  id: row.id,
  linkId: row.link_id,
  email: row.email,
  name: row.name,
  passwordHash: row.password_hash,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  confirmedAt: row.confirmed_at,
})
