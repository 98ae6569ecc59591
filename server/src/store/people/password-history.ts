/** Hashes of users' previous passwords, newest first. `users.ts` writes one when a password is replaced. */
import { type Queryable, query, sql } from '../database/pool.ts'

const listFormer = sql<{ hash: string }, readonly [string, number]>(
  'password-history.list',
  'select hash from password_history where user_id = $1 order by replaced_at desc limit $2',
)
const sweepFormer = sql<Record<never, never>, readonly [string, number]>(
  'password-history.sweep',
  `delete from password_history where user_id = $1 and hash not in (
     select hash from password_history where user_id = $1 order by replaced_at desc limit $2)`,
)

export const passwordHistory = (on: Queryable) => ({
  list: async (userId: string, atMost: number): Promise<readonly string[]> =>
    (await query(on, listFormer, [userId, atMost])).map(({ hash }) => hash),
  sweep: async (userId: string, keep: number): Promise<void> => {
    await query(on, sweepFormer, [userId, keep])
  },
})
