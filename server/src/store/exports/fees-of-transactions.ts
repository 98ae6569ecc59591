/** What the operator charged for the transactions on one page of an export. By the key of the ledger, as the transactions themselves are read. */
import type { RowKey } from '#server/contracts/records.ts'
import { type Queryable, query, sql } from '../database/pool.ts'

interface ChargedFee {
  readonly transactionId: string
  readonly feeMinor: bigint
}

const ofPayments = sql<ChargedFee, readonly [readonly string[], readonly string[]]>(
  'ledger.fees-of-exported',
  `select e.transaction_id as "transactionId",
     sum(case when e.to_account = 'fees' then e.amount_minor else -e.amount_minor end) as "feeMinor"
   from unnest($1::uuid[], $2::uuid[]) as exported (merchant_id, payment_id)
   join ledger_entries e on e.merchant_id = exported.merchant_id and e.payment_id = exported.payment_id
   where e.to_account = 'fees' or e.from_account = 'fees'
   group by e.transaction_id`,
)

/** By transaction; one that cost nothing is not in it. */
export async function readTransactionFees(
  on: Queryable,
  payments: readonly RowKey[],
): Promise<ReadonlyMap<string, bigint>> {
  const keys = [payments.map(({ merchantId }) => merchantId), payments.map(({ id }) => id)] as const
  const rows = payments.length === 0 ? [] : await query(on, ofPayments, keys)
  return new Map(rows.map(({ transactionId, feeMinor }) => [transactionId, feeMinor]))
}
