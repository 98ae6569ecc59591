/** Ledger entries for display: what a payment's transactions moved from account to account. */
import { type Queryable, query, sql } from '../database/pool.ts'

export interface LedgerEntry {
  readonly transactionId: string
  readonly fromAccount: string
  readonly toAccount: string
  readonly currency: string
  readonly amountMinor: bigint
  readonly at: Date
}

const listEntries = sql<LedgerEntry, readonly [string, string]>(
  'ledger.list',
  `select transaction_id as "transactionId", from_account as "fromAccount", to_account as "toAccount", currency,
     amount_minor as "amountMinor", at
   from ledger_entries where merchant_id = $1 and payment_id = $2 order by at, transaction_id, position`,
)

export const listLedgerEntries = (
  on: Queryable,
  merchantId: string,
  paymentId: string,
): Promise<readonly LedgerEntry[]> => query(on, listEntries, [merchantId, paymentId])
