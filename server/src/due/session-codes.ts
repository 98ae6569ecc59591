/** Erases verification codes that hosted fields collected and no attempt used. Chapter 30 §8.3. */
import type { Deps } from '../payments/request/deps.ts'
import { type DueWork, runDueWork } from './due-work.ts'

const pollMs = 15_000

/** The claim itself erases them in one statement, so there are no items to run. */
export function runSessionCodes({
  sessions,
  clock,
  ids,
  log,
}: Pick<Deps, 'sessions' | 'clock' | 'ids' | 'log'>): DueWork {
  return runDueWork<never>({
    name: 'session-codes',
    claim: async () => {
      await sessions.forgetCodes(clock.now())
      return []
    },
    run: () => Promise.resolve(),
    concurrency: 1,
    pollMs,
    ids,
    log,
  })
}
