/** Passkeys of users, and the challenges issued to them. */
import { columnsOf } from '../database/columns.ts'
import { type Nothing, type Queryable, query, sql } from '../database/pool.ts'

export interface PasskeyRow {
  readonly userId: string
  readonly id: string
  readonly publicKey: Buffer
  readonly counter: bigint
  readonly transports: readonly string[]
  readonly name: string
  readonly createdAt: Date
  readonly usedAt: Date | null
}

interface Columns {
  user_id: string
  id: string
  public_key: Buffer
  counter: bigint
  transports: string[]
  name: string
  created_at: Date
  used_at: Date | null
}

// biome-ignore format: a list of names.
const passkeyColumns = columnsOf<Columns>()([
  'user_id', 'id', 'public_key', 'counter', 'transports', 'name', 'created_at', 'used_at',
])

const listPasskeys = sql<Columns, readonly [string]>(
  'passkey.list',
  `select ${passkeyColumns()} from user_passkeys where user_id = $1 order by created_at`,
)
const findPasskey = sql<Columns, readonly [string]>(
  'passkey.find',
  `select ${passkeyColumns()} from user_passkeys where id = $1`,
)
const addPasskey = sql<{ id: string }, readonly unknown[]>(
  'passkey.add',
  `insert into user_passkeys (user_id, id, public_key, counter, transports, name, created_at)
   values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing returning id`,
)
/** A copied passkey shows by a counter that falls behind. Many authenticators always report 0. */
const usePasskey = sql<{ id: string }, readonly [string, bigint, Date]>(
  'passkey.use',
  'update user_passkeys set counter = $2, used_at = $3 where id = $1 and (counter < $2 or (counter = 0 and $2 = 0)) returning id',
)
const removePasskey = sql<Columns, readonly [string, string]>(
  'passkey.remove',
  `delete from user_passkeys where user_id = $1 and id = $2 returning ${passkeyColumns()}`,
)
const removeAll = sql<Nothing, readonly [string]>('passkey.remove-all', 'delete from user_passkeys where user_id = $1')
const addChallenge = sql<Nothing, readonly [string, string, string | null, Date, string]>(
  'passkey-challenge.add',
  'insert into passkey_challenges (id, challenge, user_id, expires_at, network) values ($1, $2, $3, $4, $5)',
)
const openChallenges = sql<{ open: number; firstEnd: Date | null }, readonly [string, Date]>(
  'passkey-challenge.open',
  `select count(*)::int as open, min(expires_at) as "firstEnd" from passkey_challenges where network = $1 and expires_at > $2`,
)
const takeChallenge = sql<{ challenge: string; user_id: string | null; expires_at: Date }, readonly [string]>(
  'passkey-challenge.take',
  'delete from passkey_challenges where id = $1 returning challenge, user_id, expires_at',
)
const sweepChallenges = sql<Nothing, readonly [Date]>(
  'passkey-challenge.sweep',
  'delete from passkey_challenges where expires_at < $1',
)

export const passkeyStore = (on: Queryable) => ({
  list: async (userId: string): Promise<readonly PasskeyRow[]> =>
    (await query(on, listPasskeys, [userId])).map(passkeyFrom),
  find: async (id: string): Promise<PasskeyRow | null> => {
    const [row] = await query(on, findPasskey, [id])
    return row ? passkeyFrom(row) : null
  },
  /** False if the passkey is already registered, for any user. */
  add: async ({ userId, id, publicKey, counter, transports, name, createdAt }: PasskeyRow): Promise<boolean> =>
    (await query(on, addPasskey, [userId, id, publicKey, counter, transports, name, createdAt])).length === 1,
  use: async (id: string, counter: bigint, at: Date): Promise<boolean> =>
    (await query(on, usePasskey, [id, counter, at])).length === 1,
  remove: async (userId: string, id: string): Promise<PasskeyRow | null> => {
    const [row] = await query(on, removePasskey, [userId, id])
    return row ? passkeyFrom(row) : null
  },
  removeAll: async (userId: string): Promise<void> => {
    await query(on, removeAll, [userId])
  },
})

interface ChallengeRow {
  readonly id: string
  readonly challenge: string
  readonly userId: string | null
  readonly expiresAt: Date
  /** The network that requested it. */
  readonly network: string
}

export const challengeStore = (on: Queryable) => ({
  add: async ({ id, challenge, userId, expiresAt, network }: ChallengeRow): Promise<void> => {
    await query(on, addChallenge, [id, challenge, userId, expiresAt, network])
  },
  /** How many challenges of a network are unanswered, and when the first of them expires. */
  open: async (network: string, now: Date): Promise<{ readonly open: number; readonly firstEnd: Date | null }> =>
    (await query(on, openChallenges, [network, now]))[0] ?? { open: 0, firstEnd: null },
  /** Single use: a second call finds nothing. */
  take: async (id: string): Promise<Omit<ChallengeRow, 'id' | 'network'> | null> => {
    const [row] = await query(on, takeChallenge, [id])
    return row ? { challenge: row.challenge, userId: row.user_id, expiresAt: row.expires_at } : null
  },
  sweep: async (now: Date): Promise<void> => {
    await query(on, sweepChallenges, [now])
  },
})

const passkeyFrom = (row: Columns): PasskeyRow => ({
  userId: row.user_id,
  id: row.id,
  publicKey: row.public_key,
  counter: row.counter,
  transports: row.transports,
  name: row.name,
  createdAt: row.created_at,
  usedAt: row.used_at,
})
