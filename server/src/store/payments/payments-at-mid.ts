/**
 * Payments that acquirers' events name, with their transactions.
 *
 * A burst of notifications makes many events due at once. What workers look up while another lookup is in progress is read by the next one, in
 * two statements for all.
 */
import type { PaymentAtMid } from '../../contracts/ports.ts'
import { inGroups } from '../database/in-groups.ts'
import { type Pool, query, sql } from '../database/pool.ts'
import {
  type PaymentRow,
  paymentColumns,
  paymentFrom,
  type TransactionRow,
  transactionColumns,
  transactionFrom,
} from './payment-rows.ts'

type Ids = readonly string[]

/** Found by the index on the id alone: an acquirer knows our payment but not our merchant, and a search by merchant would take a probe for each. */
const paymentsAtMids = sql<PaymentRow, readonly [midIds: Ids, ids: Ids]>(
  'payment.at-mids',
  `select ${paymentColumns('payments')} from unnest($1::uuid[], $2::uuid[]) as named (mid_id, id)
   join payments on payments.id = named.id and payments.mid_id = named.mid_id`,
)

const transactionsOfPayments = sql<TransactionRow, readonly [merchantIds: Ids, paymentIds: Ids]>(
  'transaction.list-of-payments',
  `select ${transactionColumns('transactions')} from unnest($1::uuid[], $2::uuid[]) as named (merchant_id, payment_id)
   join transactions on transactions.merchant_id = named.merchant_id and transactions.payment_id = named.payment_id
   order by transactions.created_at, transactions.id`,
)

interface Named {
  readonly midId: string
  readonly id: string
}

/** No more than a worker enters at once. */
const mostTogether = 64

const keyOf = ({ midId, id }: Named): string => `${midId} ${id}`

export function readerAtMid(pool: Pool): (midId: string, id: string) => Promise<PaymentAtMid | null> {
  const read = async (named: readonly Named[]): Promise<(one: Named) => PaymentAtMid | null> => {
    const columns = [named.map(({ midId }) => midId), named.map(({ id }) => id)] as const
    const payments = (await query(pool, paymentsAtMids, columns)).map(paymentFrom)
    if (payments.length === 0) return () => null
    const keys = [payments.map(({ merchantId }) => merchantId), payments.map(({ id }) => id)] as const
    const transactions = (await query(pool, transactionsOfPayments, keys)).map(transactionFrom)
    const steps = Map.groupBy(transactions, ({ paymentId }) => paymentId)
    const found = new Map(payments.map((payment) => [keyOf({ midId: payment.midId ?? '', id: payment.id }), payment]))
    return (one) => {
      const payment = found.get(keyOf(one))
      return payment ? { payment, transactions: steps.get(payment.id) ?? [] } : null
    }
  }
  const readInGroup = inGroups<Named, PaymentAtMid | null>({
    runAlone: async (one) => (await read([one]))(one),
    runTogether: read,
    apart: keyOf,
    most: mostTogether,
  })
  return (midId, id) => readInGroup({ midId, id })
}
