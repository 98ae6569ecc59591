/**
 * Privileges of tables that a migration replaces by others of the same name, as the one to parts by month does: the new tables get those of
 * the old ones, so that reports of other roles go on. See decisions/migrations#locks.
 */
import type { PoolClient } from '../database/pool.ts'

interface HeldGrant {
  readonly table: string
  readonly privilege: string
  readonly grantee: string
  readonly isGrantable: boolean
}

/** Reads the rights of other roles to the tables of this schema before the migration, by the tables' own identity. */
export async function readGrants(client: PoolClient): Promise<ReadonlyMap<number, readonly HeldGrant[]>> {
  const { rows } = await client.query<HeldGrant & { readonly oid: number }>(
    `select held.oid, quote_ident(held.relname) as table, granted.privilege_type as privilege, granted.is_grantable as "isGrantable",
       case when granted.grantee = 0 then 'public' else quote_ident(pg_get_userbyid(granted.grantee)) end as grantee
     from pg_class held cross join lateral aclexplode(held.relacl) as granted
     where held.relnamespace = current_schema()::regnamespace and held.relkind in ('r', 'p') and granted.grantee <> held.relowner`,
  )
  return Map.groupBy(rows, ({ oid }) => oid)
}

export async function restoreGrants(
  client: PoolClient,
  before: ReadonlyMap<number, readonly HeldGrant[]>,
): Promise<void> {
  if (before.size === 0) return
  const { rows } = await client.query<{ name: string }>(
    `select quote_ident(relname) as name from pg_class
     where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and oid <> all ($1::oid[])`,
    [[...before.keys()]],
  )
  const replaced = new Set(rows.map(({ name }) => name))
  for (const { table, privilege, grantee, isGrantable } of [...before.values()].flat())
    if (replaced.has(table))
      await client.query(`grant ${privilege} on table ${table} to ${grantee}${isGrantable ? ' with grant option' : ''}`)
}
