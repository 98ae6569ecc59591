/**
 * Plans and their due payments.
 *
 * A plan payment's intent and the advance of its plan are one statement. It is written only if plan and schedule are unchanged since they
 * were read and the schedule is not paused, so that a concurrent PAUSE, UPDATE, DESCHEDULE or another worker takes precedence.
 */
import type { Plans } from '../../contracts/ports.ts'
import type { Firing } from '../../contracts/records.ts'
import { claim, claimRows, isDistributed } from '../database/buckets.ts'
import { inGroups } from '../database/in-groups.ts'
import { json } from '../database/insertion.ts'
import { type Holder, isFreeIf, lease } from '../database/lease.ts'
import { changedNothing, type Pool, query, sql } from '../database/pool.ts'
import { claimedPayment, claimTexts } from '../months/claims.ts'
import { openingParams } from '../payments/intents/openings.ts'
import { beginCounters } from '../payments/limits/limit-counters.ts'
import { clashOf, countingOnlyText, countingParams, countingText } from '../payments/limits/limit-uses.ts'
import { paymentInsertion, transactionInsertion } from '../payments/payment-rows.ts'
import { fireTogether } from './firing-groups.ts'
import { type PlanRow, planColumns, planFrom } from './plan-rows.ts'

// The outcome of the last payment is looked up per plan: as a join, the planner might read all payments.
const claimDue = claim<PlanRow, readonly [Date, number, number, Holder]>('subscription.claim', {
  width: 4,
  due: 'subscriptions where next_at <= $1',
  text: ({ inBucket, isGone }) => `with due as (
     select merchant_id, id from subscriptions plan
     where next_at <= $1 and ${isFreeIf(isGone('leased_by'))}${inBucket('plan')} and (
       select last.open_transaction is null and last.cascading is distinct from 'continues' from payments last
       where last.merchant_id = plan.merchant_id and last.id = plan.last_payment${inBucket('last')}
     ) is not false
     order by next_at limit $2
     for update skip locked
   )
   update subscriptions plan set ${lease('$3', '$4')}
   from due where plan.merchant_id = due.merchant_id and plan.id = due.id${inBucket('plan')}
   returning ${planColumns('plan')}`,
})

const afterPlan = 12
const afterPayment = afterPlan + paymentInsertion.width
const afterTransaction = afterPayment + transactionInsertion.width

/** A fired payment is the first attempt of its date, which it claims. It excludes no other payment of an order, and has no session and no key. */
const fireText = (more: string) =>
  `with schedule as (
     select 1 from schedules where merchant_id = $1 and id = $10 and version = $11 and not paused and deleted_at is null for share
   ), moved as (
     update subscriptions set version = version + 1, state = $4, ended_reason = $5, plan = $6, next_date = $7, next_at = $8,
       last_payment = $9, lease_until = null
     where merchant_id = $1 and id = $2 and version = $3 and state = 'running' and exists (select 1 from schedule)
     returning id
   ), payment as (
     ${paymentInsertion.text(afterPlan, 'moved')} returning ${claimedPayment}
   ), transaction as (
     ${transactionInsertion.text(afterPayment, 'moved')}
   )${more}, ${claimTexts(['date'], '$1').join()}
   select id from moved`

const firePlan = sql<{ id: string }, readonly unknown[]>('subscription.fire', fireText(''))

const fireLimitedPlan = sql<{ id: string }, readonly unknown[]>(
  'subscription.fire-limits',
  fireText(`, ${countingText(afterTransaction, 'moved')}`),
)

const fireCountedPlan = sql<{ id: string }, readonly unknown[]>(
  'subscription.fire-limits-counted',
  fireText(`, ${countingOnlyText(afterTransaction, 'moved')}`),
)

const postponePlan = sql<Record<never, never>, readonly [string, string, number, Date]>(
  'subscription.postpone',
  `update subscriptions set version = version + 1, next_at = $4, lease_until = null
   where merchant_id = $1 and id = $2 and version = $3 and state = 'running'`,
)

const planOfChain = sql<PlanRow, readonly [string, string]>(
  'subscription.of-chain',
  `select ${planColumns()} from subscriptions where merchant_id = $1 and chain_id = $2 and state = 'running'`,
)

/** A chain may have had several plans one after another. */
const firstDate = sql<{ date: string | null }, readonly [string, string, string]>(
  'subscription.first-date',
  `select coalesce(
     (select min(made.plan_date) from payments made
        join subscriptions plan on plan.merchant_id = made.merchant_id and plan.id = made.subscription_id
      where made.merchant_id = $1 and made.chain_id = $2 and plan.started_by = $3),
     (select next_date from subscriptions
      where merchant_id = $1 and chain_id = $2 and state = 'running' and started_by = $3)
   )::text as date`,
)

