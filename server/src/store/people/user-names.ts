/** Names of users by id, for people who may see what a user did but not the user's account. */
import { type Queryable, query, sql } from '../database/pool.ts'

const namesOfUsers = sql<{ readonly id: string; readonly name: string }, readonly [readonly string[]]>(
  'user.names',
  'select id, name from users where id = any($1::uuid[])',
)

export async function readUserNames(on: Queryable, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = ids.length === 0 ? [] : await query(on, namesOfUsers, [[...new Set(ids)]])
  return new Map(rows.map(({ id, name }) => [id, name]))
}
