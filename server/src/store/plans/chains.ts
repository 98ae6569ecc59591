/** Recurring chains. They are written with the outcome of their first payment and only read here. */
import type { Chains } from '../../contracts/ports.ts'
import type { ChainRecord } from '../../contracts/records.ts'
import { columnsOf } from '../database/columns.ts'
import { type Pool, query, sql } from '../database/pool.ts'

export interface ChainRow {
  merchant_id: string
  id: string
  first_payment: string
  kind: 'sale' | 'debit'
  network_transaction_id: string | null
}

export const chainColumns = columnsOf<ChainRow>()([
  'merchant_id',
  'id',
  'first_payment',
  'kind',
  'network_transaction_id',
])

const findChain = sql<ChainRow, readonly [string, string]>(
  'chain.find',
  `select ${chainColumns()} from chains where merchant_id = $1 and id = $2`,
)

export const chainStore = (pool: Pool): Chains => ({
  find: async (merchantId, id) => {
    const [row] = await query(pool, findChain, [merchantId, id])
    return row ? chainFrom(row) : null
  },
})

export const chainFrom = (row: ChainRow): ChainRecord => ({
  merchantId: row.merchant_id,
  id: row.id,
  firstPayment: row.first_payment,
  kind: row.kind,
  networkTransactionId: row.network_transaction_id,
})
