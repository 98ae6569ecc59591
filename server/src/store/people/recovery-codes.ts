/** Recovery codes of users: single use, stored as hashes. */
import { type Nothing, type Queryable, query, sql } from '../database/pool.ts'

const removeCodes = sql<Nothing, readonly [string]>(
  'recovery-code.remove-all',
  'delete from recovery_codes where user_id = $1',
)
const addCodes = sql<Nothing, readonly [string, readonly Buffer[], Date]>(
  'recovery-code.add',
  'insert into recovery_codes (user_id, code_hash, created_at) select $1, unnest($2::bytea[]), $3',
)
/** Of two simultaneous requests with the same code, one succeeds. */
const useCode = sql<Nothing, readonly [string, Buffer, Date]>(
  'recovery-code.use',
  'update recovery_codes set used_at = $3 where user_id = $1 and code_hash = $2 and used_at is null returning user_id',
)

export const recoveryCodeStore = (on: Queryable) => ({
  removeAll: async (userId: string): Promise<void> => {
    await query(on, removeCodes, [userId])
  },
  add: async (userId: string, hashes: readonly Buffer[], at: Date): Promise<void> => {
    await query(on, addCodes, [userId, hashes, at])
  },
  /** False if the code is unknown or was used. */
  use: async (userId: string, hash: Buffer, at: Date): Promise<boolean> =>
    (await query(on, useCode, [userId, hash, at])).length === 1,
})
