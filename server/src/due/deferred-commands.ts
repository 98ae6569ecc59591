/**
 * Runs the commands that the service issues by itself: automatic captures (a MID's setting) and automatic retries of plan
 * payments (`PLAN_RETRY_HOURS`). Chapter 10 §6, §9.2.
 */
import type { DeferredCommand } from '../contracts/plan-records.ts'
import { carryOut } from '../payments/commands/deferred-command.ts'
import type { Deps } from '../payments/request/deps.ts'
import { type DueWork, runDueWork } from './due-work.ts'
import { traceWork } from './job.ts'

/** Above the duration of one exchange, so that a lease expires only if its process is dead. */
const leaseSeconds = 90

export function runDeferredCommands(deps: Deps): DueWork {
  return runDueWork({
    name: 'deferred-commands',
    claim: (limit) => deps.deferred.claim(deps.clock.now(), limit, leaseSeconds),
    run: traceWork(
      deps,
      'deferred-commands',
      ({ paymentId }) => paymentId,
      (command: DeferredCommand) => carryOut(deps, command),
    ),
    concurrency: 8,
    ids: deps.ids,
    log: deps.log,
  })
}
