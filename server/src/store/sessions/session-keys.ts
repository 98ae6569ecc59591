/** Keys that sign session tokens. An index allows one current key; the others stay for the tokens that they signed. */
import type { SessionKeyRecord, SessionKeyRows } from '../../contracts/session-ports.ts'
import { type Queryable, query, sql } from '../database/pool.ts'

interface Columns {
  id: string
  spki: Buffer
  private_sealed: Buffer
  created_at: Date
}

type NewKeyValues = readonly [string, Uint8Array, Uint8Array, Date]

const columns = 'id, spki, private_sealed, created_at'

const currentKey = sql<Columns, readonly []>(
  'session-key.current',
  `select ${columns} from session_keys where retired_at is null`,
)

const findKey = sql<Columns, readonly [string]>('session-key.find', `select ${columns} from session_keys where id = $1`)

const addKey = sql<{ id: string }, NewKeyValues>(
  'session-key.add',
  `insert into session_keys (${columns}) values ($1, $2, $3, $4) on conflict do nothing returning id`,
)

const retireKey = sql<{ id: string }, readonly [string, Date]>(
  'session-key.retire',
  'update session_keys set retired_at = $2 where id <> $1 and retired_at is null returning id',
)

export function sessionKeyRows(pool: Queryable): SessionKeyRows {
  const add = async ({ id, spki, privateSealed, createdAt }: SessionKeyRecord): Promise<boolean> =>
    (await query(pool, addKey, [id, spki, privateSealed, createdAt])).length === 1
  return {
    findCurrent: async () => recordOf((await query(pool, currentKey, []))[0]),
    find: async (id) => recordOf((await query(pool, findKey, [id]))[0]),
    add,
    replace: async (key) => {
      // Between the two statements there is no current key. A process that needs one at that moment creates it, and that key serves as
      // well.
      await query(pool, retireKey, [key.id, key.createdAt])
      await add(key)
    },
  }
}

const recordOf = (row: Columns | undefined): SessionKeyRecord | null =>
  row ? { id: row.id, spki: row.spki, privateSealed: row.private_sealed, createdAt: row.created_at } : null
