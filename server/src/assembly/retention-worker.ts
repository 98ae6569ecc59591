/** Starts the worker that removes data past its configured retention period. Chapter 50 §5. */
import { retention } from '#domain/retention.ts'
import type { DueWork } from '../due/due-work.ts'
import { runRetention } from '../due/retention.ts'
import { purgeBatch } from '../panel/instance/retention.ts'
import { claimRetention, type RetentionRun } from '../store/retention/retention-runs.ts'
import type { ProcessContext } from './process-context.ts'

export function startRetention({ config, pool, clock, ids, log }: ProcessContext): DueWork {
  const periods = retention(config.retentionDays, config.retryBudgets)
  return runRetention({
    claim: (kinds, due) => claimRetention(pool, kinds, due),
    purge: (run: RetentionRun) => purgeBatch({ pool, clock }, periods, run),
    clock,
    ids,
    log,
  })
}
