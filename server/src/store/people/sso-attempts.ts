/** Sign-ins that have gone to the identity provider and not come back. Each can come back once. */
import { type Queryable, query, sql } from '../database/pool.ts'

interface SsoAttemptRow {
  readonly nonce: string
  readonly verifier: string
  /** The page of the panel to show afterwards. */
  readonly nextPath: string
  /** The provider was asked to authenticate the user anew. */
  readonly isFresh: boolean
  readonly expiresAt: Date
}

interface Columns {
  nonce: string
  verifier: string
  next_path: string
  is_fresh: boolean
  expires_at: Date
}

const addAttempt = sql<Record<never, never>, readonly [Buffer, string, string, string, boolean, Date, Date]>(
  'sso-attempt.add',
  // Those that never came back go with the next one.
  `with late as (delete from sso_attempts where expires_at < $7)
   insert into sso_attempts (state_hash, nonce, verifier, next_path, is_fresh, expires_at) values ($1, $2, $3, $4, $5, $6)`,
)
const takeAttempt = sql<Columns, readonly [Buffer]>(
  'sso-attempt.take',
  'delete from sso_attempts where state_hash = $1 returning nonce, verifier, next_path, is_fresh, expires_at',
)

export const ssoAttemptStore = (on: Queryable) => ({
  add: async (stateHash: Buffer, attempt: SsoAttemptRow, now: Date): Promise<void> => {
    const { nonce, verifier, nextPath, isFresh, expiresAt } = attempt
    await query(on, addAttempt, [stateHash, nonce, verifier, nextPath, isFresh, expiresAt, now])
  },
  /** Null if it is unknown or came back before. */
  take: async (stateHash: Buffer): Promise<SsoAttemptRow | null> => {
    const [row] = await query(on, takeAttempt, [stateHash])
    if (row === undefined) return null
    const { nonce, verifier, next_path: nextPath, is_fresh: isFresh, expires_at: expiresAt } = row
    return { nonce, verifier, nextPath, isFresh, expiresAt }
  },
})
