/** Active panel accounts that have not been used for a long time. */
import { type Queryable, query, sql } from '../database/pool.ts'

export const unusedOwnerAlert = 'account.unused'

/** The only owner stays active and would be found every time, so it is left out while a recent alert names it. */
const listUnused = sql<{ id: string }, readonly [Date, Date, number, string]>(
  'unused-account.list',
  `select u.id from users u
   where u.status = 'active' and greatest(u.created_at, u.enabled_at, u.last_sign_in_at) < $1
     and not (
       u.role = 'owner' and u.all_merchants
       and not exists (select 1 from users o where o.id <> u.id and o.role = 'owner' and o.status = 'active' and o.all_merchants and not o.is_service)
       and exists (select 1 from alerts a where a.kind = $4 and a.raised_at > $2)
     )
   order by u.id limit $3`,
)
const disableUnused = sql<{ id: string }, readonly [string, Date]>(
  'unused-account.disable',
  `update users set status = 'disabled', disabled_reason = 'unused'
   where id = $1 and status = 'active' and greatest(created_at, enabled_at, last_sign_in_at) < $2 returning id`,
)

export const unusedAccounts = (on: Queryable) => ({
  /** The only owner is left out if an alert about it was raised after `alertedSince`. */
  list: async (since: Date, alertedSince: Date, limit: number): Promise<readonly string[]> =>
    (await query(on, listUnused, [since, alertedSince, limit, unusedOwnerAlert])).map(({ id }) => id),
  /** False if the account was used or disabled meanwhile. */
  disable: async (id: string, since: Date): Promise<boolean> =>
    (await query(on, disableUnused, [id, since])).length === 1,
})
