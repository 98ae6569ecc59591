/** A job that is one statement: nothing is claimed, because the statement itself finds what is due and does it. */
import type { Clock, Ids, Log } from '../contracts/ports.ts'
import { type DueWork, runDueWork } from './due-work.ts'

interface StatementJob {
  readonly name: string
  readonly execute: (now: Date) => Promise<unknown>
  readonly pollMs: number
  readonly clock: Clock
  readonly ids: Pick<Ids, 'random'>
  readonly log: Log
}

export function runStatementJob({ execute, clock, ...options }: StatementJob): DueWork {
  return runDueWork<never>({
    ...options,
    claim: async () => {
      await execute(clock.now())
      return []
    },
    run: () => Promise.resolve(),
    concurrency: 1,
  })
}
