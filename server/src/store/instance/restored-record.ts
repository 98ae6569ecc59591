/** What recovery reads from the restored database: open transactions, due plans, and which of an acquirer's effects are known. */

import { openStates, payerStepTypes } from '#domain/payment/payment.ts'
import { firstId } from '#domain/uuid.ts'
import type { RestoredRecord } from '../../contracts/ports.ts'
import { literals } from '../database/columns.ts'
import { type Pool, query, sql } from '../database/pool.ts'
import { listComparedTransactions } from '../payments/compared-transactions.ts'

const openAfter = sql<{ merchantId: string; paymentId: string; id: string }, readonly [string, string, string, number]>(
  'restored.open-transactions',
  `select merchant_id as "merchantId", payment_id as "paymentId", id from transactions
   where state in (${literals(openStates)}) and type not in (${literals(payerStepTypes)})
     and (merchant_id, payment_id, id) > ($1, $2, $3)
   order by merchant_id, payment_id, id limit $4`,
)

const duePlans = sql<{ merchantId: string; chainId: string }, readonly [Date]>(
  'restored.due-plans',
  `select merchant_id as "merchantId", chain_id as "chainId" from subscriptions where state = 'running' and next_at <= $1`,
)

const pageSize = 500

export const restoredRecord = (pool: Pool): RestoredRecord => ({
  async *openTransactions() {
    let after: readonly [string, string, string] = [firstId, firstId, firstId]
    for (;;) {
      const page = await query(pool, openAfter, [...after, pageSize])
      yield* page
      const last = page.at(-1)
      if (!last || page.length < pageSize) return
      after = [last.merchantId, last.paymentId, last.id]
    }
  },
  listDuePlans: (now) => query(pool, duePlans, [now]),
  findKnown: (paymentIds) => listComparedTransactions(pool, paymentIds, null),
})
