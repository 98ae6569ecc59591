/**
 * Withdraws a payer's consent for a whole chain. Chapter 30 §5.5, §7.5.
 *
 * Every payment of a chain stores the consent. The withdrawal raises their versions, so that a simultaneous outcome is decided again on the
 * changed payment and its callback reports the withdrawal.
 */
import { type Queryable, query, sql } from '../database/pool.ts'

interface ConsentRecord {
  readonly merchantId: string
  readonly chainId: string | null
  readonly id: string | null
  /** Null if no consent was asked for. */
  readonly state: 'active' | 'cancelled' | 'ignored' | null
}

const ofPayment = sql<ConsentRecord, readonly [string]>(
  'consent.of-payment',
  `select merchant_id as "merchantId", chain_id as "chainId", facts->'consent'->>'id' as id,
     facts->'consent'->>'state' as state
   from payments where id = $1`,
)

const withdraw = sql<{ payments: number; plans: number }, readonly [string, string, Date]>(
  'consent.withdraw',
  `with withdrawn as (
     update payments set version = version + 1, updated_at = $3, facts = jsonb_set(facts, '{consent,state}', '"cancelled"')
     where merchant_id = $1 and chain_id = $2 and facts->'consent'->>'state' = 'active'
     returning id
   ), ended as (
     update subscriptions set version = version + 1, state = 'ended', ended_reason = 'descheduled', next_date = null,
       next_at = null
     where merchant_id = $1 and chain_id = $2 and state = 'running'
     returning id
   )
   select (select count(*)::int from withdrawn) as payments, (select count(*)::int from ended) as plans`,
)

export const consentStore = (pool: Queryable) => ({
  findOfPayment: async (paymentId: string): Promise<ConsentRecord | null> =>
    (await query(pool, ofPayment, [paymentId]))[0] ?? null,
  /** Returns how many payments and plans were affected. */
  withdraw: async (merchantId: string, chainId: string, at: Date): Promise<{ payments: number; plans: number }> =>
    (await query(pool, withdraw, [merchantId, chainId, at]))[0] ?? { payments: 0, plans: 0 },
})
