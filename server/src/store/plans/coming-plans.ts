/** Plans with their next charge in a date range, for the calendar. Chapter 50 §8. */
import type { PlanRecord } from '../../contracts/records.ts'
import { isDistributed } from '../database/buckets.ts'
import type { Queryable } from '../database/pool.ts'
import { type PlanRow, planColumns, planFrom } from './plan-rows.ts'

type ComingPlan = PlanRecord & { readonly currency: string }

/** Soonest first. `merchantIds` null means all merchants. */
export async function listComingPlans(
  on: Queryable,
  merchantIds: readonly string[] | null,
  upTo: string,
  limit: number,
): Promise<readonly ComingPlan[]> {
  // Citus derives no condition of one table from that of another.
  const isApart = merchantIds !== null && (await isDistributed(on))
  const values = [upTo, limit, ...(merchantIds === null ? [] : [merchantIds])]
  const { rows } = await on.query<PlanRow & { currency: string }>(
    `select ${planColumns('plan')}, started.currency from subscriptions plan
     join payments started on started.merchant_id = plan.merchant_id and started.id = plan.started_by
     where plan.next_at is not null and plan.next_date <= $1::date
       ${merchantIds === null ? '' : 'and plan.merchant_id = any($3::uuid[])'}${isApart ? ' and started.merchant_id = any($3::uuid[])' : ''}
     order by plan.next_at limit $2`,
    values,
  )
  return rows.map((row) => ({ ...planFrom(row), currency: row.currency }))
}
