/** The payments of one payer at one merchant, by e-mail address or by saved card. */
import { type PoolClient, query, sql } from '../database/pool.ts'
import { type KeepReason, keepReasonOf } from './still-needed.ts'

export interface PayerPayment {
  readonly merchantId: string
  readonly id: string
  readonly cardId: string | null
  /** Why its data must stay; null if nothing needs it. */
  readonly need: KeepReason | null
}

const columns = `p.merchant_id as "merchantId", p.id, p.card_id as "cardId", ${keepReasonOf('p', '$1')} as need`

const byEmail = sql<PayerPayment, readonly [string, string, string, number]>(
  'payment.of-email',
  `select ${columns} from payments p
   where p.payer_email is not null and lower(p.payer_email) = lower($2) and p.merchant_id = $1 and p.id > $3 and p.erased_at is null
   order by p.id limit $4`,
)

const byCard = sql<PayerPayment, readonly [string, string, string, number]>(
  'payment.of-card',
  `select ${columns} from cards card join payments p on p.merchant_id = card.merchant_id and p.card_id = card.id
     and right(p.card_mask, 4) = card.last_four and p.card_mask = card.bin || repeat('*', card.pan_length - length(card.bin || card.last_four)) || card.last_four
   where card.merchant_id = $1 and card.id = $2 and p.id > $3 and p.erased_at is null
   order by p.id limit $4`,
)

const cardOfToken = sql<{ readonly id: string }, readonly [string, string]>(
  'card-token.card',
  'select card_id as id from card_tokens where merchant_id = $1 and token = $2',
)

/** Null for a token that does not belong to the merchant. */
export const findSavedCardId = async (client: PoolClient, merchantId: string, token: string): Promise<string | null> =>
  (await query(client, cardOfToken, [merchantId, token]))[0]?.id ?? null

export type PayerKey =
  | { readonly kind: 'email'; readonly email: string }
  | { readonly kind: 'card'; readonly cardId: string }

/** Payments that are not erased yet, oldest first, after the payment `after`. */
export const listPaymentsOfPayer = (
  client: PoolClient,
  merchantId: string,
  payer: PayerKey,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<readonly PayerPayment[]> =>
  payer.kind === 'email'
    ? query(client, byEmail, [merchantId, payer.email, after, limit])
    : query(client, byCard, [merchantId, payer.cardId, after, limit])
