/** The operator's own roles, beside the built-in ones. */
import { type Nothing, type Queryable, query, sql } from '../database/pool.ts'

export interface RoleRow {
  readonly name: string
  readonly title: string
  readonly permissions: readonly string[]
}

const listRoles = sql<{ name: string; title: string; permissions: string[] }>(
  'role.list',
  'select name, title, permissions from roles order by name',
)
const putRole = sql<Nothing, readonly [string, string, readonly string[], Date]>(
  'role.put',
  `insert into roles (name, title, permissions, created_at) values ($1, $2, $3, $4)
   on conflict (name) do update set title = excluded.title, permissions = excluded.permissions`,
)
/** A role that a user has is not removed. */
const removeRole = sql<{ name: string }, readonly [string]>(
  'role.remove',
  'delete from roles where name = $1 and not exists (select 1 from users where role = $1) returning name',
)

export const roleStore = (on: Queryable) => ({
  list: async (): Promise<readonly RoleRow[]> => query(on, listRoles, []),
  put: async ({ name, title, permissions }: RoleRow, at: Date): Promise<void> => {
    await query(on, putRole, [name, title, permissions, at])
  },
  remove: async (name: string): Promise<boolean> => (await query(on, removeRole, [name])).length === 1,
})
