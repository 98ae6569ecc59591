/** The wallet data of a payment, for support: by the payment's id alone, because merchants quote nothing else. */
import type { WalletFacts } from '../../contracts/records.ts'
import { type Pool, query, sql } from '../database/pool.ts'

interface WalletPayment {
  readonly merchant: string
  readonly orderId: string
  readonly status: string
  readonly cardMask: string | null
  readonly cardExpiry: string | null
  readonly createdAt: Date
  /** Null if it was not paid by wallet. */
  readonly wallet: WalletFacts | null
}

interface Columns {
  name: string
  order_id: string
  status: string
  card_mask: string | null
  card_expiry: string | null
  created_at: Date
  wallet: WalletFacts | null
}

/** Joined through the merchants, because every key of a payment begins with one. */
const findWallet = sql<Columns, readonly [string]>(
  'payment.wallet',
  `select merchants.name, order_id, payments.status, card_mask, card_expiry, payments.created_at, facts -> 'wallet' as wallet
   from merchants join payments on payments.merchant_id = merchants.id and payments.id = $1`,
)

export async function findWalletPayment(pool: Pool, paymentId: string): Promise<WalletPayment | null> {
  const [row] = await query(pool, findWallet, [paymentId])
  if (!row) return null
  return {
    merchant: row.name,
    orderId: row.order_id,
    status: row.status,
    cardMask: row.card_mask,
    cardExpiry: row.card_expiry,
    createdAt: row.created_at,
    wallet: row.wallet,
  }
}
