/** Ends cascades whose process died between two attempts. Chapter 10 §6.2. */
import type { OpenCascade } from '../contracts/unresolved-ports.ts'
import { endOpenCascade } from '../payments/attempt/cascade-end.ts'
import type { Deps } from '../payments/request/deps.ts'
import { type DueWork, runDueWork } from './due-work.ts'
import { traceWork } from './job.ts'

/** No external call is made, so a process that takes longer than this has died too. */
const leaseSeconds = 30

export function runOpenCascades(deps: Deps): DueWork {
  return runDueWork({
    name: 'open-cascades',
    claim: (limit) => deps.cascades.claim(limit, leaseSeconds),
    run: traceWork(
      deps,
      'open-cascades',
      ({ paymentId }) => paymentId,
      (cascade: OpenCascade) => endOpenCascade(deps, cascade),
    ),
    concurrency: 4,
    ids: deps.ids,
    log: deps.log,
  })
}