/** A plan that has made all its payments, or was replaced, may still charge its last one. */
const planState = sql<{ standing: 'goes on' | 'paused' | 'stopped' }, readonly [string, string]>(
  'subscription.standing',
  `select case
     when plan.state = 'ended' and plan.ended_reason not in ('completed', 'replaced') or schedule.deleted_at is not null then 'stopped'
     when schedule.paused then 'paused'
     else 'goes on'
   end as standing
   from subscriptions plan join schedules schedule on schedule.merchant_id = plan.merchant_id and schedule.id = plan.schedule_id
   where plan.merchant_id = $1 and plan.id = $2`,
)

const endPlans = sql<{ id: string }, readonly [string, string, string | null, string]>(
  'subscription.end',
  `update subscriptions set version = version + 1, state = 'ended', ended_reason = $4, next_date = null, next_at = null
   where merchant_id = $1 and schedule_id = $2 and ($3::uuid is null or chain_id = $3) and state = 'running'
   returning id`,
)

export function planStore(pool: Pool, holder: Holder = null): Plans {
  return {
    claim: async (now, limit, leaseSeconds) =>
      (await claimRows(pool, claimDue, { now, limit }, (most) => [now, most, leaseSeconds, holder])).map(planFrom),
    fire: firer(pool),
    postpone: async ({ merchantId, id, version }, nextAt) => {
      await query(pool, postponePlan, [merchantId, id, version, nextAt])
    },
    readState: async (merchantId, id) => (await query(pool, planState, [merchantId, id]))[0]?.standing ?? 'stopped',
    findOfChain: async (merchantId, chainId) => {
      const [row] = await query(pool, planOfChain, [merchantId, chainId])
      return row ? planFrom(row) : null
    },
    findFirstDate: async (...plan) => (await query(pool, firstDate, plan))[0]?.date ?? null,
    end: async ({ merchantId, id }, chainId, reason) =>
      (await query(pool, endPlans, [merchantId, id, chainId, reason])).length,
  }
}

/** The maximum number of plans in one statement. */
const mostTogether = 32

/** Fires plans; those that arrive while another is being written are written together. */
function firer(pool: Pool): Plans['fire'] {
  const fireInGroup = inGroups<Firing, FireResult | 'left out'>({
    runAlone: (firing) => fireAlone(pool, firing),
    runTogether: async (firings) => {
      const fired = await fireTogether(pool, firings)
      return ({ before }) => (fired.has(before.id) ? 'fired' : 'left out')
    },
    apart: ({ before }) => before.id,
    most: mostTogether,
    mayRepeat: changedNothing,
  })
  return async (firing) => {
    const { limits = [] } = firing.opening
    if (limits.length > 0 || (await isDistributed(pool))) return fireAlone(pool, firing)
    const result = await fireInGroup(firing)
    return result === 'left out' ? fireAlone(pool, firing) : result
  }
}

type FireResult = Awaited<ReturnType<Plans['fire']>>

async function fireAlone(pool: Pool, firing: Firing): Promise<FireResult> {
  try {
    const { payment, limits = [] } = firing.opening
    const needsCounters = limits.length > 0 && (await isDistributed(pool))
    if (needsCounters) await beginCounters(pool, limits, payment.midId)
    const fired = await query(pool, ...statementOf(firing, needsCounters ? fireCountedPlan : fireLimitedPlan))
    return fired.length === 1 ? 'fired' : 'stale'
  } catch (error) {
    const clash = clashOf(error)
    if (clash === null || clash === 'budget-spent') throw error
    return clash
  }
}

function statementOf(firing: Firing, limited: typeof firePlan): readonly [typeof firePlan, readonly unknown[]] {
  const { payment, limits = [] } = firing.opening
  const params = firingParams(firing)
  if (limits.length === 0) return [firePlan, params]
  return [limited, [...params, ...countingParams(limits, payment.amountMinor, payment.midId)]]
}

// biome-ignore format: the numbers are the statement's parameters.
function firingParams({ before, after, schedule, opening }: Firing): readonly unknown[] {
  return [
    /*  1 */ before.merchantId, before.id, before.version,
    /*  4 */ after.state, after.endedReason, json(after.progress), after.nextDate, after.nextAt, opening.payment.id,
    /* 10 */ schedule.id, schedule.version,
    /* 12 */ ...openingParams(opening),
  ]
}
