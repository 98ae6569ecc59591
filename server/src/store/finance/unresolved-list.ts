/**
 * What waits for the decision of people: open transactions about which the acquirer is no longer asked, and money that has to be given back
 * by hand. Chapter 70 §1.
 */

import { openStates, payerStepTypes } from '#domain/payment/payment.ts'
import { literals } from '../database/columns.ts'
import { type Queryable, query, sql } from '../database/pool.ts'

/** Null for all merchants. */
type Merchants = readonly string[] | null

export interface UnresolvedOutcome {
  readonly merchantId: string
  readonly paymentId: string
  readonly transactionId: string
  readonly orderId: string
  readonly type: string
  readonly amountMinor: bigint
  readonly currency: string
  readonly amountDecimals: number
  readonly midId: string
  readonly reference: string | null
  readonly asks: number
  readonly createdAt: Date
}

/**
 * Without an outcome of the acquirer. Those without a date of the next question wait for people, unless they wait for the payer; of the others the acquirer is
 * still asked. The dashboard, the page Health and the list Unresolved count by these two.
 */
// The first condition is that of the index on open transactions.
const isOpen = `t.state in (${literals(openStates)}) and t.type not in (${literals(payerStepTypes)})`
const isLeftToPeople = `t.ask_at is null and (t.state = 'undefined' or t.state = 'waiting' and p.status not in ('3DS', 'REDIRECT'))`
const isAsked = `(t.ask_at is not null or t.state = 'sent')`

const listOutcomes = sql<
  UnresolvedOutcome & { count: number },
  readonly [Merchants, string | null, string | null, number]
>(
  'transaction.list-unresolved',
  `select t.merchant_id as "merchantId", t.payment_id as "paymentId", t.id as "transactionId", p.order_id as "orderId", t.type,
     t.amount_minor as "amountMinor", p.currency, p.amount_decimals as "amountDecimals", t.mid_id as "midId", t.reference, t.asks,
     t.created_at as "createdAt", count(*) over ()::int as count
   from transactions t join payments p on p.merchant_id = t.merchant_id and p.id = t.payment_id
   where ${isOpen} and ${isLeftToPeople}
     and ($1::uuid[] is null or t.merchant_id = any($1)) and ($2::uuid is null or t.id = $2) and ($3::uuid is null or t.id > $3)
   order by t.id limit $4`,
)

interface OpenOutcomes {
  /** People have to decide them. */
  readonly unknown: number
  readonly beingAsked: number
}

const countOpen = sql<OpenOutcomes, readonly []>(
  'transaction.count-open',
  `select count(*) filter (where ${isLeftToPeople})::int as unknown, count(*) filter (where ${isAsked})::int as "beingAsked"
   from transactions t join payments p on p.merchant_id = t.merchant_id and p.id = t.payment_id where ${isOpen}`,
)

/** Counts those of all merchants. */
export const countOpenOutcomes = async (on: Queryable): Promise<OpenOutcomes> =>
  (await query(on, countOpen, []))[0] ?? { unknown: 0, beingAsked: 0 }

export interface OwedReturn {
  readonly alertId: string
  readonly merchantId: string
  readonly paymentId: string
  readonly text: string
  readonly raisedAt: Date
}

const listReturns = sql<OwedReturn, readonly [Merchants, string | null, number]>(
  'alert.list-give-back',
  `select id as "alertId", merchant_id as "merchantId", payment_id as "paymentId", text, raised_at as "raisedAt"
   from alerts where kind = 'give-back' and resolved_at is null and merchant_id is not null and payment_id is not null
     and ($1::uuid[] is null or merchant_id = any($1)) and ($2::uuid is null or id = $2)
   order by raised_at, id limit $3`,
)

const waitingRequests = sql<{ subject: string; id: string }, readonly [readonly string[]]>(
  'approval.waiting-by-subject',
  `select subject, id from approvals where kind in ('outcome', 'give-back', 'dispute') and state = 'waiting' and subject = any($1)`,
)

const resolveAlerts = sql<Record<never, never>, readonly [string, string, Date]>(
  'alert.resolve-decided',
  `update alerts set resolved_at = $3
   where merchant_id = $1 and payment_id = $2 and kind = 'outcome-unknown' and resolved_at is null`,
)

export const unresolvedList = (on: Queryable, merchantIds: Merchants) => ({
  /** The oldest first, after the transaction `after`, with the number of all that follow it. */
  listOutcomes: async (after: string | null, limit: number) => {
    const rows = await query(on, listOutcomes, [merchantIds, null, after, limit])
    return { count: rows[0]?.count ?? 0, outcomes: rows.map(({ count: _count, ...outcome }) => outcome) }
  },
  findOutcome: async (transactionId: string): Promise<UnresolvedOutcome | null> =>
    (await query(on, listOutcomes, [merchantIds, transactionId, null, 1]))[0] ?? null,
  listReturns: (limit: number) => query(on, listReturns, [merchantIds, null, limit]),
  findOwedReturn: async (alertId: string): Promise<OwedReturn | null> =>
    (await query(on, listReturns, [merchantIds, alertId, 1]))[0] ?? null,
  /** The waiting request of each subject. */
  listRequests: async (subjects: readonly string[]): Promise<ReadonlyMap<string, string>> =>
    new Map((await query(on, waitingRequests, [subjects])).map(({ subject, id }) => [subject, id])),
})

/** The alert that asked for the decision is resolved with it. */
export async function resolveOutcomeAlerts(
  on: Queryable,
  { merchantId, paymentId, at }: { readonly merchantId: string; readonly paymentId: string; readonly at: Date },
): Promise<void> {
  await query(on, resolveAlerts, [merchantId, paymentId, at])
}
