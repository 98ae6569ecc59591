/** What a replay of rules reads about the risk of stored payments: entries of lists, and earlier payments that velocity counts. */

import type { RiskKind, RiskList } from '#domain/risk/risk-entry.ts'
import type { RowKey } from '#server/contracts/records.ts'
import { latePaymentIdsFrom, paymentIdsBefore } from '../database/id-bounds.ts'
import { json } from '../database/insertion.ts'
import { type Queryable, query, sql } from '../database/pool.ts'

/** An attribute of one payment that an entry may name. */
interface ReplayedKey {
  readonly paymentId: string
  readonly merchantId: string
  readonly kind: RiskKind
  readonly value: string
  /** The time at which the entry has to be in force. */
  readonly at: Date
}

interface ReplayedMatch {
  readonly paymentId: string
  readonly list: RiskList
  readonly kind: RiskKind
  readonly reason: string
}

// An entry that was removed since is not here any more; one that was entered later did not exist.
const inForce = `(entry.merchant_id is null or entry.merchant_id = given.merchant_id)
     and (entry.expires_at is null or entry.expires_at > given.at) and (not $2 or entry.created_at <= given.at)`
const givenRows = `jsonb_to_recordset($1::jsonb) as given (payment_id uuid, merchant_id uuid, kind text, value text, at timestamptz)`

const findListed = sql<ReplayedMatch, readonly [keys: string | null, existed: boolean]>(
  'risk-entry.find-replayed',
  `select given.payment_id as "paymentId", entry.list, entry.kind, entry.reason from ${givenRows}
   join risk_entries entry on entry.kind = given.kind and entry.value = given.value where given.kind <> 'ip' and ${inForce}
   union
   select given.payment_id, entry.list, entry.kind, entry.reason from ${givenRows}
   join risk_entries entry on entry.network >>= given.value::inet where given.kind = 'ip' and ${inForce}`,
)

/** With `existed`, only entries that had been made by then. */
export const findPastMatches = (
  on: Queryable,
  keys: readonly ReplayedKey[],
  existed: boolean,
): Promise<readonly ReplayedMatch[]> =>
  query(on, findListed, [
    json(keys.map(({ paymentId, merchantId, ...key }) => ({ payment_id: paymentId, merchant_id: merchantId, ...key }))),
    existed,
  ])

export interface EarlierPayment {
  readonly merchantId: string
  readonly id: string
  readonly createdAt: Date
  readonly amountMinor: bigint
  readonly currency: string
  readonly email: string | null
  readonly ip: string | null
  readonly device: string | null
  readonly pan10: string | null
  readonly cardId: string | null
}

interface Range {
  /** Null for all merchants. */
  readonly merchantId: string | null
  readonly since: Date
  readonly until: Date
  readonly limit: number
}

/** As velocity counts them: each payment once, without charges of a chain. */
const listEarlier = sql<EarlierPayment, readonly [string | null, Date, Date, string, string, number]>(
  'payment.velocity',
  `select p.merchant_id as "merchantId", p.id, p.created_at as "createdAt", p.amount_minor as "amountMinor", p.currency,
     p.payer_email as email, p.payer_ip as ip, p.custom_data ->> 'device_id' as device, p.pan10, p.card_id as "cardId"
   from payments p
   where ($1::uuid is null or p.merchant_id = $1) and p.created_at > $2 and p.created_at <= $3 and p.id >= $4 and p.id < $5
     and p.attempt = 1 and not p.recurring
   order by p.id desc limit $6`,
)

export const listEarlierPayments = (
  on: Queryable,
  { merchantId, since, until, limit }: Range,
): Promise<readonly EarlierPayment[]> =>
  query(on, listEarlier, [merchantId, since, until, latePaymentIdsFrom(since), paymentIdsBefore(until), limit])

interface SealedCard {
  readonly merchantId: string
  readonly id: string
  readonly panSealed: Buffer
}

const findCards = sql<SealedCard, readonly [readonly string[], readonly string[]]>(
  'card.find-several',
  `select c.merchant_id as "merchantId", c.id, c.pan_sealed as "panSealed" from unnest($1::uuid[], $2::uuid[]) as given (merchant_id, id)
   join cards c on c.merchant_id = given.merchant_id and c.id = given.id`,
)

export const readSealedCards = (on: Queryable, cards: readonly RowKey[]): Promise<readonly SealedCard[]> =>
  query(on, findCards, [cards.map(({ merchantId }) => merchantId), cards.map(({ id }) => id)])
