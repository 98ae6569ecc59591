/** Payers' consents to later payments for display, by the payment that asked for them. Chapter 30 §7.5. */
import { type Queryable, query, sql } from '../database/pool.ts'

export interface ListedConsent {
  readonly paymentId: string
  readonly chainId: string | null
  readonly consentId: string | null
  readonly state: 'active' | 'cancelled' | 'ignored'
  readonly orderId: string
  readonly payerEmail: string | null
  readonly cardMask: string | null
  readonly test: boolean
  readonly createdAt: Date
}

export interface ConsentFilter {
  readonly state?: ListedConsent['state'] | undefined
  readonly before?: string | undefined
  readonly limit: number
}

const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

// Every payment of a chain stores the consent; the payer gave it with the first of them.
const consentsOfMerchant = sql<ListedConsent, readonly [string, string | null, string, number]>(
  'consent.list',
  `select p.id as "paymentId", p.chain_id as "chainId", p.facts->'consent'->>'id' as "consentId",
     p.facts->'consent'->>'state' as state, p.order_id as "orderId", p.payer_email as "payerEmail", p.card_mask as "cardMask",
     p.test, p.created_at as "createdAt"
   from payments p
   where p.merchant_id = $1 and p.facts ? 'consent' and ($2::text is null or p.facts->'consent'->>'state' = $2) and p.id < $3
     and not exists (select 1 from chains c where c.merchant_id = p.merchant_id and c.id = p.chain_id and c.first_payment <> p.id)
   order by p.id desc limit $4`,
)

export const listConsents = (
  on: Queryable,
  merchantId: string,
  { state, before = lastId, limit }: ConsentFilter,
): Promise<readonly ListedConsent[]> => query(on, consentsOfMerchant, [merchantId, state ?? null, before, limit])
