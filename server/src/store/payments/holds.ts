/** Holds that wait for capture: the queue, its totals, and when each is captured automatically. Chapter 50 §8, "Capture queue". */
import { isDistributed } from '../database/buckets.ts'
import { databaseNow } from '../database/lease.ts'
import { type Queryable, query, sql } from '../database/pool.ts'
import { type FoundPayment, foundColumns } from './search/found-payment.ts'

export interface HoldFilter {
  /** Null for all merchants. */
  readonly merchantIds: readonly string[] | null
  readonly midId?: string | undefined
  readonly currency?: string | undefined
  readonly from?: Date | undefined
  readonly to?: Date | undefined
  readonly test?: boolean | undefined
  /** Whether an automatic capture is planned. */
  readonly planned?: boolean | undefined
}

export type Hold = FoundPayment & { readonly captureAt: Date | null }

export interface HoldTotal {
  readonly currency: string
  readonly decimals: number
  readonly holds: number
  readonly amountMinor: bigint
}

const queueOf = (planned: string): string => `payments p left join deferred_commands d
    on d.merchant_id = p.merchant_id and d.payment_id = p.id and d.command = 'CAPTURE'${planned}
  where p.status = 'PENDING' and p.authorised_minor > p.captured_minor`

/** Oldest first, after the named payment. */
export async function listWaitingHolds(
  on: Queryable,
  filter: HoldFilter,
  after: string,
  limit: number,
): Promise<readonly Hold[]> {
  const { conditions, values, queue } = await prepareParts(on, filter, [after, limit])
  const text = `select ${foundColumns}, d.due_at as "captureAt" from ${queue} and p.id > $1 ${conditions} order by p.id limit $2`
  return (await on.query<Hold>(text, values)).rows
}

export async function readHoldTotals(on: Queryable, filter: HoldFilter): Promise<readonly HoldTotal[]> {
  const { conditions, values, queue } = await prepareParts(on, filter, [])
  const text = `select p.currency, p.amount_decimals as decimals, count(*)::int as holds,
      sum(p.authorised_minor - p.captured_minor) as "amountMinor"
    from ${queue} ${conditions} group by p.currency, p.amount_decimals order by holds desc, p.currency`
  return (await on.query<HoldTotal>(text, values)).rows
}

// A new row has a lease that has ended: it brings the database's clock to the conflict, where Citus refuses to read it.
// The payment's row is locked while its planned capture changes, so that a simultaneous outcome comes either before or after both.
const planCapture = sql<{ payment_id: string }, readonly [string, string, Date]>(
  'hold.plan-capture',
  `with hold as (
     select merchant_id, id from payments
     where merchant_id = $1 and id = $2 and status = 'PENDING' and authorised_minor > captured_minor for update
   )
   insert into deferred_commands as given (merchant_id, payment_id, command, due_at, lease_until)
   select merchant_id, id, 'CAPTURE', $3, clock_timestamp() from hold
   on conflict (merchant_id, payment_id, command) do update set due_at = excluded.due_at
     where given.lease_until is null or given.lease_until < excluded.lease_until
   returning payment_id`,
)
const dropPlan = sql<{ payment_id: string }, readonly [string, string]>(
  'hold.drop-plan',
  `delete from deferred_commands
   where merchant_id = $1 and payment_id = $2 and command = 'CAPTURE'
     and (lease_until is null or lease_until < ${databaseNow})
   returning payment_id`,
)
const findPlan = sql<{ due_at: Date }, readonly [string, string]>(
  'hold.find-plan',
  `select due_at from deferred_commands where merchant_id = $1 and payment_id = $2 and command = 'CAPTURE'`,
)

export const capturePlans = (on: Queryable) => ({
  find: async (merchantId: string, paymentId: string): Promise<Date | null> =>
    (await query(on, findPlan, [merchantId, paymentId]))[0]?.due_at ?? null,
  /** False if the payment holds nothing, or is being captured at this moment. */
  put: async (merchantId: string, paymentId: string, at: Date): Promise<boolean> =>
    (await query(on, planCapture, [merchantId, paymentId, at])).length === 1,
  drop: async (merchantId: string, paymentId: string): Promise<boolean> =>
    (await query(on, dropPlan, [merchantId, paymentId])).length === 1,
})

/** In a distributed database both tables name the merchants: Citus derives no condition of one from that of the other. */
async function prepareParts(on: Queryable, filter: HoldFilter, first: readonly unknown[]) {
  const { conditions, values } = conditionsOf(filter, first)
  const isApart = filter.merchantIds !== null && (await isDistributed(on))
  return { conditions, values, queue: queueOf(isApart ? ` and d.merchant_id = any($${first.length + 1}::uuid[])` : '') }
}

/** The merchants come first, behind the parameters `first`. */
function conditionsOf(filter: HoldFilter, first: readonly unknown[]) {
  const values = [...first]
  const parts: string[] = []
  const add = (value: unknown, condition: (place: string) => string): void => {
    if (value === undefined || value === null) return
    values.push(value)
    parts.push(`and ${condition(`$${values.length}`)}`)
  }
  add(filter.merchantIds, (place) => `p.merchant_id = any(${place}::uuid[])`)
  add(filter.midId, (place) => `p.mid_id = ${place}`)
  add(filter.currency, (place) => `p.currency = ${place}`)
  add(filter.from, (place) => `p.created_at >= ${place}`)
  add(filter.to, (place) => `p.created_at < ${place}`)
  add(filter.test, (place) => `p.test = ${place}`)
  add(filter.planned, (place) => `(d.due_at is not null) = ${place}`)
  return { conditions: parts.join(' '), values }
}
