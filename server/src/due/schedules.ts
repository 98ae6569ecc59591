/**
 * The schedule worker: makes the payments of plans on their dates. Chapter 10 §9.2, chapter 50 §5.
 *
 * A plan is due when its next time has passed, its schedule is not paused and its last payment has an outcome. After an outage the worker
 * finds every missed date and makes the payments one after another, oldest first.
 */
import type { PlanRecord } from '../contracts/records.ts'
import { firePlan } from '../payments/commands/plan-payment.ts'
import type { Deps } from '../payments/request/deps.ts'
import { type DueWork, runDueWork } from './due-work.ts'
import { traceWork } from './job.ts'

/** Above the duration of one exchange, so that a lease expires only if its process is dead. */
const leaseSeconds = 90

/** What a charge reads; plans that are fired at the same time read it together. */
type ChargeReads = {
  readonly [Store in 'payments' | 'chains' | 'schedules' | 'cards']: Pick<Deps[Store], 'find'>
}

/** Enough to fill the statements that plans share; the bound keeps processor and database for payments. See decisions/plans#shared-statements. */
const concurrency = 32

export function runSchedules(deps: Deps, reads: ChargeReads): DueWork {
  const reading = {
    ...deps,
    payments: { ...deps.payments, ...reads.payments },
    chains: reads.chains,
    schedules: { ...deps.schedules, ...reads.schedules },
    cards: { ...deps.cards, ...reads.cards },
  }
  const fire = traceWork<PlanRecord, Date | null>(
    deps,
    'schedules',
    () => null,
    (plan) => firePlan(reading, plan),
  )
  const work = runDueWork({
    name: 'schedules',
    claim: (limit) => deps.plans.claim(deps.clock.now(), limit, leaseSeconds),
    run: async (plan) => {
      const nextAt = await fire(plan)
      // Only a plan that is behind: a poll for each fired plan would claim single rows.
      if (nextAt !== null && nextAt <= deps.clock.now()) work.wake()
    },
    concurrency,
    ids: deps.ids,
    log: deps.log,
  })
  return work
}
