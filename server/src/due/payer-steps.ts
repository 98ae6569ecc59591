/** Ends payer steps from which the payer did not return in time. Chapter 10 §6, "Redirect expires". */
import type { PayerStep } from '../contracts/records.ts'
import { expireStep } from '../payments/commands/payer-step.ts'
import type { Deps } from '../payments/request/deps.ts'
import { type DueWork, runDueWork } from './due-work.ts'
import { traceWork } from './job.ts'

/** Above the duration of one query to an acquirer, so that a lease expires only if its process is dead. */
const leaseSeconds = 90

export function runPayerSteps(deps: Deps): DueWork {
  return runDueWork({
    name: 'payer-steps',
    claim: (limit) => deps.steps.claimExpired(deps.clock.now(), limit, leaseSeconds),
    run: traceWork(
      deps,
      'payer-steps',
      ({ paymentId }) => paymentId,
      (step: PayerStep) => expireStep(deps, step),
    ),
    concurrency: 8,
    ids: deps.ids,
    log: deps.log,
  })
}
