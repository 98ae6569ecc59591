/** The keys of service accounts. Only the hash of a key is stored, so that this table is no use for signing in. */
import { type Nothing, type Queryable, query, sql } from '../database/pool.ts'
import { type UserColumns, type UserRow, userColumns, userFrom } from './users.ts'

export interface ServiceKeyRow {
  readonly id: string
  readonly userId: string
  readonly createdAt: Date
  readonly createdBy: string
  readonly expiresAt: Date
  readonly lastUsedAt: Date | null
}

interface KeyHolder {
  readonly key: ServiceKeyRow
  readonly user: UserRow
  /** Set if the role is a custom one. */
  readonly permissions: readonly string[] | null
}

interface HolderColumns extends UserColumns {
  key_id: string
  key_created_at: Date
  key_created_by: string
  key_expires_at: Date
  key_last_used_at: Date | null
  role_permissions: string[] | null
}

const columns = `id, user_id as "userId", created_at as "createdAt", created_by as "createdBy", expires_at as "expiresAt",
  last_used_at as "lastUsedAt"`

const addKey = sql<Nothing, readonly unknown[]>(
  'service-key.add',
  `insert into service_keys (id, user_id, key_hash, created_at, created_by, expires_at) values ($1, $2, $3, $4, $5, $6)`,
)
const holderOf = sql<HolderColumns, readonly [Buffer]>(
  'service-key.holder',
  `select ${userColumns}, k.id as key_id, k.created_at as key_created_at, k.created_by as key_created_by,
     k.expires_at as key_expires_at, k.last_used_at as key_last_used_at, r.permissions as role_permissions
   from service_keys k join users u on u.id = k.user_id left join roles r on r.name = u.role
   where k.key_hash = $1`,
)
const listKeys = sql<ServiceKeyRow, readonly [readonly string[]]>(
  'service-key.list',
  `select ${columns} from service_keys where user_id = any($1::uuid[]) order by id desc`,
)
/** A key that ends earlier keeps its end. */
const endOthers = sql<{ id: string }, readonly [string, string, Date]>(
  'service-key.end-others',
  `update service_keys set expires_at = $3 where user_id = $1 and id <> $2 and expires_at > $3 returning id`,
)
const removeKey = sql<{ id: string }, readonly [string, string]>(
  'service-key.remove',
  'delete from service_keys where user_id = $1 and id = $2 returning id',
)
const touchKey = sql<Nothing, readonly [string, Date]>(
  'service-key.touch',
  `with used as (update service_keys set last_used_at = $2 where id = $1 returning user_id)
   update users set last_sign_in_at = $2 from used where users.id = used.user_id`,
)

export const serviceKeyStore = (on: Queryable) => ({
  add: async (key: Omit<ServiceKeyRow, 'lastUsedAt'>, keyHash: Buffer): Promise<void> => {
    const { id, userId, createdAt, createdBy, expiresAt } = key
    await query(on, addKey, [id, userId, keyHash, createdAt, createdBy, expiresAt])
  },
  findHolder: async (keyHash: Buffer): Promise<KeyHolder | null> => {
    const [row] = await query(on, holderOf, [keyHash])
    return row === undefined ? null : { key: keyFrom(row), user: userFrom(row), permissions: row.role_permissions }
  },
  list: (userIds: readonly string[]): Promise<readonly ServiceKeyRow[]> => query(on, listKeys, [userIds]),
  /** The number of keys whose end was moved. */
  endOthers: async (userId: string, keepId: string, at: Date): Promise<number> =>
    (await query(on, endOthers, [userId, keepId, at])).length,
  /** False if the account has no such key. */
  remove: async (userId: string, id: string): Promise<boolean> =>
    (await query(on, removeKey, [userId, id])).length === 1,
  /** The account counts as used, too. */
  touch: async (id: string, at: Date): Promise<void> => {
    await query(on, touchKey, [id, at])
  },
})

const keyFrom = (row: HolderColumns): ServiceKeyRow => ({
  id: row.key_id,
  userId: row.id,
  createdAt: row.key_created_at,
  createdBy: row.key_created_by,
  expiresAt: row.key_expires_at,
  lastUsedAt: row.key_last_used_at,
})
