/**
 * The schedule worker: makes the payments of plans on their dates. Chapter 10 §9.2, chapter 50 §5.
 *
 * A plan is due when its next time has passed, its schedule is not paused and its last payment has an outcome. After an outage the worker
 * finds every missed date and makes the payments one after another, oldest first.
 */
import { firePlan } from '../payments/commands/plan-payment.ts'
import type { Deps } from '../payments/request/deps.ts'
import { type DueWork, runDueWork } from './due-work.ts'

/** Above the duration of one exchange, so that a lease expires only if its process is dead. */
const leaseSeconds = 90

export function runSchedules(deps: Deps): DueWork {
  const work = runDueWork({
    name: 'schedules',
    claim: (limit) => deps.plans.claim(deps.clock.now(), limit, leaseSeconds),
    run: async (plan) => {
      await firePlan(deps, plan)
      // The next date of a plan that is behind is already due.
      work.wake()
    },
    concurrency: 16,
    ids: deps.ids,
    log: deps.log,
  })
  return work
}
