/** The payer's data in Checkout sessions, and which sessions can still be paid. */
import { type PoolClient, query, sql } from '../database/pool.ts'

/** An assignment for `update sessions`. It keeps the order and removes the payer and any card that was typed. */
export const withoutPayer = (
  session: string,
): string => `request = ${session}.request || '{"customer": {}, "billingAddress": {},
  "payee": {}, "payeeBillingAddress": {}, "parameters": null, "customData": null, "customerIp": null, "cardTokens": []}', fields_sealed = null`

interface PayerSessions {
  readonly erased: number
  /** Sessions that can still be paid. */
  readonly open: readonly string[]
}

const eraseSessions = sql<PayerSessions, readonly [string, string, Date]>(
  'session.erase-payer',
  `with found as materialized (
     select id, expires_at > $3 as open from sessions
     where merchant_id = $1 and request->'customer' ? 'email' and lower(request->'customer'->>'email') = lower($2)
   ), erased as (
     update sessions s set ${withoutPayer('s')} from found where s.merchant_id = $1 and s.id = found.id and not found.open
     returning s.id
   )
   select (select count(*)::int from erased) as erased, array(select id from found where open order by id) as open`,
)

export const erasePayerSessions = async (
  client: PoolClient,
  merchantId: string,
  email: string,
  at: Date,
): Promise<PayerSessions> => (await query(client, eraseSessions, [merchantId, email, at]))[0] ?? { erased: 0, open: [] }
