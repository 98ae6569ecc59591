/** Alerts that need a person's attention. */
import type { Alerts, Clock, Ids } from '../../contracts/ports.ts'
import { type Queryable, query, sql } from '../database/pool.ts'

const raiseAlert = sql<Record<never, never>, readonly [string, string, string | null, string | null, string, Date]>(
  'alert.raise',
  'insert into alerts (id, kind, merchant_id, payment_id, text, raised_at) values ($1, $2, $3, $4, $5, $6)',
)

export const alertStore = (pool: Queryable, { clock, ids }: { clock: Clock; ids: Ids }): Alerts => ({
  raise: async ({ kind, merchantId, paymentId, text }) => {
    await query(pool, raiseAlert, [ids.next(), kind, merchantId, paymentId, text, clock.now()])
  },
})
