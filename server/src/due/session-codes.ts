/** Verification codes that hosted fields collected and no attempt used are forgotten. Chapter 30 §8.3. */
import type { Deps } from '../payments/request/deps.ts'
import { type DueWork, runDueWork } from './due-work.ts'

const pollMs = 15_000

/** Forgetting is one statement and its own claim, so that nothing is left to run. */
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
