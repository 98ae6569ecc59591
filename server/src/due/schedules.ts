/**
 * The schedule engine: makes the payments of plans on their dates. Chapter 10 §9.2, chapter 50 §5.
 *
 * A plan is due when its next moment has passed, its schedule is not paused and its last payment has an outcome. An engine that
 * was down finds every date it missed and makes the payments one after the other, oldest first.
 */
import { firePlan } from '../payments/commands/plan-payment.ts'
import type { Deps } from '../payments/request/deps.ts'
import { type DueWork, runDueWork } from './due-work.ts'

/** Above the time one exchange may take, so that a lease lapses only when its process is dead. */
const leaseSeconds = 90

export function runSchedules(deps: Deps): DueWork {
  const work = runDueWork({
    name: 'schedules',
    claim: (limit) => deps.subscriptions.claim(deps.clock.now(), limit, leaseSeconds),
    run: async (subscription) => {
      await firePlan(deps, subscription)
      // A plan that is behind has its next date due already.
      work.wake()
    },
    concurrency: 16,
    ids: deps.ids,
    log: deps.log,
  })
  return work
}
