/** Which payment an acquirer reports on, by the references that it names. */

import { openStates, payerStepTypes } from '#domain/payment/payment.ts'
import type { ReportedNames } from '../../contracts/notification-ports.ts'
import { literals } from '../database/columns.ts'
import { type Pool, query, sql } from '../database/pool.ts'

interface Found {
  readonly paymentId: string
}

// The first condition is that of the index `transactions_references`; the others leave the one reference that counts.
const byReference = sql<Found, readonly [midId: string, reference: string]>(
  'transaction.by-acquirer-reference',
  `select payment_id as "paymentId" from transactions t
   where array_remove(array[t.reference, t.facts->>'arn', t.facts->>'rrn', t.facts->>'approvalCode', t.facts->>'gatewayId',
       t.facts->>'extraGatewayId'], null) @> array[$2::text]
     and t.reference is not null and t.reference = $2 and t.mid_id = $1
   limit 2`,
)

// By the index of open transactions, which are few.
const openById = sql<Found, readonly [midId: string, id: string]>(
  'transaction.open-by-id',
  `select payment_id as "paymentId" from transactions
   where id = $2 and mid_id = $1 and state in (${literals(openStates)}) and type not in (${literals(payerStepTypes)})`,
)

/** Our own name goes first: the acquirer's is not stored yet where its answer was lost. */
export async function findReported(
  pool: Pool,
  midId: string,
  { transactionId, acquirerReference }: ReportedNames,
): Promise<string | null> {
  const [open] = transactionId === null ? [] : await query(pool, openById, [midId, transactionId])
  if (open) return open.paymentId
  const named = acquirerReference === null ? [] : await query(pool, byReference, [midId, acquirerReference])
  // A reference that two payments share names neither.
  const payments = new Set(named.map(({ paymentId }) => paymentId))
  const [only = null] = payments
  return payments.size === 1 ? only : null
}

type Placement = readonly [midId: string, kind: string, reference: string, paymentId: string]

const place = sql<Record<never, never>, Placement>(
  'acquirer-event.place',
  'update acquirer_events set payment_id = $4 where mid_id = $1 and kind = $2 and reference = $3',
)

export async function placeEvent(pool: Pool, placement: Placement): Promise<void> {
  await query(pool, place, placement)
}
