/** Erases verification codes that hosted fields collected and no attempt used. Chapter 30 §8.3. */
import type { Deps } from '../payments/request/deps.ts'
import type { DueWork } from './due-work.ts'
import { runStatementJob } from './statement-job.ts'

const pollMs = 15_000

export function runSessionCodes({
  sessions,
  clock,
  ids,
  log,
}: Pick<Deps, 'sessions' | 'clock' | 'ids' | 'log'>): DueWork {
  return runStatementJob({
    name: 'session-codes',
    execute: (now) => sessions.forgetCodes(now),
    pollMs,
    clock,
    ids,
    log,
  })
}
