/** What acquirers charged for the transactions on one page of an export, as far as their settlement files have it. */
import { type Queryable, query, sql } from '../database/pool.ts'

interface AcquirerFee {
  readonly transactionId: string
  /** In which the acquirer pays. */
  readonly currency: string
  readonly feeMinor: bigint
}

const feesOfTransactions = sql<AcquirerFee, readonly [readonly string[]]>(
  'settlement.fees-of-exported',
  `select r.transaction_id as "transactionId", r.currency, sum(r.fee_minor) as "feeMinor" from settlement_rows r
   where r.transaction_id = any($1::uuid[]) group by r.transaction_id, r.currency order by r.currency`,
)

/** A transaction that no row has settled has none. */
export const listAcquirerFees = (on: Queryable, transactionIds: readonly string[]): Promise<readonly AcquirerFee[]> =>
  transactionIds.length === 0 ? Promise.resolve([]) : query(on, feesOfTransactions, [transactionIds])
