/** The validity gate of the plans: each was charged once by the acquirer's record, by ours and by the merchant's callbacks. */
import type { Scene } from '../scene.ts'
import { VoidRun } from '../void-run.ts'
import { planOrders } from './plan-copies.ts'

export interface PlanRecord {
  readonly plans: number
  /** Settled payments of plans, by their id; the value is the plan. */
  readonly payments: ReadonlyMap<string, string>
  /** Payments that the acquirer executed since the plans became due, in its order. */
  readonly executed: readonly string[]
  /** All settled payments of the run, and callbacks that the merchant received. */
  readonly settled: number
  readonly received: number
}

/** `since`: the acquirer's entries before the plans became due. */
export async function requireOneChargeEach({ stage, receiver, terms }: Scene, since: number): Promise<void> {
  const { rows } = await stage.pool.query<{ id: string; plan: string }>(
    "select id, subscription_id as plan from payments where plan_date is not null and status = 'SETTLED'",
  )
  const all = await stage.pool.query<{ settled: number }>(
    `select count(*)::int as settled from payments
     where status = 'SETTLED' and (plan_date is not null or order_id not like '${planOrders}%')`,
  )
  const fault = faultOf({
    plans: terms.plans,
    payments: new Map(rows.map(({ id, plan }) => [id, plan])),
    executed: (await stage.acquirer.ledger(since)).map(({ payment_id }) => payment_id),
    settled: all.rows[0]?.settled ?? 0,
    received: receiver.count,
  })
  if (fault !== null) throw new VoidRun(fault)
}

/** What is wrong, as a sentence; null if every plan was charged exactly once. */
export function faultOf({ plans, payments, executed, settled, received }: PlanRecord): string | null {
  const charged = new Set(payments.values()).size
  if (charged !== plans) return `${charged} of ${plans} plans were charged.`
  if (payments.size !== plans) return `${payments.size} payments were made for ${plans} plans.`
  const ofPlans = executed.filter((id) => payments.has(id))
  if (ofPlans.length !== plans || new Set(ofPlans).size !== plans)
    return `The acquirer executed ${ofPlans.length} charges of ${new Set(ofPlans).size} plans, and ${plans} were due.`
  if (settled !== received) return `${settled} payments were settled, and the merchant received ${received} callbacks.`
  return null
}
