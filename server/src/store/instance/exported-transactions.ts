/** The transactions of the payments on one page of an export, with the references that an acquirer's report names. */
import type { RowKey } from '#server/contracts/records.ts'
import { type Queryable, query, sql } from '../database/pool.ts'

export interface ExportedTransaction {
  readonly paymentId: string
  readonly id: string
  readonly type: string
  readonly state: string
  readonly amountMinor: bigint
  readonly midId: string
  readonly reference: string | null
  readonly arn: string | null
  readonly rrn: string | null
  readonly approvalCode: string | null
  readonly declineReason: string | null
  readonly createdAt: Date
  readonly endedAt: Date | null
}

const ofPayments = sql<ExportedTransaction, readonly [readonly string[], readonly string[]]>(
  'transaction.of-exported',
  `select t.payment_id as "paymentId", t.id, t.type, t.state, t.amount_minor as "amountMinor", t.mid_id as "midId", t.reference,
     t.facts->>'arn' as arn, t.facts->>'rrn' as rrn, t.facts->>'approvalCode' as "approvalCode", t.decline_reason as "declineReason",
     t.created_at as "createdAt", t.ended_at as "endedAt"
   from unnest($1::uuid[], $2::uuid[]) as exported (merchant_id, payment_id)
   join transactions t on t.merchant_id = exported.merchant_id and t.payment_id = exported.payment_id
   order by t.id`,
)

/** By payment, oldest first. */
export async function listTransactionsOfPayments(
  on: Queryable,
  payments: readonly RowKey[],
): Promise<ReadonlyMap<string, readonly ExportedTransaction[]>> {
  const keys = [payments.map(({ merchantId }) => merchantId), payments.map(({ id }) => id)] as const
  const rows = payments.length === 0 ? [] : await query(on, ofPayments, keys)
  return Map.groupBy(rows, ({ paymentId }) => paymentId)
}
