/** Leases of engines that were killed. */
import type { Pool } from '#server/store/pool.ts'

const leased = [
  'subscriptions',
  'transactions',
  'callbacks',
  'payer_steps',
  'deferred_commands',
  'open_cascades',
] as const

/**
 * Ends every lease now. Leases run out on the clock of the database, which nobody can move, and a minute or more for each killed
 * engine would be most of a campaign. Those of engines that live end with them, which makes it harder and not easier: what keeps
 * work from being done twice must not be the lease.
 */
export async function lapseLeases(pool: Pool): Promise<void> {
  for (const table of leased) await pool.query(`update ${table} set lease_until = null where lease_until is not null`)
}
